// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/str_cat.h"
#include "http/retry.h"
#include "http/scrub.h"

namespace dbx {
namespace {

/// Where the service puts its own words; the first that is there is shown.
constexpr std::array<std::string_view, 3> kTextHeaders = {"x-thriftserver-error-message",
                                                          "x-databricks-error-or-redirect-message",
                                                          "x-databricks-reason-phrase"};
constexpr size_t kMaxBodyRead = 64 << 10;
constexpr size_t kMaxWords = 200;

struct Story {
  std::string text;
  std::string error_class;
};

StatusCode CodeOf(int status) {
  switch (status) {
    case 401:
      return StatusCode::kUnauthenticated;
    case 403:
      return StatusCode::kUnauthorized;
    case 404:
      return StatusCode::kNotFound;
    case 408:
    case 504:
      return StatusCode::kTimeout;
    case 429:
    case 502:
    case 503:
      return StatusCode::kUnavailable;
    default:
      return StatusCode::kIo;
  }
}

std::string TextOf(const nlohmann::json& object, std::initializer_list<const char*> keys) {
  for (const char* const key : keys) {
    const auto found = object.find(key);
    if (found == object.end()) continue;
    if (found->is_string()) return found->get<std::string>();
    if (found->is_number_integer()) return StrCat(found->get<int64_t>());
  }
  return {};
}

Story FromJson(std::string_view body) {
  const auto object = nlohmann::json::parse(body, nullptr, false);
  if (!object.is_object()) return {};
  return {TextOf(object, {"message", "error_description", "error"}),
          TextOf(object, {"error_code"})};
}

std::string Element(std::string_view body, std::string_view name) {
  const std::string open = StrCat("<", name, ">");
  const size_t begin = body.find(open);
  if (begin == std::string_view::npos) return {};
  body.remove_prefix(begin + open.size());
  return std::string(body.substr(0, body.find('<')));
}

// Storage services explain a refused signature by quoting it. Only these two elements are safe to
// show.
Story FromXml(std::string_view body) {
  const std::string code = Element(body, "Code");
  const std::string message = Element(body, "Message");
  return {message.empty() ? code : StrCat(code, ": ", message), code};
}

/// The words between the tags, in a row, without what scripts and styles contain.
std::string WordsOfHtml(std::string_view body) {
  std::string words;
  while (!body.empty() && words.size() < kMaxWords) {
    const size_t tag = body.find('<');
    for (const char c : body.substr(0, tag)) {
      const bool blank = c == ' ' || c == '\n' || c == '\r' || c == '\t';
      if (!blank) words += c;
      if (blank && !words.empty() && words.back() != ' ') words += ' ';
    }
    if (!words.empty() && words.back() != ' ') words += ' ';
    if (tag == std::string_view::npos) break;
    body.remove_prefix(tag);
    for (const std::string_view name : {"script", "style"}) {
      if (!body.starts_with(StrCat("<", name))) continue;
      body.remove_prefix(std::min(body.size(), body.find(StrCat("</", name))));
    }
    const size_t end = body.find('>');
    body.remove_prefix(end == std::string_view::npos ? body.size() : end + 1);
  }
  while (!words.empty() && words.back() == ' ') words.pop_back();
  return words;
}

bool IsHtml(const HttpResponseHead& head, std::string_view body) {
  return head.Header("content-type").find("html") != std::string_view::npos ||
         body.starts_with("<!") || body.starts_with("<html") || body.starts_with("<HTML");
}

Story TellFromBody(const HttpResponse& response) {
  std::string_view body = response.body;
  body = body.substr(0, kMaxBodyRead);
  const size_t begin = body.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (begin == std::string_view::npos) return {};
  body.remove_prefix(begin);
  if (IsHtml(response.head, body)) {
    return {StrCat("a proxy or gateway answered: ", WordsOfHtml(body)), {}};
  }
  if (body.front() == '{') return FromJson(body);
  if (body.front() == '<') return FromXml(body);
  return {};
}

Story Tell(const HttpResponse& response) {
  Story story = TellFromBody(response);
  for (const std::string_view name : kTextHeaders) {
    const std::string_view text = response.head.Header(name);
    if (text.empty()) continue;
    story.text = text;
    break;
  }
  return story;
}

bool TellsOfLostSession(const HttpResponse& response) {
  return response.head.status == 400 &&
         std::any_of(kTextHeaders.begin(), kTextHeaders.end(), [&](std::string_view name) {
           return response.head.Header(name).find("Invalid SessionHandle") !=
                  std::string_view::npos;
         });
}

}  // namespace

Status ToStatus(const HttpResponse& response, const SecretUrl& url) {
  const Story story = Tell(response);
  const std::string text = Scrub(story.text);
  std::string message = StrCat(url.Host(), " answered HTTP ", response.head.status);
  if (!text.empty()) message += StrCat(": ", text);
  Status status(CodeOf(response.head.status), std::move(message));
  status = status.WithHttpStatus(response.head.status);
  if (!story.error_class.empty()) status = status.WithErrorClass(Scrub(story.error_class, 100));
  if (!TellsOfLostSession(response)) return status;
  return status.WithCode(StatusCode::kInvalidState).WithSessionLost();
}

}  // namespace dbx
