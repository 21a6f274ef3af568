// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/status.h"

namespace dbx::local {

/// What came of one non-blocking call.
struct IoResult {
  enum class Outcome : uint8_t {
    kDone,       ///< `num_bytes` went through
    kWantRead,   ///< call again once the descriptor can be read
    kWantWrite,  ///< call again once it can be written
    kClosed,     ///< the other side has closed, or the connection is broken
  };
  Outcome outcome = Outcome::kDone;
  size_t num_bytes = 0;
};

/// Bytes to write: memory, and when `file` is not negative also the place in a file that holds the
/// same.
struct OutgoingPiece {
  const uint8_t* data = nullptr;
  size_t num_bytes = 0;
  int file = -1;
  uint64_t file_offset = 0;
};

/// A connected descriptor, without or with TLS. It never blocks and does not own the descriptor.
/// One thread at a time; SIGPIPE must be blocked there.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual IoResult Handshake() = 0;
  /// 0 bytes are never "done": the end is kClosed.
  virtual IoResult Read(std::span<char> into) = 0;
  /// Writes from the front of `pieces`, `limit` bytes at most, and says how many went.
  virtual IoResult Write(std::span<const OutgoingPiece> pieces, uint64_t limit) = 0;
  /// Tells the other side that no more bytes come.
  virtual void FinishWriting() = 0;
};

std::unique_ptr<Transport> MakePlainTransport(int descriptor);

/// A certificate and its key, ready for many connections. TLS 1.2 and newer. Thread-safe.
class TlsContext {
 public:
  virtual ~TlsContext() = default;
  /// PEM files. Errors: kInvalidArgument, with what the library says.
  static Result<std::unique_ptr<TlsContext>> Load(const std::string& certificate_file,
                                                  const std::string& key_file);
  /// Must not outlive this.
  virtual std::unique_ptr<Transport> Connect(int descriptor) = 0;
};

}  // namespace dbx::local
