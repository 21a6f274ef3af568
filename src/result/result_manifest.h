// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrow/record_batch.h"
#include "base/clock.h"
#include "base/secret.h"

namespace dbx {

enum class Compression : uint8_t { kNone, kLz4Frame };

/// What is known of a result before its rows. Totals are absent where the protocol does not tell
/// them (Thrift).
struct ResultManifest {
  std::shared_ptr<const Schema> schema;
  Compression compression = Compression::kNone;
  std::optional<int64_t> num_rows;
  std::optional<int64_t> num_chunks;
  std::optional<int64_t> num_bytes;  ///< decoded
  bool truncated = false;            ///< the service cut the result at a limit
};

/// Where one chunk lies.
struct ResultLink {
  int64_t chunk_index = 0;  ///< 0-based and dense
  int64_t row_offset = 0;   ///< of the chunk's first row in the whole result
  int64_t num_rows = 0;     ///< rows that count; the file may hold more, which are cut
  int64_t num_bytes = 0;    ///< decoded size as the service states it; 0: not stated. Not trusted
  SecretUrl presigned_url;
  std::vector<std::pair<std::string, Secret>> headers;  ///< to be sent with the GET
  std::optional<WallTime> expires_at;
};

}  // namespace dbx
