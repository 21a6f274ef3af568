// SPDX-License-Identifier: Apache-2.0
#include "base/secret.h"

#include "base/str_cat.h"

namespace dbx {
namespace {

struct UrlParts {
  std::string_view scheme;     // with "://", or empty
  std::string_view authority;  // host and port, without user part
  std::string_view path;
  bool has_more = false;  // a query or a fragment follows
};

/// False for "me:pass", what is left of a URL whose password has a slash that nobody escaped.
bool HasSoundPort(std::string_view authority) {
  const size_t bracket = authority.rfind(']');
  const size_t colon = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  if (colon == std::string_view::npos) return true;
  return authority.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
}

UrlParts Split(std::string_view url) {
  UrlParts parts;
  const size_t colon = url.find("://");
  if (colon != std::string_view::npos) {
    parts.scheme = url.substr(0, colon + 3);
    url.remove_prefix(colon + 3);
  }
  const size_t end = url.find_first_of("?#");
  parts.has_more = end != std::string_view::npos;
  url = url.substr(0, end);
  const size_t slash = url.find('/');
  parts.authority = url.substr(0, slash);
  if (slash != std::string_view::npos) parts.path = url.substr(slash);
  const size_t at = parts.authority.rfind('@');
  if (at != std::string_view::npos) parts.authority.remove_prefix(at + 1);
  return parts;
}

}  // namespace

std::string SecretUrl::Redacted() const {
  const UrlParts parts = Split(url_);
  if (!HasSoundPort(parts.authority)) return StrCat(parts.scheme, "[redacted]");
  return StrCat(parts.scheme, parts.authority, parts.path, parts.has_more ? "?[redacted]" : "");
}

std::string SecretUrl::Host() const {
  const std::string_view authority = Split(url_).authority;
  if (!HasSoundPort(authority)) return "";
  if (!authority.empty() && authority.front() == '[') {
    return std::string(authority.substr(0, authority.find(']') + 1));
  }
  return std::string(authority.substr(0, authority.rfind(':')));
}

}  // namespace dbx
