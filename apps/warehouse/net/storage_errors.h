// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "net/http_server.h"
#include "net/spool.h"

namespace dbx::local {

/// What a store refuses.
enum class StorageError : uint8_t {
  kExpired,
  kForged,
  kUnsigned,
  kMalformed,
  kHeaderAndLink,  ///< an Authorization header beside a signed link
  kNotFound,
  kRange,
  kPrecondition,
  kMethod,
};

struct StorageErrorContext {
  WallTime now = {};
  WallTime expires_at = {};  ///< of the link; for kExpired
  std::string_view path = {};
};

/// The answer, in the words, statuses and headers of that store.
HttpReply StorageErrorReply(StorageFlavor flavor, StorageError error,
                            const StorageErrorContext& context);

}  // namespace dbx::local
