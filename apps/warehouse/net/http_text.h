// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace dbx::local {

/// Small pieces of HTTP's text.

std::string_view Trim(std::string_view text);  ///< without blanks and tabs at both ends
bool EqualIgnoringCase(std::string_view a, std::string_view b);
/// True when `token` is one of the comma-separated words of `list`, in any case.
bool ListHasToken(std::string_view list, std::string_view token);
/// "OK" for 200; "Status" for what has no usual phrase.
std::string_view ReasonPhrase(int status);
/// "Mon, 30 Nov 2026 23:46:11 GMT".
std::string HttpDate(WallTime time);
/// "2026-11-30T23:46:11Z".
std::string IsoTime(WallTime time);
/// "20261130T234611Z", the form in signed links.
std::string CompactTime(WallTime time);
/// Reads CompactTime or IsoTime; nullopt when it is neither.
std::optional<WallTime> ParseUtcTime(std::string_view text);
/// The value of `name` in a query as sent, still with its percent escapes.
std::optional<std::string_view> QueryValue(std::string_view query, std::string_view name);
/// The query's value without percent escapes; broken escapes stay as they are.
std::string PercentDecode(std::string_view text);
std::string PercentEncode(std::string_view text);
/// A whole number of digits alone.
std::optional<uint64_t> ParseNumber(std::string_view text);
/// `num_bytes` random bytes in hexadecimal.
std::string RandomHex(size_t num_bytes);
/// 8-4-4-4-12, with the bits of a random UUID set.
std::string RandomUuid();

}  // namespace dbx::local
