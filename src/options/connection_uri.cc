// SPDX-License-Identifier: Apache-2.0
#include "options/connection_uri.h"

#include "base/str_cat.h"
#include "options/option_text.h"
#include "options/option_value.h"

namespace dbx {
namespace {

constexpr std::string_view kJdbcPrefix = "jdbc:databricks://";

Status Malformed(std::string_view what) {
  return Status::InvalidArgument(StrCat("uri: ", what));
}

bool TakePrefix(std::string_view& text, std::string_view prefix) {
  if (ToLower(text.substr(0, prefix.size())) != prefix) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// Takes the scheme off `rest`.
Status TakeScheme(std::string_view& rest, bool* tls) {
  for (const std::string_view scheme :
       {"databricks://", "databricks+https://", "databricks:", "https://"}) {
    if (TakePrefix(rest, scheme)) {
      if (scheme == "databricks:") {  // what follows may be a URI of its own
        if (TakePrefix(rest, "http://")) *tls = false;
        TakePrefix(rest, "https://");
      }
      return Status::Ok();
    }
  }
  if (TakePrefix(rest, "databricks+http://") || TakePrefix(rest, "http://")) {
    *tls = false;
    return Status::Ok();
  }
  const size_t scheme_end = rest.find("://");
  if (scheme_end != std::string_view::npos &&
      rest.substr(0, scheme_end).find_first_of("/?@") == std::string_view::npos) {
    return Malformed("the scheme must be databricks, https or http");
  }
  return Status::Ok();
}

Status TakeUser(std::string_view user, ConnectionUri& uri) {
  const size_t colon = user.find(':');
  const std::string name = PercentDecode(user.substr(0, colon));
  if (name != "token") {
    return Malformed(
        "the user part must be token:<token>; put OAuth clients into clientId and clientSecret");
  }
  if (colon != std::string_view::npos && colon + 1 < user.size()) {
    uri.options.emplace_back("databricks.access_token", PercentDecode(user.substr(colon + 1)));
  }
  return Status::Ok();
}

Status TakeAuthority(std::string_view authority, ConnectionUri& uri) {
  if (const size_t at = authority.rfind('@'); at != std::string_view::npos) {
    RETURN_IF_ERROR(TakeUser(authority.substr(0, at), uri));
    authority.remove_prefix(at + 1);
  }
  size_t colon = authority.rfind(':');
  const size_t bracket = authority.rfind(']');
  if (bracket != std::string_view::npos && colon != std::string_view::npos && colon < bracket) {
    colon = std::string_view::npos;  // the colons of an IPv6 address
  }
  const std::string_view host = authority.substr(0, colon);
  if (host.empty()) return Malformed("the host is missing");
  uri.options.emplace_back("databricks.server_hostname", std::string(host));
  if (colon != std::string_view::npos) {
    ASSIGN_OR_RETURN(const int64_t port,
                     ParseInt("uri: port", authority.substr(colon + 1), 1, 65'535, ""));
    uri.options.emplace_back("databricks.port", StrCat(port));
  } else if (!uri.tls) {
    uri.options.emplace_back("databricks.port", "80");
  }
  return Status::Ok();
}

/// "name=value" pairs between `separator`s.
Status TakePairs(std::string_view text, char separator, bool decode, ConnectionUri& uri) {
  while (!text.empty()) {
    const size_t end = text.find(separator);
    const std::string_view pair = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (pair.empty()) continue;
    const size_t equals = pair.find('=');
    if (equals == std::string_view::npos || equals == 0)
      return Malformed("a parameter has no name or no value");
    std::string name(pair.substr(0, equals));
    std::string value(pair.substr(equals + 1));
    if (decode) {
      for (char& c : value) {
        if (c == '+') c = ' ';
      }
    }
    uri.options.emplace_back(decode ? PercentDecode(name) : name,
                             decode ? PercentDecode(value) : value);
  }
  return Status::Ok();
}

/// JDBC's names for what has a name here.
std::string FromJdbcName(const std::string& name) {
  const std::string lower = ToLower(name);
  if (lower == "pwd" || lower == "auth_accesstoken" || lower == "password")
    return "databricks.access_token";
  if (lower == "httppath") return "databricks.http_path";
  if (lower == "conncatalog") return "databricks.catalog";
  if (lower == "connschema") return "databricks.schema";
  return name;
}

bool IsJdbcNoise(const std::string& name) {
  const std::string lower = ToLower(name);
  return lower == "authmech" || lower == "ssl" || lower == "transportmode" || lower == "uid" ||
         lower == "auth_flow";
}

Result<ConnectionUri> ParseJdbc(std::string_view rest) {
  ConnectionUri uri;
  const size_t semicolon = rest.find(';');
  std::string_view place = rest.substr(0, semicolon);
  const size_t slash = place.find('/');
  RETURN_IF_ERROR(TakeAuthority(place.substr(0, slash), uri));
  if (slash != std::string_view::npos && slash + 1 < place.size()) {
    uri.options.emplace_back("databricks.schema", std::string(place.substr(slash + 1)));
  }
  if (semicolon == std::string_view::npos) return uri;
  ConnectionUri pairs;
  RETURN_IF_ERROR(TakePairs(rest.substr(semicolon + 1), ';', false, pairs));
  for (auto& [name, value] : pairs.options) {
    if (!IsJdbcNoise(name)) uri.options.emplace_back(FromJdbcName(name), std::move(value));
  }
  return uri;
}

}  // namespace

Result<ConnectionUri> ParseConnectionUri(std::string_view text) {
  std::string_view rest = text;
  if (TakePrefix(rest, kJdbcPrefix)) return ParseJdbc(rest);
  ConnectionUri uri;
  RETURN_IF_ERROR(TakeScheme(rest, &uri.tls));
  rest = rest.substr(0, rest.find('#'));
  const size_t question = rest.find('?');
  const std::string_view place = rest.substr(0, question);
  const size_t slash = place.find('/');
  RETURN_IF_ERROR(TakeAuthority(place.substr(0, slash), uri));
  if (slash != std::string_view::npos && slash + 1 < place.size()) {
    uri.options.emplace_back("databricks.http_path", PercentDecode(place.substr(slash)));
  }
  if (question != std::string_view::npos)
    RETURN_IF_ERROR(TakePairs(rest.substr(question + 1), '&', true, uri));
  return uri;
}

}  // namespace dbx
