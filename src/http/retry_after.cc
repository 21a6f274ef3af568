// SPDX-License-Identifier: Apache-2.0
#include <curl/curl.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "http/retry.h"

namespace dbx {
namespace {

constexpr int64_t kMaxSeconds = 365LL * 24 * 3600;

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view Trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::chrono::milliseconds FromSeconds(int64_t seconds) {
  return std::chrono::seconds(std::clamp<int64_t>(seconds, 0, kMaxSeconds));
}

/// All three forms of HTTP begin with the day's name and have a time with colons; libcurl's parser
/// takes much more.
bool LooksLikeHttpDate(std::string_view text) {
  return text.size() >= 20 && text.size() <= 64 && !IsDigit(text.front()) && text.front() != '-' &&
         std::count(text.begin(), text.end(), ':') == 2;
}

}  // namespace

std::optional<std::chrono::milliseconds> ParseRetryAfter(std::string_view value, WallTime now) {
  value = Trim(value);
  if (value.empty()) return std::nullopt;
  if (std::all_of(value.begin(), value.end(), IsDigit)) {
    int64_t seconds = 0;
    for (const char digit : value) seconds = std::min(seconds * 10 + (digit - '0'), kMaxSeconds);
    return FromSeconds(seconds);
  }
  if (!LooksLikeHttpDate(value)) return std::nullopt;
  const time_t moment = curl_getdate(std::string(value).c_str(), nullptr);
  if (moment < 0) return std::nullopt;
  const auto left = std::chrono::system_clock::from_time_t(moment) - now;
  // Whole seconds, rounded up: never earlier than the server said.
  return FromSeconds(std::chrono::ceil<std::chrono::seconds>(left).count());
}

}  // namespace dbx
