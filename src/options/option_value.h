// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace dbx {

/// What the text of an option means.
enum class OptionKind : uint8_t {
  kText,
  kSecret,  ///< a text that no getter and no message shows
  kUri,     ///< a text whose user part and query are secrets
  kBool,    ///< true, false, 1, 0, yes, no in any case
  kInt,
  kIntOrAuto,     ///< a number or "auto"
  kSeconds,       ///< "900", "900s", "15m", "1500ms"; a number alone counts in seconds
  kMilliseconds,  ///< the same; a number alone counts in milliseconds
  kMegabytes,     ///< whole MiB
  kBytes,         ///< "400MB", "65536", B KB MB GB (powers of 1024)
  kChoice,        ///< one of a few words, in any case
};

/// True, false or kInvalidArgument that names `key` and the text.
Result<bool> ParseBool(std::string_view key, std::string_view text);

/// A whole number within min..max or kInvalidArgument that names key, value, range and unit.
Result<int64_t> ParseInt(std::string_view key, std::string_view text, int64_t min, int64_t max,
                         std::string_view unit);

/// A length of time in milliseconds; `unit_ms` is what a number without a unit counts in. Errors as
/// ParseInt, in that unit.
Result<int64_t> ParseDuration(std::string_view key, std::string_view text, int64_t unit_ms,
                              int64_t min, int64_t max);

/// A size in bytes with an optional unit. Errors as ParseInt.
Result<int64_t> ParseBytes(std::string_view key, std::string_view text, int64_t min, int64_t max);

/// `text` in lower case (ASCII).
std::string ToLower(std::string_view text);

}  // namespace dbx
