// SPDX-License-Identifier: Apache-2.0
#include "net/http_text.h"

#include <openssl/rand.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <vector>

namespace dbx::local {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

char Lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

int HexValue(char c) {
  const size_t at = kHexDigits.find(Lower(c));
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

std::string FormatTime(WallTime time, const char* format) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[64];
  return {text, std::strftime(text, sizeof(text), format, &parts)};
}

std::string Hex(const std::vector<unsigned char>& bytes) {
  std::string text;
  for (const unsigned char byte : bytes) {
    text.push_back(kHexDigits[byte >> 4]);
    text.push_back(kHexDigits[byte & 15]);
  }
  return text;
}

std::vector<unsigned char> RandomBytes(size_t num_bytes) {
  std::vector<unsigned char> bytes(num_bytes);
  RAND_bytes(bytes.data(), static_cast<int>(num_bytes));
  return bytes;
}

}  // namespace

std::string_view Trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool EqualIgnoringCase(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return Lower(x) == Lower(y); });
}

bool ListHasToken(std::string_view list, std::string_view token) {
  while (!list.empty()) {
    const size_t comma = list.find(',');
    if (EqualIgnoringCase(Trim(list.substr(0, comma)), token)) return true;
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
  }
  return false;
}

std::string_view ReasonPhrase(int status) {
  switch (status) {
    case 100:
      return "Continue";
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 204:
      return "No Content";
    case 206:
      return "Partial Content";
    case 301:
      return "Moved Permanently";
    case 302:
      return "Found";
    case 304:
      return "Not Modified";
    case 307:
      return "Temporary Redirect";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 412:
      return "Precondition Failed";
    case 413:
      return "Payload Too Large";
    case 416:
      return "Range Not Satisfiable";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 502:
      return "Bad Gateway";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Status";
  }
}

std::string HttpDate(WallTime time) {
  return FormatTime(time, "%a, %d %b %Y %H:%M:%S GMT");
}
std::string IsoTime(WallTime time) {
  return FormatTime(time, "%Y-%m-%dT%H:%M:%SZ");
}
std::string CompactTime(WallTime time) {
  return FormatTime(time, "%Y%m%dT%H%M%SZ");
}

std::optional<WallTime> ParseUtcTime(std::string_view text) {
  for (const char* format : {"%Y%m%dT%H%M%SZ", "%Y-%m-%dT%H:%M:%SZ"}) {
    const std::string copy(text);
    std::tm parts{};
    const char* const end = strptime(copy.c_str(), format, &parts);
    if (end == copy.c_str() + copy.size()) {
      return std::chrono::system_clock::from_time_t(timegm(&parts));
    }
  }
  return std::nullopt;
}

std::optional<std::string_view> QueryValue(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const size_t end = query.find('&');
    const std::string_view pair = query.substr(0, end);
    const size_t equals = pair.find('=');
    if (pair.substr(0, equals) == name) {
      return equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1);
    }
    if (end == std::string_view::npos) break;
    query.remove_prefix(end + 1);
  }
  return std::nullopt;
}

std::string PercentDecode(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && HexValue(text[i + 1]) >= 0 &&
        HexValue(text[i + 2]) >= 0) {
      decoded.push_back(static_cast<char>(HexValue(text[i + 1]) * 16 + HexValue(text[i + 2])));
      i += 2;
    } else {
      decoded.push_back(text[i]);
    }
  }
  return decoded;
}

std::string PercentEncode(std::string_view text) {
  constexpr std::string_view kPlainMarks = "-._~";
  std::string encoded;
  for (const char c : text) {
    const bool plain = (c >= '0' && c <= '9') || (Lower(c) >= 'a' && Lower(c) <= 'z') ||
                       kPlainMarks.find(c) != std::string_view::npos;
    if (plain) {
      encoded.push_back(c);
    } else {
      const auto byte = static_cast<unsigned char>(c);
      encoded += {'%', "0123456789ABCDEF"[byte >> 4], "0123456789ABCDEF"[byte & 15]};
    }
  }
  return encoded;
}

std::optional<uint64_t> ParseNumber(std::string_view text) {
  uint64_t number = 0;
  const char* const last = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), last, number);
  if (failure != std::errc() || stop != last) return std::nullopt;
  return number;
}

std::string RandomHex(size_t num_bytes) {
  return Hex(RandomBytes(num_bytes));
}

std::string RandomUuid() {
  std::vector<unsigned char> bytes = RandomBytes(16);
  bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0f) | 0x40);
  bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3f) | 0x80);
  std::string text = Hex(bytes);
  for (const size_t at : {8, 13, 18, 23}) text.insert(at, 1, '-');
  return text;
}

}  // namespace dbx::local
