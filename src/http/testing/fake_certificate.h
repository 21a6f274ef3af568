// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <string>

namespace dbx {

/// A certificate of a server, signed by an authority that is made for it alone.
class FakeCertificate {
 public:
  /// `host`: a name or an IPv4 address.
  explicit FakeCertificate(const std::string& host);
  ~FakeCertificate();
  FakeCertificate(const FakeCertificate&) = delete;
  FakeCertificate& operator=(const FakeCertificate&) = delete;

  SSL_CTX* context() const { return context_; }
  /// PEM file of the authority's certificate; lives as long as this.
  const std::string& ca_file() const { return ca_file_; }

 private:
  SSL_CTX* context_ = nullptr;
  int ca_fd_ = -1;
  std::string ca_file_;
};

}  // namespace dbx
