// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/secret.h"
#include "base/status.h"
#include "http/http_client.h"

namespace dbx {

/// "bytes 10-19/20" of a Content-Range header; "bytes */20" has a total alone.
struct ContentRange {
  std::optional<int64_t> first, last, total;
};
/// nullopt when `value` is not of that form or contradicts itself.
std::optional<ContentRange> ParseContentRange(std::string_view value);

/// How one GET of a chunk's file ended.
struct Attempt {
  enum class Trouble : uint8_t {
    kNone,
    kFileChanged,  ///< another file than the one whose beginning we have
    kWrongRange,   ///< the server answered another range than was asked for
    kNoMemory,     ///< the system has none
    kCutShort,     ///< the file's whole size is known, and fewer bytes came
  };

  Status transport;  ///< of HttpObserver::OnDone
  bool answered = false;
  HttpResponseHead head;       ///< when answered
  std::string error_body;      ///< the first bytes of the body of a status that is no success
  int64_t num_bytes = 0;       ///< new bytes that it brought
  int64_t received_bytes = 0;  ///< of the file, by all attempts together
  Trouble trouble = Trouble::kNone;
};

/// What to do next about a chunk's file.
enum class Verdict : uint8_t {
  kWhole,        ///< all bytes are here
  kRetry,        ///< again, from the byte that is missing, when the retry policy allows it
  kRefresh,      ///< again with a fresh link: this one is refused or has lapsed
  kRefreshOnce,  ///< a fresh link may help once; after that it is final
  kRestart,      ///< again from the first byte
  kFinal,        ///< no attempt can help
};
Verdict Judge(const Attempt& attempt);

/// What a reader is told of an attempt that was the last one. Names the storage host, never the
/// URL's secrets.
Status ToStatus(const Attempt& attempt, const SecretUrl& url);

}  // namespace dbx
