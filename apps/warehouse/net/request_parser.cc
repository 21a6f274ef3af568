// SPDX-License-Identifier: Apache-2.0
#include "net/request_parser.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/str_cat.h"
#include "net/http_text.h"

namespace dbx::local {
namespace {

constexpr size_t kMaxSizeLine = 4096;  // chunk extensions are allowed and ignored

Status Refuse(int http_status, std::string message) {
  return Status::InvalidData(std::move(message)).WithHttpStatus(http_status);
}

bool IsToken(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](unsigned char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           kMarks.find(static_cast<char>(c)) != std::string_view::npos;
  });
}

bool HasControlCharacter(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7f; });
}

Status ParseTarget(std::string_view target, HttpRequest& request) {
  // A client behind a proxy setting sends the whole URL.
  const size_t scheme = target.find("://");
  if (!target.starts_with('/') && scheme != std::string_view::npos) {
    const size_t path = target.find('/', scheme + 3);
    target = path == std::string_view::npos ? "/" : target.substr(path);
  }
  if (!target.starts_with('/') && target != "*") return Refuse(400, "request target is no path");
  const size_t question = target.find('?');
  request.path = std::string(target.substr(0, question));
  if (question != std::string_view::npos) request.query = std::string(target.substr(question + 1));
  return Status::Ok();
}

Status ParseRequestLine(std::string_view line, RequestHead& head) {
  const size_t first = line.find(' ');
  const size_t last = line.rfind(' ');
  if (first == std::string_view::npos || last == first || HasControlCharacter(line)) {
    return Refuse(400, "request line is not METHOD TARGET VERSION");
  }
  const std::string_view method = line.substr(0, first);
  const std::string_view version = line.substr(last + 1);
  if (!IsToken(method)) return Refuse(400, "method is no token");
  if (version != "HTTP/1.1" && version != "HTTP/1.0") {
    return Refuse(505, "only HTTP/1.1 and HTTP/1.0 are spoken here");
  }
  head.request.method = std::string(method);
  head.keep_alive = version == "HTTP/1.1";
  return ParseTarget(line.substr(first + 1, last - first - 1), head.request);
}

Status ParseHeaderLine(std::string_view line, RequestHead& head) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos || !IsToken(line.substr(0, colon))) {
    return Refuse(400, "header line is not NAME: VALUE");
  }
  const std::string_view value = Trim(line.substr(colon + 1));
  if (HasControlCharacter(value)) return Refuse(400, "control character in a header");
  head.request.headers.emplace_back(std::string(line.substr(0, colon)), std::string(value));
  return Status::Ok();
}

Status ParseContentLength(std::string_view text, bool seen, RequestHead& head) {
  uint64_t length = 0;
  const char* const last = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), last, length);
  if (failure != std::errc() || stop != last) return Refuse(400, "Content-Length is no number");
  if (seen && length != head.content_length) return Refuse(400, "two values of Content-Length");
  if (length > kMaxBodyBytes) return Refuse(413, StrCat("body of ", length, " bytes is too long"));
  head.content_length = length;
  return Status::Ok();
}

Status ReadFraming(RequestHead& head) {
  bool has_length = false;
  for (const auto& [name, value] : head.request.headers) {
    if (EqualIgnoringCase(name, "content-length")) {
      RETURN_IF_ERROR(ParseContentLength(value, has_length, head));
      has_length = true;
    } else if (EqualIgnoringCase(name, "transfer-encoding")) {
      if (!EqualIgnoringCase(value, "chunked")) return Refuse(501, "transfer coding is not known");
      head.chunked = true;
    } else if (EqualIgnoringCase(name, "connection")) {
      if (ListHasToken(value, "close")) head.keep_alive = false;
      if (ListHasToken(value, "keep-alive")) head.keep_alive = true;
    } else if (EqualIgnoringCase(name, "expect")) {
      head.expects_continue = EqualIgnoringCase(value, "100-continue");
    }
  }
  if (head.chunked && has_length) return Refuse(400, "Content-Length beside chunked coding");
  return Status::Ok();
}

// The line at the front without its end, or nothing while its end has not come.
struct Line {
  std::string_view text;
  size_t size_with_end = 0;  // 0: incomplete
};
Line TakeLine(std::string_view bytes) {
  const size_t end = bytes.find('\n');
  if (end == std::string_view::npos) return {};
  std::string_view text = bytes.substr(0, end);
  if (text.ends_with('\r')) text.remove_suffix(1);
  return {text, end + 1};
}

}  // namespace

size_t FindHeadEnd(std::string_view bytes, size_t searched) {
  const size_t end = bytes.find("\r\n\r\n", searched < 3 ? 0 : searched - 3);
  return end == std::string_view::npos ? 0 : end + 4;
}

Result<RequestHead> ParseRequestHead(std::string_view text) {
  RequestHead head;
  Line line = TakeLine(text);
  RETURN_IF_ERROR(ParseRequestLine(line.text, head));
  text.remove_prefix(line.size_with_end);
  while (true) {
    line = TakeLine(text);
    if (line.text.empty()) break;
    RETURN_IF_ERROR(ParseHeaderLine(line.text, head));
    text.remove_prefix(line.size_with_end);
  }
  RETURN_IF_ERROR(ReadFraming(head));
  return head;
}

Result<size_t> ChunkedDecoder::Feed(std::string_view bytes, std::string& body) {
  size_t used = 0;
  while (!done()) {
    ASSIGN_OR_RETURN(size_t step, Step(bytes.substr(used), body));
    if (step == 0) break;
    used += step;
  }
  return used;
}

Result<size_t> ChunkedDecoder::Step(std::string_view bytes, std::string& body) {
  if (state_ == State::kData) {
    const size_t taken = static_cast<size_t>(std::min<uint64_t>(left_in_chunk_, bytes.size()));
    body.append(bytes.substr(0, taken));
    left_in_chunk_ -= taken;
    if (left_in_chunk_ == 0) state_ = State::kDataEnd;
    return taken;
  }
  const Line line = TakeLine(bytes);
  if (line.size_with_end == 0) {
    if (bytes.size() > kMaxSizeLine) return Refuse(400, "line of the chunked coding is too long");
    return size_t{0};
  }
  if (state_ == State::kSize) {
    RETURN_IF_ERROR(TakeSizeLine(line.text, body.size()));
  } else if (state_ == State::kDataEnd) {
    if (!line.text.empty()) return Refuse(400, "chunk is longer than its size");
    state_ = State::kSize;
  } else {  // trailer fields are read over
    trailer_bytes_ += line.size_with_end;
    if (trailer_bytes_ > kMaxHeadBytes) return Refuse(400, "trailer is too long");
    if (line.text.empty()) state_ = State::kDone;
  }
  return line.size_with_end;
}

Status ChunkedDecoder::TakeSizeLine(std::string_view line, uint64_t body_bytes) {
  const std::string_view digits = Trim(line.substr(0, line.find(';')));
  const char* const last = digits.data() + digits.size();
  const auto [stop, failure] = std::from_chars(digits.data(), last, left_in_chunk_, 16);
  if (failure != std::errc() || stop != last) return Refuse(400, "chunk size is no number");
  if (left_in_chunk_ > kMaxBodyBytes - body_bytes) return Refuse(413, "chunked body is too long");
  state_ = left_in_chunk_ == 0 ? State::kTrailer : State::kData;
  return Status::Ok();
}

}  // namespace dbx::local
