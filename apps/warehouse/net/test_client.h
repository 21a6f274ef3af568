// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dbx::local {

/// What a client read of one reply.
struct TestReply {
  int status = 0;      ///< 0: no whole head came
  std::string head;    ///< with its empty line
  std::string body;    ///< as far as it came
  bool ended = false;  ///< the connection ended before the stated length was there
  bool was_reset = false;

  /// Value of the header, or empty.
  std::string Header(std::string_view name) const;
};

/// A client with a bare socket, which sees each byte and how a connection ends. Waits for 20 s at
/// most, then all calls fail. One thread.
class TestClient {
 public:
  explicit TestClient(uint16_t port);
  ~TestClient();
  TestClient(TestClient&& other) noexcept;
  TestClient(const TestClient&) = delete;
  TestClient& operator=(const TestClient&) = delete;
  TestClient& operator=(TestClient&&) = delete;

  void Send(std::string_view bytes) const;
  /// "GET <target> HTTP/1.1" with Host and these header lines (each with its line end).
  void SendGet(std::string_view target, std::string_view header_lines = "") const;
  /// Reads one reply. `has_body` false: of a HEAD.
  TestReply Read(bool has_body = true);
  /// Reads until the connection ends or `num_bytes` have come.
  std::string ReadBytes(size_t num_bytes);
  TestReply Get(std::string_view target, std::string_view header_lines = "");

  int descriptor() const { return descriptor_; }

 private:
  /// False at the end of the connection.
  bool ReadMore();

  int descriptor_ = -1;
  std::string input_;
  bool was_reset_ = false;
};

/// A self-made certificate for 127.0.0.1 and its key, in files of a folder that goes with this.
class TestCertificate {
 public:
  TestCertificate();
  ~TestCertificate();
  TestCertificate(const TestCertificate&) = delete;
  TestCertificate& operator=(const TestCertificate&) = delete;

  const std::string& certificate_file() const { return certificate_file_; }
  const std::string& key_file() const { return key_file_; }

 private:
  std::string folder_, certificate_file_, key_file_;
};

/// One GET over TLS, trusting that certificate alone. Returns all bytes of the reply up to the
/// close.
std::string TlsGet(uint16_t port, const TestCertificate& certificate, std::string_view target);

}  // namespace dbx::local
