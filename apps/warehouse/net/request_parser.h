// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "net/http_server.h"

namespace dbx::local {

inline constexpr size_t kMaxHeadBytes = 64 << 10;
inline constexpr uint64_t kMaxBodyBytes = 256 << 20;

/// The head of a request and what it says of the body that follows.
struct RequestHead {
  HttpRequest request;  ///< method, path, query, headers
  bool keep_alive = true;
  bool expects_continue = false;
  bool chunked = false;
  uint64_t content_length = 0;
};

/// Length of the head with its empty line, 0 while that has not come. Looks at bytes from
/// `searched` on only (and a few before), so that a head which comes byte by byte costs linear
/// time.
size_t FindHeadEnd(std::string_view bytes, size_t searched);

/// Parses a whole head. Strict: no folded lines, no blank before a colon, one Content-Length, no
/// Content-Length beside chunks. Errors carry the HTTP status to answer with: 400, 413, 501 or 505.
Result<RequestHead> ParseRequestHead(std::string_view head);

/// Takes the chunked coding off a body that comes in pieces.
class ChunkedDecoder {
 public:
  /// Appends decoded bytes to `body` and returns how many of `bytes` were used; the rest wants more
  /// behind it. Errors carry HTTP status 400 or 413.
  Result<size_t> Feed(std::string_view bytes, std::string& body);
  bool done() const { return state_ == State::kDone; }

 private:
  enum class State : uint8_t { kSize, kData, kDataEnd, kTrailer, kDone };

  Result<size_t> Step(std::string_view bytes, std::string& body);
  Status TakeSizeLine(std::string_view line, uint64_t body_bytes);

  State state_ = State::kSize;
  uint64_t left_in_chunk_ = 0;
  size_t trailer_bytes_ = 0;
};

}  // namespace dbx::local
