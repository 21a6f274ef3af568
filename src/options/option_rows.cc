// SPDX-License-Identifier: Apache-2.0
#include "options/option_rows.h"

#include <map>

#include "base/str_cat.h"
#include "options/option_text.h"

namespace dbx {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr int64_t kDayInSeconds = 86'400;
constexpr int64_t kDayInMilliseconds = 86'400'000;
constexpr int64_t kTerabyte = int64_t{1} << 40;
constexpr auto kConnection = OptionScope::kConnection;
constexpr auto kStatement = OptionScope::kStatement;

seconds ToSeconds(const OptionValue& value) {
  return std::chrono::duration_cast<seconds>(milliseconds(value.number));
}

/// Most rows only store their value: these are their `apply` functions.
#define DBX_STORE(expression)                              \
  [](const OptionValue& value, Config& config) -> Status { \
    config.expression;                                     \
    static_cast<void>(value);                              \
    return Status::Ok();                                   \
  }

/// For options that other parts of this room read.
Status StoreNothing(const OptionValue&, Config&) {
  return Status::Ok();
}

Status StoreProtocol(const OptionValue& value, Config& config) {
  if (value.text == "thrift") config.protocol = Protocol::kThrift;
  if (value.text == "sea" || value.text == "rest") config.protocol = Protocol::kSea;
  if (value.text == "auto") config.protocol = Protocol::kAuto;
  return Status::Ok();
}

Status StoreAuthType(const OptionValue& value, Config& config) {
  static const std::map<std::string_view, AuthType> types{
      {"auto", AuthType::kAuto},
      {"access_token", AuthType::kAccessToken},
      {"token", AuthType::kAccessToken},
      {"pat", AuthType::kAccessToken},
      {"oauth_m2m", AuthType::kOauthM2m},
      {"oauthm2m", AuthType::kOauthM2m},
      {"oauth_u2m", AuthType::kOauthU2m},
      {"oauthu2m", AuthType::kOauthU2m},
      {"oauth_jwt", AuthType::kOauthJwt},
      {"token_exchange", AuthType::kTokenExchange},
      {"azure_service_principal", AuthType::kAzureServicePrincipal},
      {"azure_msi", AuthType::kAzureMsi},
      {"azure_cli", AuthType::kAzureCli},
      {"databricks_cli", AuthType::kDatabricksCli},
      {"profile", AuthType::kProfile},
      {"callback", AuthType::kCallback},
  };
  config.auth.type = types.at(value.text);
  return Status::Ok();
}

Status StoreSslMode(const OptionValue& value, Config& config) {
  config.http.tls_verify = value.text != "insecure";
  return Status::Ok();
}

Status StoreLogLevel(const OptionValue& value, Config& config) {
  static const std::map<std::string_view, LogLevel> levels{
      {"off", LogLevel::kOff},   {"error", LogLevel::kError}, {"warn", LogLevel::kWarn},
      {"info", LogLevel::kInfo}, {"debug", LogLevel::kDebug}, {"trace", LogLevel::kTrace},
  };
  config.log_level = levels.at(value.text);
  return Status::Ok();
}

/// "k:v,k2:v2,flag" with backslash escapes.
Status StoreQueryTags(const OptionValue& value, Config& config) {
  config.session.query_tags.clear();
  std::string name;
  std::string tag;
  bool in_value = false;
  auto finish = [&] {
    if (!name.empty()) config.session.query_tags[name] = tag;
    name.clear();
    tag.clear();
    in_value = false;
  };
  for (size_t i = 0; i < value.text.size(); ++i) {
    const char c = value.text[i];
    std::string& target = in_value ? tag : name;
    if (c == '\\' && i + 1 < value.text.size()) {
      target.push_back(value.text[++i]);
    } else if (c == ',') {
      finish();
    } else if (c == ':' && !in_value) {
      in_value = true;
    } else {
      target.push_back(c);
    }
  }
  finish();
  return Status::Ok();
}

Status StoreCatalog(const OptionValue& value, Config& config) {
  // "SPARK" stands for "the server's own default" in older clients.
  config.session.catalog = ToLower(value.text) == "spark" ? "" : value.text;
  return Status::Ok();
}

Status StoreProxyUrl(const OptionValue& value, Config& config) {
  std::string_view rest = value.text;
  if (const size_t scheme = rest.find("://"); scheme != std::string_view::npos)
    rest.remove_prefix(scheme + 3);
  if (const size_t at = rest.rfind('@'); at != std::string_view::npos) {
    const std::string_view user = rest.substr(0, at);
    const size_t colon = user.find(':');
    config.http.proxy_user = PercentDecode(user.substr(0, colon));
    if (colon != std::string_view::npos)
      config.http.proxy_password = Secret(PercentDecode(user.substr(colon + 1)));
    rest.remove_prefix(at + 1);
  }
  rest = rest.substr(0, rest.find('/'));
  const size_t colon = rest.rfind(':');
  if (colon == std::string_view::npos || colon == 0) {
    return Status::InvalidArgument(
        "databricks.http.proxy.url: must be http://[user:password@]host:port");
  }
  ASSIGN_OR_RETURN(const int64_t port, ParseInt("databricks.http.proxy.url: port",
                                                rest.substr(colon + 1), 1, 65'535, ""));
  config.http.proxy_host = std::string(rest.substr(0, colon));
  config.http.proxy_port = static_cast<int32_t>(port);
  return Status::Ok();
}

}  // namespace

std::vector<OptionRow> MakeOptionRows() {
  std::vector<OptionRow> rows;
  auto add = [&rows](OptionRow row) { rows.push_back(std::move(row)); };

  // Where to.
  add({.key = "uri",
       .kind = OptionKind::kUri,
       .meaning = "`databricks://token:<token>@host[:port]/sql/1.0/warehouses/"
                  "<id>?catalog=…&schema=…&<any option>`; also "
                  "`https://…` and `http://…`",
       .apply = StoreNothing});
  add({.key = "databricks.server_hostname",
       .kind = OptionKind::kText,
       .aliases = {{"adbc.spark.host"}, {"server_hostname"}, {"host"}},
       .environment = "DATABRICKS_SERVER_HOSTNAME",
       .meaning = "host of the workspace, with or without `https://`; also from `DATABRICKS_HOST`",
       .apply = DBX_STORE(endpoint.host = value.text)});
  add({.key = "databricks.port",
       .kind = OptionKind::kInt,
       .fallback = "443",
       .min = 1,
       .max = 65'535,
       .aliases = {{"adbc.spark.port"}, {"port"}, {"_port"}},
       .meaning = "port of the workspace",
       .apply = DBX_STORE(endpoint.port = static_cast<int32_t>(value.number))});
  add({.key = "databricks.http_path",
       .kind = OptionKind::kText,
       .aliases = {{"adbc.spark.path"}, {"http_path"}, {"httpPath"}, {"path"}},
       .environment = "DATABRICKS_HTTP_PATH",
       .meaning =
           "`/sql/1.0/warehouses/<id>` or, for a cluster, `/sql/protocolv1/o/<org>/<cluster>`",
       .apply = DBX_STORE(endpoint.http_path = value.text)});
  add({.key = "databricks.warehouse_id",
       .kind = OptionKind::kText,
       .aliases = {{"adbc.databricks.warehouse_id"}, {"warehouse_id"}, {"warehouseId"}},
       .environment = "DATABRICKS_WAREHOUSE_ID",
       .meaning = "id of the warehouse, in place of `databricks.http_path`",
       .apply = DBX_STORE(endpoint.warehouse_id = value.text)});
  add({.key = "databricks.protocol",
       .kind = OptionKind::kChoice,
       .fallback = "auto",
       .choices = {"auto", "thrift", "sea", "rest"},
       .aliases = {{"adbc.databricks.protocol"}},
       .meaning =
           "`thrift`, `sea` (Statement Execution API; `rest` means the same) or `auto`: Thrift "
           "for clusters; for warehouses the Statement Execution API, or Thrift where a host "
           "answers that it has none, which is remembered for the process",
       .apply = StoreProtocol});

  // Who.
  add({.key = "databricks.auth.type",
       .kind = OptionKind::kChoice,
       .fallback = "auto",
       .choices = {"auto", "access_token", "token", "pat", "oauth_m2m", "oauthm2m", "oauth_u2m",
                   "oauthu2m", "oauth_jwt", "token_exchange", "azure_service_principal",
                   "azure_msi", "azure_cli", "databricks_cli", "profile", "callback"},
       .aliases = {{"adbc.spark.auth_type"}, {"auth_type"}, {"authType"}},
       .meaning = "how to sign in; this version knows `access_token`, which `auto` takes when a "
                  "token is given",
       .apply = StoreAuthType});
  add({.key = "databricks.access_token",
       .kind = OptionKind::kSecret,
       .aliases = {{"adbc.spark.access_token"},
                   {"adbc.spark.token"},
                   {"access_token"},
                   {"accessToken"},
                   {"token"},
                   {"password"}},
       .environment = "DATABRICKS_TOKEN",
       .meaning = "personal access token or any other bearer token",
       .apply = DBX_STORE(auth.access_token = Secret(value.text))});
  add({.key = "username",
       .kind = OptionKind::kChoice,
       .fallback = "token",
       .choices = {"token"},
       .aliases = {{"UID"}},
       .meaning = "always `token`: the token itself goes into `password`",
       .apply = StoreNothing});
  add({.key = "databricks.auth.client_id",
       .kind = OptionKind::kText,
       .aliases = {{"adbc.databricks.oauth.client_id"},
                   {"databricks.oauth.client_id"},
                   {"oauth_client_id"},
                   {"clientId"},
                   {"clientID"}},
       .environment = "DATABRICKS_CLIENT_ID",
       .meaning = "OAuth client",
       .apply = DBX_STORE(auth.client_id = value.text)});
  add({.key = "databricks.auth.client_secret",
       .kind = OptionKind::kSecret,
       .aliases = {{"adbc.databricks.oauth.client_secret"},
                   {"databricks.oauth.client_secret"},
                   {"oauth_client_secret"},
                   {"clientSecret"}},
       .environment = "DATABRICKS_CLIENT_SECRET",
       .meaning = "OAuth client's secret",
       .apply = DBX_STORE(auth.client_secret = Secret(value.text))});
  add({.key = "databricks.config_file",
       .kind = OptionKind::kText,
       .environment = "DATABRICKS_CONFIG_FILE",
       .meaning = "profile file; `~/.databrickscfg` when a profile is named",
       .apply = StoreNothing});
  add({.key = "databricks.profile",
       .kind = OptionKind::kText,
       .environment = "DATABRICKS_CONFIG_PROFILE",
       .meaning = "section of the profile file that gives host, token and the like",
       .apply = StoreNothing});

  // The session.
  add({.key = "databricks.catalog",
       .kind = OptionKind::kText,
       .lowest = kConnection,
       .aliases = {{"adbc.connection.catalog"}, {"catalog"}, {"initialCatalog"}, {"ConnCatalog"}},
       .meaning = "catalog that the session starts in",
       .apply = StoreCatalog});
  add({.key = "databricks.schema",
       .kind = OptionKind::kText,
       .lowest = kConnection,
       .aliases = {{"adbc.connection.db_schema"}, {"schema"}, {"initialSchema"}, {"ConnSchema"}},
       .meaning = "schema that the session starts in",
       .apply = DBX_STORE(session.schema = value.text)});
  add({.key = "databricks.query_tags",
       .kind = OptionKind::kText,
       .lowest = kStatement,
       .aliases = {{"adbc.databricks.query_tags"}, {"query_tags"}, {"QUERY_TAGS"}, {"queryTags"}},
       .meaning = "`name:value,name:value`: tags of statements in the query history; a backslash "
                  "takes the meaning from "
                  "`,` and `:`",
       .apply = StoreQueryTags});

  // Statements.
  add({.key = "databricks.query.timeout",
       .kind = OptionKind::kSeconds,
       .fallback = "0",
       .unit = "s",
       .min = 0,
       .max = 31 * kDayInSeconds,
       .lowest = kStatement,
       .aliases = {{"adbc.apache.statement.query_timeout_s"}, {"timeout"}},
       .meaning = "the server ends a statement after this; 0: its own limit",
       .apply = DBX_STORE(statement.query_timeout = ToSeconds(value))});
  add({.key = "databricks.query.bind_by_name",
       .kind = OptionKind::kBool,
       .fallback = "false",
       .lowest = kStatement,
       .aliases = {{"adbc.statement.bind_by_name"}},
       .meaning =
           "bound columns belong to the markers `:name` of their names; false: to the markers "
           "`?` in their order",
       .apply = DBX_STORE(statement.bind_by_name = value.flag)});
  add({.key = "databricks.query.max_rows",
       .kind = OptionKind::kInt,
       .fallback = "2000000",
       .unit = "rows",
       .min = 1,
       .max = int64_t{1} << 40,
       .lowest = kStatement,
       .aliases = {{"adbc.apache.statement.batch_size"},
                   {"maxRows"},
                   {"arraysize"},
                   {"RowsFetchedPerBlock"}},
       .meaning =
           "most rows asked for with one page of a result (Thrift); never a limit of the result",
       .apply = DBX_STORE(statement.page_rows = value.number)});
  add({.key = "databricks.query.max_bytes",
       .kind = OptionKind::kBytes,
       .fallback = "400MB",
       .unit = "bytes",
       .min = 1 << 16,
       .max = kTerabyte,
       .lowest = kStatement,
       .aliases = {{"adbc.databricks.max_bytes_per_fetch_request"}},
       .meaning = "most bytes asked for with one page of a result (Thrift)",
       .apply = DBX_STORE(statement.page_bytes = value.number)});
  add({.key = "databricks.query.direct_rows",
       .kind = OptionKind::kInt,
       .fallback = "500000",
       .unit = "rows",
       .min = 0,
       .max = int64_t{1} << 40,
       .lowest = kStatement,
       .meaning = "most rows that may come with the reply to the statement itself; 0: none",
       .apply = DBX_STORE(statement.direct_result_rows = value.number)});
  add({.key = "databricks.query.poll_interval_ms",
       .kind = OptionKind::kMilliseconds,
       .fallback = "100",
       .unit = "ms",
       .min = 1,
       .max = 60'000,
       .lowest = kStatement,
       .aliases = {{"adbc.apache.statement.polltime_ms"}, {"AsyncExecPollInterval"}},
       .meaning = "first pause between two looks at a running statement; grows to ten times this",
       .apply = DBX_STORE(statement.poll_interval = milliseconds(value.number))});
  add({.key = "databricks.query.heartbeat_interval",
       .kind = OptionKind::kSeconds,
       .fallback = "60",
       .unit = "s",
       .min = 1,
       .max = kDayInSeconds,
       .lowest = kStatement,
       .aliases = {{"adbc.databricks.fetch_heartbeat_interval"}},
       .meaning = "how often the server is told that an unread result is still wanted",
       .apply = DBX_STORE(statement.heartbeat_interval = milliseconds(value.number))});
  add({.key = "databricks.result.batch_rows",
       .kind = OptionKind::kInt,
       .fallback = "0",
       .unit = "rows",
       .min = 0,
       .max = 1 << 24,
       .lowest = kStatement,
       .aliases = {{"databricks.cloudfetch.batch_merge_target_rows"}},
       .meaning =
           "0: batches as the server cut them; else small ones are joined up to this many rows",
       .apply = DBX_STORE(statement.batch_rows = value.number)});

  // CloudFetch.
  add({.key = "databricks.cloudfetch.enabled",
       .kind = OptionKind::kBool,
       .fallback = "true",
       .lowest = kStatement,
       .aliases = {{"adbc.databricks.cloudfetch.enabled"},
                   {"useCloudFetch"},
                   {"use_cloud_fetch"},
                   {"EnableQueryResultDownload"}},
       .meaning = "results may come as links to storage; false: through the workspace only",
       .apply = DBX_STORE(cloudfetch.enabled = value.flag)});
  add({.key = "databricks.cloudfetch.lz4.enabled",
       .kind = OptionKind::kBool,
       .fallback = "true",
       .lowest = kStatement,
       .aliases = {{"adbc.databricks.cloudfetch.lz4.enabled"},
                   {"enable_query_result_lz4_compression"},
                   {"useLZ4Compression"}},
       .meaning = "ask for LZ4",
       .apply = DBX_STORE(cloudfetch.lz4 = value.flag)});
  add({.key = "databricks.cloudfetch.parallel_downloads",
       .kind = OptionKind::kIntOrAuto,
       .fallback = "auto",
       .unit = "downloads",
       .min = 1,
       .max = 256,
       .lowest = kStatement,
       .aliases = {{"adbc.databricks.cloudfetch.parallel_downloads"},
                   {"databricks.cloudfetch.max_chunks_in_memory"},
                   {"databricks.download_thread_count"},
                   {"maxDownloadThreads"},
                   {"max_download_threads"},
                   {"cloudFetchThreadPoolSize"},
                   {"cloudFetchConcurrentDownloads"}},
       .meaning = "downloads at once; `auto` begins with 16 and follows what more or fewer bring, "
                  "up to 64",
       .apply = [](const OptionValue& value, Config& config) -> Status {
         config.cloudfetch.parallel_downloads.reset();
         if (!value.is_auto)
           config.cloudfetch.parallel_downloads = static_cast<int32_t>(value.number);
         return Status::Ok();
       }});
  add({.key = "databricks.cloudfetch.prefetch_count",
       .kind = OptionKind::kInt,
       .fallback = "16",
       .unit = "chunks",
       .min = 1,
       .max = 1'024,
       .lowest = kStatement,
       .aliases = {{"adbc.databricks.cloudfetch.prefetch_count"}},
       .meaning = "chunks in order ahead of the reader are twice this; more when "
                  "`parallel_downloads` is `auto` and has found more downloads worth having",
       .apply = DBX_STORE(cloudfetch.prefetch_count = static_cast<int32_t>(value.number))});
  add({.key = "databricks.cloudfetch.memory_buffer_size_mb",
       .kind = OptionKind::kMegabytes,
       .fallback = "400",
       .unit = "MiB",
       .min = 1,
       .max = 65'536,
       .lowest = kStatement,
       .aliases = {{"adbc.databricks.cloudfetch.memory_buffer_size_mb"}},
       .meaning = "budget for compressed and decoded bytes that exist at one time",
       .apply = DBX_STORE(cloudfetch.memory_buffer_bytes = value.number)});
  add({.key = "databricks.cloudfetch.link_prefetch_window",
       .kind = OptionKind::kInt,
       .fallback = "128",
       .unit = "links",
       .min = 1,
       .max = 10'000,
       .lowest = kStatement,
       .meaning = "links known ahead of the reader",
       .apply = DBX_STORE(cloudfetch.link_prefetch_window = static_cast<int32_t>(value.number))});
  add({.key = "databricks.cloudfetch.timeout",
       .kind = OptionKind::kSeconds,
       .fallback = "900",
       .unit = "s",
       .min = 1,
       .max = kDayInSeconds,
       .lowest = kStatement,
       .aliases = {{"adbc.databricks.cloudfetch.timeout_minutes", 60}},
       .meaning = "for one file, from its first request to its last byte",
       .apply = DBX_STORE(cloudfetch.timeout = milliseconds(value.number))});
  add({.key = "databricks.cloudfetch.stall_timeout",
       .kind = OptionKind::kSeconds,
       .fallback = "5",
       .unit = "s",
       .min = 1,
       .max = 3'600,
       .lowest = kStatement,
       .meaning = "a download without a byte for this long is started again",
       .apply = DBX_STORE(cloudfetch.stall_timeout = milliseconds(value.number))});
  add({.key = "databricks.cloudfetch.retry_budget",
       .kind = OptionKind::kSeconds,
       .fallback = "300",
       .unit = "s",
       .min = 0,
       .max = kDayInSeconds,
       .lowest = kStatement,
       .aliases = {{"adbc.databricks.cloudfetch.retry_timeout_seconds"}},
       .meaning = "time for retries of one file",
       .apply = DBX_STORE(cloudfetch.retry_budget = milliseconds(value.number))});
  add({.key = "databricks.cloudfetch.expiry_margin",
       .kind = OptionKind::kSeconds,
       .fallback = "60",
       .unit = "s",
       .min = 0,
       .max = 3'600,
       .lowest = kStatement,
       .aliases = {{"adbc.databricks.cloudfetch.url_expiration_buffer_seconds"}},
       .meaning = "a link this near its end is asked for anew before it is used",
       .apply = DBX_STORE(cloudfetch.expiry_margin = ToSeconds(value))});
  add({.key = "databricks.cloudfetch.range_resume",
       .kind = OptionKind::kBool,
       .fallback = "true",
       .lowest = kStatement,
       .meaning = "a broken download goes on where it broke off; last files that are slow come in "
                  "two halves at once",
       .apply = DBX_STORE(cloudfetch.range_resume = value.flag)});
  add({.key = "databricks.cloudfetch.hedge",
       .kind = OptionKind::kBool,
       .fallback = "true",
       .lowest = kStatement,
       .meaning =
           "a file that the reader needs soon and that is late is asked for a second time, from "
           "the byte that is missing; needs `range_resume`",
       .apply = DBX_STORE(cloudfetch.hedge = value.flag)});
  add({.key = "databricks.cloudfetch.ordered",
       .kind = OptionKind::kBool,
       .fallback = "true",
       .lowest = kStatement,
       .meaning = "rows come in the result's order; always so in this version",
       .apply = DBX_STORE(cloudfetch.ordered = value.flag)});

  // HTTP.
  add({.key = "databricks.http.connect_timeout_ms",
       .kind = OptionKind::kMilliseconds,
       .fallback = "30000",
       .unit = "ms",
       .min = 1,
       .max = kDayInMilliseconds,
       .aliases = {{"adbc.spark.connect_timeout_ms"}},
       .meaning = "until a connection stands",
       .apply = DBX_STORE(http.connect_timeout = milliseconds(value.number))});
  add({.key = "databricks.http.request_timeout_ms",
       .kind = OptionKind::kMilliseconds,
       .fallback = "900000",
       .unit = "ms",
       .min = 1,
       .max = kDayInMilliseconds,
       .aliases = {{"databricks.http.read_timeout_ms"},
                   {"adbc.databricks.http_request_timeout", 1000},
                   {"_socket_timeout", 1000},
                   {"socketTimeout", 1000}},
       .meaning = "for one request to the workspace",
       .apply = DBX_STORE(http.request_timeout = milliseconds(value.number))});
  add({.key = "databricks.http.allow_plaintext",
       .kind = OptionKind::kBool,
       .fallback = "false",
       .meaning = "lets `http://` go to hosts other than the loopback; the token then travels in "
                  "the clear",
       .apply = DBX_STORE(endpoint.allow_plaintext = value.flag)});
  add({.key = "databricks.http.user_agent_entry",
       .kind = OptionKind::kText,
       .aliases = {{"adbc.spark.user_agent_entry"},
                   {"user_agent_entry"},
                   {"userAgentEntry"},
                   {"UserAgentEntry"}},
       .meaning = "name of the application, added to the user agent",
       .apply = DBX_STORE(http.user_agent_entry = value.text)});
  add({.key = "databricks.http.tls.trusted_certificate_path",
       .kind = OptionKind::kText,
       .aliases = {{"adbc.http_options.tls.trusted_certificate_path"},
                   {"databricks.ssl_root_cert"},
                   {"_tls_trusted_ca_file"},
                   {"customCaCert"}},
       .meaning = "PEM file of authorities to trust in place of the system's",
       .apply = DBX_STORE(http.tls_ca_file = value.text)});
  add({.key = "databricks.http.tls.allow_self_signed",
       .kind = OptionKind::kBool,
       .fallback = "false",
       .aliases = {{"adbc.http_options.tls.allow_self_signed"},
                   {"adbc.http_options.tls.disable_server_certificate_validation"},
                   {"_tls_no_verify"},
                   {"AllowSelfSignedCerts"}},
       .meaning = "true: no certificate is checked, anybody may listen in; for tests only",
       .apply = DBX_STORE(http.tls_verify = !value.flag)});
  add({.key = "databricks.http.tls.allow_hostname_mismatch",
       .kind = OptionKind::kBool,
       .fallback = "false",
       .aliases = {{"adbc.http_options.tls.allow_hostname_mismatch"}},
       .meaning = "true: a certificate for another host will do; for tests only",
       .apply = DBX_STORE(http.tls_verify_hostname = !value.flag)});
  add({.key = "databricks.ssl_mode",
       .kind = OptionKind::kChoice,
       .fallback = "require",
       .choices = {"require", "insecure"},
       .meaning = "`insecure` is `databricks.http.tls.allow_self_signed=true`",
       .apply = StoreSslMode});
  add({.key = "databricks.http.proxy.url",
       .kind = OptionKind::kUri,
       .meaning = "`http://[user:password@]host:port`; otherwise `HTTPS_PROXY`, `NO_PROXY` and the "
                  "like count",
       .apply = StoreProxyUrl});
  add({.key = "databricks.http.proxy.host",
       .kind = OptionKind::kText,
       .aliases = {{"adbc.proxy_options.proxy_host"}},
       .meaning = "the same in parts",
       .apply = DBX_STORE(http.proxy_host = value.text)});
  add({.key = "databricks.http.proxy.port",
       .kind = OptionKind::kInt,
       .min = 1,
       .max = 65'535,
       .aliases = {{"adbc.proxy_options.proxy_port"}},
       .meaning = "the same in parts",
       .apply = DBX_STORE(http.proxy_port = static_cast<int32_t>(value.number))});
  add({.key = "databricks.http.proxy.username",
       .kind = OptionKind::kText,
       .aliases = {{"adbc.proxy_options.proxy_uid"}},
       .meaning = "the same in parts",
       .apply = DBX_STORE(http.proxy_user = value.text)});
  add({.key = "databricks.http.proxy.password",
       .kind = OptionKind::kSecret,
       .aliases = {{"adbc.proxy_options.proxy_pwd"}},
       .meaning = "the same in parts",
       .apply = DBX_STORE(http.proxy_password = Secret(value.text))});
  add({.key = "databricks.http.proxy.bypass_hosts",
       .kind = OptionKind::kText,
       .aliases = {{"adbc.proxy_options.proxy_ignore_list"}},
       .meaning = "hosts that are reached directly, with commas",
       .apply = DBX_STORE(http.no_proxy = value.text)});
  add({.key = "databricks.http.proxy.use_environment",
       .kind = OptionKind::kBool,
       .fallback = "true",
       .meaning = "false: the environment's proxies are ignored",
       .apply = DBX_STORE(http.proxy_from_environment = value.flag)});

  // Retries.
  add({.key = "databricks.retry.min_wait_ms",
       .kind = OptionKind::kMilliseconds,
       .fallback = "500",
       .unit = "ms",
       .min = 1,
       .max = kDayInMilliseconds,
       .aliases = {{"_retry_delay_min", 1000}, {"retryDelayMin"}},
       .meaning = "first pause before a request is sent again; doubles each time",
       .apply = DBX_STORE(retry.first_delay = milliseconds(value.number))});
  add({.key = "databricks.retry.max_wait_ms",
       .kind = OptionKind::kMilliseconds,
       .fallback = "32000",
       .unit = "ms",
       .min = 1,
       .max = kDayInMilliseconds,
       .aliases = {{"_retry_delay_max", 1000}, {"retryDelayMax"}},
       .meaning = "longest pause, unless the server asks for a longer one",
       .apply = DBX_STORE(retry.max_delay = milliseconds(value.number))});
  add({.key = "databricks.retry.overall_timeout_ms",
       .kind = OptionKind::kMilliseconds,
       .fallback = "900000",
       .unit = "ms",
       .min = 0,
       .max = kDayInMilliseconds,
       .aliases = {{"adbc.spark.temporarily_unavailable_retry_timeout", 1000},
                   {"TemporarilyUnavailableRetryTimeout", 1000},
                   {"_retry_stop_after_attempts_duration", 1000},
                   {"retriesTimeout"}},
       .meaning = "time for all retries of one request to the workspace",
       .apply = DBX_STORE(retry.budget = milliseconds(value.number))});
  add({.key = "databricks.retry.rate_limit_timeout_ms",
       .kind = OptionKind::kMilliseconds,
       .fallback = "120000",
       .unit = "ms",
       .min = 0,
       .max = kDayInMilliseconds,
       .aliases = {{"adbc.databricks.rate_limit_retry_timeout", 1000},
                   {"RateLimitRetryTimeout", 1000}},
       .meaning = "the same after answers 429",
       .apply = DBX_STORE(retry.rate_limit_budget = milliseconds(value.number))});
  add({.key = "databricks.retry.max_retries",
       .kind = OptionKind::kInt,
       .fallback = "0",
       .unit = "retries",
       .min = 0,
       .max = 1'000,
       .aliases = {{"databricks.query.retry_count"},
                   {"_retry_stop_after_attempts_count"},
                   {"retryMaxAttempts"}},
       .meaning = "most retries of one request; 0: as many as the time allows",
       .apply = DBX_STORE(retry.max_attempts =
                              value.number == 0 ? 0 : static_cast<int32_t>(value.number) + 1)});

  // The rest.
  add({.key = "databricks.log_level",
       .kind = OptionKind::kChoice,
       .fallback = "off",
       .choices = {"off", "error", "warn", "info", "debug", "trace"},
       .aliases = {{"LogLevel"}},
       .environment = "ADBC_DRIVER_DATABRICKS_LOG_LEVEL",
       .meaning = "events that are written to the log",
       .apply = StoreLogLevel});
  add({.key = "databricks.log_file",
       .kind = OptionKind::kText,
       .meaning = "where the log goes; standard error when empty",
       .apply = DBX_STORE(log_file = value.text)});
  add({.key = "databricks.telemetry.enabled",
       .kind = OptionKind::kBool,
       .fallback = "false",
       .aliases = {{"adbc.databricks.telemetry.enabled"},
                   {"enable_telemetry"},
                   {"enableTelemetry"},
                   {"EnableTelemetry"},
                   {"telemetryEnabled"}},
       .meaning = "taken for compatibility; this driver sends no telemetry",
       .apply = StoreNothing});
  return rows;
}

#undef DBX_STORE

}  // namespace dbx
