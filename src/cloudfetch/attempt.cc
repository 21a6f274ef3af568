// SPDX-License-Identifier: Apache-2.0
#include "cloudfetch/attempt.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/str_cat.h"
#include "http/retry.h"

namespace dbx {
namespace {

constexpr int kPartialContent = 206;
constexpr int kRangeNotSatisfiable = 416;

/// Takes a number off the front of `text`.
std::optional<int64_t> TakeNumber(std::string_view& text) {
  int64_t number = 0;
  const char* const first = text.data();
  const auto [stop, failure] = std::from_chars(first, first + text.size(), number);
  if (failure != std::errc() || number < 0) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(stop - first));
  return number;
}

bool TakeText(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

/// Storage services say with 400 too that a signature has lapsed.
bool SaysExpired(std::string_view body) {
  static constexpr std::array<std::string_view, 4> kSigns = {"ExpiredToken", "Request has expired",
                                                             "expired", "Expired"};
  return std::any_of(kSigns.begin(), kSigns.end(), [body](std::string_view sign) {
    return body.find(sign) != std::string_view::npos;
  });
}

/// 416 for the byte after the last one: everything is here already.
bool RangeBeginsAtTheEnd(const Attempt& attempt) {
  const std::optional<ContentRange> range = ParseContentRange(attempt.head.Header("Content-Range"));
  return attempt.received_bytes > 0 && range && range->total == attempt.received_bytes;
}

Verdict JudgeStatus(const Attempt& attempt) {
  const int status = attempt.head.status;
  switch (status) {
    case 401:
    case 403:
      return Verdict::kRefresh;
    case 404:
    case 410:
      return Verdict::kRefreshOnce;
    case 408:
    case 425:
    case 429:
      return Verdict::kRetry;
    case kRangeNotSatisfiable:
      return RangeBeginsAtTheEnd(attempt) ? Verdict::kWhole : Verdict::kRestart;
    default:
      break;
  }
  if (status >= 500 && status != 501) return Verdict::kRetry;
  if (status == 400 && SaysExpired(attempt.error_body)) return Verdict::kRefresh;
  return Verdict::kFinal;
}

Verdict JudgeTransport(const Status& transport) {
  switch (transport.code()) {
    case StatusCode::kIo:
    case StatusCode::kTimeout:
    case StatusCode::kUnavailable:
      return Verdict::kRetry;
    default:
      return Verdict::kFinal;  // not trusted, no such host, refused by a proxy
  }
}

}  // namespace

std::optional<ContentRange> ParseContentRange(std::string_view value) {
  ContentRange range;
  if (!TakeText(value, "bytes ")) return std::nullopt;
  if (!TakeText(value, "*")) {
    range.first = TakeNumber(value);
    if (!range.first || !TakeText(value, "-")) return std::nullopt;
    range.last = TakeNumber(value);
    if (!range.last || *range.last < *range.first) return std::nullopt;
  }
  if (!TakeText(value, "/")) return std::nullopt;
  if (TakeText(value, "*")) return value.empty() ? std::optional(range) : std::nullopt;
  range.total = TakeNumber(value);
  if (!range.total || !value.empty()) return std::nullopt;
  if (range.last && *range.last >= *range.total) return std::nullopt;
  return range;
}

Verdict Judge(const Attempt& attempt) {
  switch (attempt.trouble) {
    case Attempt::Trouble::kNone:
      break;
    case Attempt::Trouble::kFileChanged:
    case Attempt::Trouble::kWrongRange:
      return Verdict::kRestart;
    case Attempt::Trouble::kNoMemory:
      return Verdict::kFinal;
    case Attempt::Trouble::kCutShort:
      return Verdict::kRetry;
  }
  if (attempt.answered && attempt.head.status != 200 && attempt.head.status != kPartialContent) {
    return JudgeStatus(attempt);
  }
  if (!attempt.transport.ok()) return JudgeTransport(attempt.transport);
  return attempt.answered ? Verdict::kWhole : Verdict::kRetry;
}

Status ToStatus(const Attempt& attempt, const SecretUrl& url) {
  switch (attempt.trouble) {
    case Attempt::Trouble::kNone:
      break;
    case Attempt::Trouble::kFileChanged:
      return Status::InvalidData(StrCat(url.Host(), ": the file changed while it was read"));
    case Attempt::Trouble::kWrongRange:
      return Status::InvalidData(StrCat(url.Host(), ": answered another range than was asked for"));
    case Attempt::Trouble::kNoMemory:
      return Status::Internal("out of memory");
    case Attempt::Trouble::kCutShort:
      return Status::Unavailable(StrCat(url.Host(), ": the file ends after ",
                                        attempt.received_bytes, " bytes, too early"));
  }
  if (attempt.answered && attempt.head.status != 200 && attempt.head.status != kPartialContent) {
    return ToStatus(HttpResponse{.head = attempt.head, .body = attempt.error_body}, url);
  }
  if (attempt.transport.code() == StatusCode::kIo) {
    return attempt.transport.WithCode(StatusCode::kUnavailable);
  }
  if (!attempt.transport.ok()) return attempt.transport;
  return Status::Unavailable(StrCat(url.Host(), ": no answer"));
}

}  // namespace dbx
