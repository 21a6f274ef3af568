// SPDX-License-Identifier: Apache-2.0
#include "options/resolve.h"

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "base/str_cat.h"
#include "options/connection_uri.h"
#include "options/profile_file.h"

namespace dbx {
namespace {

using Values = std::map<std::string, std::string, std::less<>>;

constexpr std::string_view kHostKey = "databricks.server_hostname";
constexpr std::string_view kPortKey = "databricks.port";
constexpr std::string_view kPathKey = "databricks.http_path";
constexpr std::string_view kWarehouseKey = "databricks.warehouse_id";
constexpr std::string_view kWarehousePath = "/sql/1.0/warehouses/";
constexpr std::string_view kEndpointPath = "/sql/1.0/endpoints/";

/// Puts `name` = `text` under its canonical key unless this source has given that already.
Status Add(std::string_view name, std::string_view text, Values& values) {
  if (std::string setting = SessionSettingKey(name); !setting.empty()) {
    values.try_emplace(std::move(setting), text);
    return Status::Ok();
  }
  const OptionAlias* alias = nullptr;
  const OptionRow* row = FindOption(name, &alias);
  if (row == nullptr) {
    const std::string_view nearest = NearestOption(name);
    return Status::InvalidArgument(
        StrCat("unknown option '", name, "'",
               nearest.empty() ? "" : StrCat("; did you mean '", nearest, "'?")));
  }
  ASSIGN_OR_RETURN(std::string canonical, CanonicalText(*row, alias, text));
  values.try_emplace(std::string(row->key), std::move(canonical));
  return Status::Ok();
}

/// Adds what a weaker source says to what is not said yet. A path and a warehouse's id say the same
/// thing, so that a weaker source's path cannot contradict a stronger one's id.
void Merge(const Values& weaker, Values& values) {
  const bool has_place = values.contains(kPathKey) || values.contains(kWarehouseKey);
  for (const auto& [key, text] : weaker) {
    if (has_place && (key == kPathKey || key == kWarehouseKey)) continue;
    values.try_emplace(key, text);
  }
}

Status AddUri(Values& values, bool* tls) {
  const auto found = values.find("uri");
  if (found == values.end()) return Status::Ok();
  ASSIGN_OR_RETURN(const ConnectionUri uri, ParseConnectionUri(found->second));
  *tls = uri.tls;
  Values layer;
  for (const auto& [name, text] : uri.options) {
    if (name == "o") {  // the organisation's number stays with the path, where the service wants it
      if (auto path = layer.find(kPathKey); path != layer.end())
        path->second = StrCat(path->second, "?o=", text);
      continue;
    }
    RETURN_IF_ERROR(Add(name, text, layer).WithContext("uri"));
  }
  Merge(layer, values);
  return Status::Ok();
}

Status AddEnvironment(const OptionSources& sources, Values& values) {
  Values layer;
  for (const OptionRow& row : OptionTable()) {
    if (row.environment.empty()) continue;
    const std::optional<std::string> text = sources.environment(std::string(row.environment));
    if (text && !text->empty())
      RETURN_IF_ERROR(Add(row.key, *text, layer).WithContext(row.environment));
  }
  const std::optional<std::string> host = sources.environment("DATABRICKS_HOST");
  if (host && !host->empty())
    RETURN_IF_ERROR(Add(kHostKey, *host, layer).WithContext("DATABRICKS_HOST"));
  Merge(layer, values);
  return Status::Ok();
}

Status AddProfile(const OptionSources& sources, Values& values) {
  const auto profile = values.find("databricks.profile");
  const auto file = values.find("databricks.config_file");
  if (profile == values.end() && file == values.end()) return Status::Ok();
  const std::string path =
      file != values.end() ? file->second
                           : StrCat(sources.environment("HOME").value_or(""), "/.databrickscfg");
  const std::string section = profile != values.end() ? profile->second : "DEFAULT";
  ASSIGN_OR_RETURN(const std::string text, sources.read_file(path));
  Result<std::map<std::string, std::string>> entries = ReadProfile(text, section);
  if (!entries.ok())
    return entries.status()
        .WithCode(StatusCode::kInvalidArgument)
        .WithContext("databricks.profile");
  Values layer;
  for (const auto& [name, value] : *entries) {
    if (FindOption(name) != nullptr)
      RETURN_IF_ERROR(Add(name, value, layer).WithContext("profile file"));
  }
  Merge(layer, values);
  return Status::Ok();
}

/// A host may come with a scheme and a port: "https://host:8443/".
Status SplitHost(Config& config, const Values& values) {
  std::string& host = config.endpoint.host;
  if (host.starts_with("http://")) {
    config.endpoint.tls = false;
    if (!values.contains(kPortKey)) config.endpoint.port = 80;
  }
  if (const size_t scheme = host.find("://"); scheme != std::string::npos)
    host.erase(0, scheme + 3);
  if (const size_t slash = host.find('/'); slash != std::string::npos) host.erase(slash);
  const size_t colon = host.rfind(':');
  if (colon != std::string::npos && host.find(':') == colon) {
    ASSIGN_OR_RETURN(const int64_t port, ParseInt("databricks.server_hostname: port",
                                                  host.substr(colon + 1), 1, 65'535, ""));
    config.endpoint.port = static_cast<int32_t>(port);
    host.erase(colon);
  }
  if (host.empty()) {
    return Status::InvalidArgument(
        "databricks.server_hostname: is not set; give it, a uri, or DATABRICKS_HOST");
  }
  if (host.find_first_of(" @?#\\\r\n\t") != std::string::npos) {
    return Status::InvalidArgument(
        "databricks.server_hostname: holds a character that no host name has");
  }
  return Status::Ok();
}

/// "/sql/1.0/warehouses/<id>?o=7" into path, warehouse and organisation.
Status SplitPath(EndpointConfig& endpoint) {
  std::string& path = endpoint.http_path;
  if (path.empty() && endpoint.warehouse_id.empty()) {
    return Status::InvalidArgument(
        "databricks.http_path: is not set; give it or databricks.warehouse_id (the warehouse's "
        "connection details show both)");
  }
  if (path.empty()) path = StrCat(kWarehousePath, endpoint.warehouse_id);
  if (const size_t query = path.find("?o="); query != std::string::npos)
    endpoint.org_id = path.substr(query + 3);
  path = path.substr(0, path.find('?'));
  if (path.front() != '/') path.insert(0, 1, '/');
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  for (const std::string_view prefix : {kWarehousePath, kEndpointPath}) {
    if (!path.starts_with(prefix)) continue;
    const std::string id = path.substr(prefix.size());
    if (!endpoint.warehouse_id.empty() && endpoint.warehouse_id != id) {
      return Status::InvalidArgument(StrCat("databricks.warehouse_id: '", endpoint.warehouse_id,
                                            "' contradicts databricks.http_path '", path, "'"));
    }
    endpoint.warehouse_id = id;
  }
  if (const size_t org = path.find("/o/");
      endpoint.warehouse_id.empty() && org != std::string::npos) {
    endpoint.org_id = path.substr(org + 3, path.find('/', org + 3) - org - 3);
  }
  return Status::Ok();
}

bool IsLoopback(const std::string& host) {
  return host == "localhost" || host == "[::1]" || host == "::1" || host.starts_with("127.");
}

Status CheckPlaintext(const EndpointConfig& endpoint) {
  if (endpoint.tls || endpoint.allow_plaintext || IsLoopback(endpoint.host)) return Status::Ok();
  return Status::InvalidArgument(StrCat("uri: http to ", endpoint.host,
                                        " would send the token in the clear; use https, or set "
                                        "databricks.http.allow_plaintext=true"));
}

Status Apply(const Values& values, Config& config) {
  for (const OptionRow& row : OptionTable()) {
    const auto found = values.find(row.key);
    if (found == values.end()) continue;
    ASSIGN_OR_RETURN(const OptionValue value, ParseOption(row, nullptr, found->second));
    RETURN_IF_ERROR(row.apply(value, config));
  }
  for (const auto& [key, text] : values) {
    if (key.starts_with(kSessionSettingPrefix))
      config.session.settings[key.substr(kSessionSettingPrefix.size())] = text;
  }
  return Status::Ok();
}

}  // namespace

OptionSources OptionSources::Real() {
  OptionSources sources;
  sources.environment = [](const std::string& name) -> std::optional<std::string> {
    const char* const value = std::getenv(name.c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  };
  sources.read_file = [](const std::string& path) -> Result<std::string> {
    std::ifstream file(path, std::ios::binary);
    if (!file)
      return Status::InvalidArgument(StrCat("databricks.config_file: cannot read '", path, "'"));
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  };
  return sources;
}

Result<Config> ResolveConfig(std::span<const OptionSet* const> explicit_sets,
                             const OptionSources& sources) {
  Values values;
  for (size_t i = explicit_sets.size(); i > 0; --i) {
    for (const auto& [key, text] : explicit_sets[i - 1]->values()) values.try_emplace(key, text);
  }
  Config config;
  RETURN_IF_ERROR(AddUri(values, &config.endpoint.tls));
  RETURN_IF_ERROR(AddEnvironment(sources, values));
  RETURN_IF_ERROR(AddProfile(sources, values));
  RETURN_IF_ERROR(Apply(values, config));
  RETURN_IF_ERROR(SplitHost(config, values));
  RETURN_IF_ERROR(SplitPath(config.endpoint));
  RETURN_IF_ERROR(CheckPlaintext(config.endpoint));
  return config;
}

}  // namespace dbx
