// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "http/curl_client.h"

namespace dbx {

/// A CurlClient that no proxy of the machine's environment disturbs.
inline std::unique_ptr<HttpClient> MakeTestClient(CurlClientOptions options = {}, Log log = {}) {
  options.proxy.use_environment = false;
  Result<std::unique_ptr<HttpClient>> client = MakeCurlClient(std::move(options), std::move(log));
  EXPECT_TRUE(client.ok()) << client.status().ToString();
  return client.ok() ? std::move(client).value() : nullptr;
}

inline HttpRequest GetRequest(std::string url) {
  HttpRequest request;
  request.url = SecretUrl(std::move(url));
  return request;
}

}  // namespace dbx
