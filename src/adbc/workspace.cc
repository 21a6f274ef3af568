// SPDX-License-Identifier: Apache-2.0
#include "adbc/workspace.h"

#include <string>
#include <utility>

#include "adbc/auth_selection.h"
#include "adbc/driver_version.h"
#include "adbc/log_sink.h"
#include "base/str_cat.h"
#include "http/curl_client.h"

namespace dbx {
namespace {

/// Idle memory is kept for the next chunk up to this part of a result's budget.
constexpr int64_t kIdlePart = 4;

std::string UserAgent(const HttpConfig& config) {
  std::string agent = StrCat("CloudfetchAdbcDriver/", DriverVersion());
  return config.user_agent_entry.empty() ? agent : StrCat(agent, " ", config.user_agent_entry);
}

CurlClientOptions ClientOptions(const HttpConfig& config) {
  CurlClientOptions options;
  options.connect_timeout = config.connect_timeout;
  options.user_agent = UserAgent(config);
  options.tls.verify = config.tls_verify;
  options.tls.verify_hostname = config.tls_verify_hostname;
  options.tls.ca_file = config.tls_ca_file;
  options.proxy.host = config.proxy_host;
  options.proxy.port = config.proxy_port;
  options.proxy.user = config.proxy_user;
  options.proxy.password = config.proxy_password;
  options.proxy.no_proxy = config.no_proxy;
  options.proxy.use_environment = config.proxy_from_environment;
  return options;
}

}  // namespace

Result<std::shared_ptr<Workspace>> Workspace::Make(const Config& config) {
  ASSIGN_OR_RETURN(std::unique_ptr<AuthProvider> auth, SelectAuth(config.auth));
  ASSIGN_OR_RETURN(Log log, MakeFileLog(config.log_level, config.log_file));
  return std::shared_ptr<Workspace>(new Workspace(config, std::move(auth), std::move(log)));
}

Workspace::Workspace(const Config& config, std::unique_ptr<AuthProvider> auth, Log log)
    : http_(config.http),
      log_(std::move(log)),
      auth_(std::move(auth)),
      slab_pool_(
          SlabPool::Make(static_cast<size_t>(config.cloudfetch.memory_buffer_bytes / kIdlePart))) {}

Result<HttpClient*> Workspace::control_client() {
  MutexLock lock(mutex_);
  return Client(control_client_);
}

Result<HttpClient*> Workspace::storage_client() {
  MutexLock lock(mutex_);
  return Client(storage_client_);
}

Result<HttpClient*> Workspace::Client(std::unique_ptr<HttpClient>& client) {
  if (client == nullptr) {
    ASSIGN_OR_RETURN(client, MakeCurlClient(ClientOptions(http_), log_));
  }
  return client.get();
}

Result<std::shared_ptr<LiveSession>> OpenLiveSession(std::shared_ptr<Workspace> workspace,
                                                     Config config, const SessionFactory& factory,
                                                     Cancellation* cancellation) {
  ASSIGN_OR_RETURN(HttpClient * http, workspace->control_client());
  auto live = std::make_shared<LiveSession>();
  live->workspace = std::move(workspace);
  live->config = std::move(config);
  const SessionContext context{
      .config = &live->config,
      .http = http,
      .auth = live->workspace->auth(),
      .log = live->workspace->log(),
      .storage = [workspace = live->workspace.get()] { return workspace->storage_client(); }};
  ASSIGN_OR_RETURN(live->session, factory(context, cancellation));
  return live;
}

}  // namespace dbx
