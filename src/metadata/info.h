// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/status.h"
#include "result/result_stream.h"

namespace dbx {

/// What GetInfo tells of driver and service.
struct InfoFacts {
  std::string driver_name;
  std::string driver_version;
  std::string driver_arrow_version;
  int64_t adbc_version = 0;
  std::string vendor_name;
  /// Asked only when the answer is wanted, since it may call the service. Empty: unknown, left out.
  std::function<Result<std::string>()> vendor_version;
};

/// The answer to GetInfo: `info_name` (uint32, never null) and `info_value` (dense union of ADBC's
/// six types), one row a known code of `codes` in their order. nullopt: all codes that are known.
/// Errors: those of `vendor_version`.
Result<std::unique_ptr<ResultStream>> MakeInfoStream(
    const InfoFacts& facts, std::optional<std::span<const uint32_t>> codes);

}  // namespace dbx
