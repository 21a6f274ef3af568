// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/log.h"
#include "base/secret.h"

namespace dbx {

enum class Protocol : uint8_t { kAuto, kThrift, kSea };
enum class AuthType : uint8_t {
  kAuto,
  kAccessToken,
  kOauthM2m,
  kOauthU2m,
  kOauthJwt,
  kTokenExchange,
  kAzureServicePrincipal,
  kAzureMsi,
  kAzureCli,
  kDatabricksCli,
  kProfile,
  kCallback,
};

/// Where the workspace is.
struct EndpointConfig {
  bool tls = true;
  std::string host;
  int32_t port = 443;
  std::string
      http_path;  ///< "/sql/1.0/warehouses/<id>" or "/sql/protocolv1/o/<org>/<cluster>", no query
  std::string warehouse_id;  ///< empty for clusters
  std::string org_id;        ///< from `?o=` or the cluster path; empty: none
  bool allow_plaintext = false;

  bool is_cluster() const { return warehouse_id.empty(); }
};

struct AuthConfig {
  AuthType type = AuthType::kAuto;
  Secret access_token;
  std::string client_id;
  Secret client_secret;
};

struct HttpConfig {
  std::chrono::milliseconds connect_timeout{30'000};
  std::chrono::milliseconds request_timeout{900'000};
  std::string user_agent_entry;
  bool tls_verify = true;
  bool tls_verify_hostname = true;
  std::string tls_ca_file;
  std::string proxy_host;
  int32_t proxy_port = 0;
  std::string proxy_user;
  Secret proxy_password;
  std::string no_proxy;
  bool proxy_from_environment = true;
};

struct RetryConfig {
  std::chrono::milliseconds first_delay{500};
  std::chrono::milliseconds max_delay{32'000};
  std::chrono::milliseconds budget{900'000};
  std::chrono::milliseconds rate_limit_budget{120'000};
  int32_t max_attempts = 0;
};

struct SessionConfig {
  std::string catalog;
  std::string schema;
  std::map<std::string, std::string> settings;    ///< databricks.session.<conf>
  std::map<std::string, std::string> query_tags;  ///< empty value: tag without value
};

struct CloudFetchConfig {
  bool enabled = true;
  bool lz4 = true;
  std::optional<int32_t> parallel_downloads;  ///< nullopt: auto, starts at 16
  int32_t prefetch_count = 16;
  int64_t memory_buffer_bytes = int64_t{400} << 20;
  int32_t link_prefetch_window = 128;
  std::chrono::milliseconds timeout{900'000};
  std::chrono::milliseconds stall_timeout{5'000};
  std::chrono::milliseconds retry_budget{300'000};
  std::chrono::seconds expiry_margin{60};
  bool hedge = true;
  bool range_resume = true;
  bool ordered = true;
};

struct StatementConfig {
  std::chrono::seconds query_timeout{0};  ///< 0: the server's
  int64_t batch_rows = 0;                 ///< databricks.result.batch_rows
  bool bind_by_name = false;              ///< bound columns belong to `:name`, not to the next `?`
  int64_t direct_result_rows = 500'000;   ///< rows asked for with the first reply
  int64_t direct_result_bytes = int64_t{10} << 20;
  int64_t page_rows = 2'000'000;
  int64_t page_bytes = int64_t{400} << 20;
  std::chrono::milliseconds poll_interval{
      100};  ///< first pause between status calls; grows to ten times this
  std::chrono::milliseconds heartbeat_interval{60'000};
};

/// All options of one database, connection or statement after precedence: what the rest of the
/// driver works with.
struct Config {
  EndpointConfig endpoint;
  Protocol protocol = Protocol::kAuto;
  AuthConfig auth;
  HttpConfig http;
  RetryConfig retry;
  SessionConfig session;
  CloudFetchConfig cloudfetch;
  StatementConfig statement;
  LogLevel log_level = LogLevel::kOff;
  std::string log_file;  ///< empty: standard error
};

}  // namespace dbx
