// SPDX-License-Identifier: Apache-2.0
#include "net/byte_range.h"

#include <algorithm>
#include <optional>

#include "net/http_text.h"

namespace dbx::local {
namespace {

constexpr std::string_view kUnit = "bytes=";

ByteRange Suffix(std::optional<uint64_t> length, uint64_t body_bytes) {
  if (!length) return {};
  if (*length == 0 || body_bytes == 0) return {.kind = ByteRange::Kind::kUnsatisfiable};
  const uint64_t taken = std::min(*length, body_bytes);
  return {.kind = ByteRange::Kind::kPart, .first = body_bytes - taken, .num_bytes = taken};
}

}  // namespace

ByteRange ParseByteRange(std::string_view header, uint64_t body_bytes) {
  header = Trim(header);
  if (header.size() < kUnit.size() || !EqualIgnoringCase(header.substr(0, kUnit.size()), kUnit))
    return {};
  const std::string_view range = Trim(header.substr(kUnit.size()));
  const size_t dash = range.find('-');
  if (dash == std::string_view::npos) return {};
  if (dash == 0) return Suffix(ParseNumber(range.substr(1)), body_bytes);

  const std::optional<uint64_t> first = ParseNumber(range.substr(0, dash));
  const std::string_view last_text = range.substr(dash + 1);
  const std::optional<uint64_t> last = last_text.empty() ? UINT64_MAX : ParseNumber(last_text);
  if (!first || !last || *last < *first) return {};
  if (*first >= body_bytes) return {.kind = ByteRange::Kind::kUnsatisfiable};
  const uint64_t stop = std::min(*last, body_bytes - 1);
  return {.kind = ByteRange::Kind::kPart, .first = *first, .num_bytes = stop - *first + 1};
}

}  // namespace dbx::local
