// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/log.h"
#include "base/secret.h"
#include "http/http_client.h"

namespace dbx {

struct TlsOptions {
  bool verify = true;
  bool verify_hostname = true;
  std::string ca_file;  ///< empty: SSL_CERT_FILE, then the usual bundles of the system
  std::string client_certificate_file;
  std::string client_key_file;
};

struct ProxyOptions {
  std::string host;  ///< empty: the environment's (HTTPS_PROXY, NO_PROXY …) when `use_environment`
  int port = 0;
  std::string user;
  Secret password;
  std::string no_proxy;  ///< comma-separated hosts; ".example.com" or "*.example.com": all below
                         ///< it; "*": all
  bool use_environment = true;
};

struct CurlClientOptions {
  std::chrono::milliseconds connect_timeout{
      30'000};  ///< name, TCP, proxy and TLS together; zero: none
  std::string user_agent = {};
  TlsOptions tls = {};
  ProxyOptions proxy = {};
  int max_connections = 256;  ///< kept open in all
};

/// An HttpClient on libcurl: one thread that runs one multi loop. Destroying it cancels every
/// transfer (each OnDone is called), joins and closes all sockets; not from a callback. No signal
/// handlers, no signals on its thread. Errors: kInvalidArgument (a CA file that cannot be read),
/// kInternal (no thread, no memory).
Result<std::unique_ptr<HttpClient>> MakeCurlClient(CurlClientOptions options, Log log);

}  // namespace dbx
