// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "base/clock.h"
#include "net/http_server.h"
#include "net/spool.h"

namespace dbx::local {

/// How links are made for one client.
struct LinkTerms {
  const LinkSigner* signer = nullptr;
  std::string base;  ///< "http://host:port" of the storage listener, as the client sees it
  std::chrono::seconds lifetime{900};
  int32_t max_links = 32;
  WallTime now;
  bool born_expired = false;
};

/// The storage listener's address in the words by which the client found the one that it asks.
/// `port` 0: storage is behind the same one.
std::string StorageBase(const HttpRequest& http, uint16_t port, bool tls);

}  // namespace dbx::local
