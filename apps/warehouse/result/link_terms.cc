// SPDX-License-Identifier: Apache-2.0
#include "result/link_terms.h"

#include "base/str_cat.h"

namespace dbx::local {

std::string StorageBase(const HttpRequest& http, uint16_t port, bool tls) {
  std::string host = http.host;
  if (port == 0) return StrCat(http.scheme, "://", host);
  const size_t colon = host.rfind(':');
  const size_t bracket = host.rfind(']');  // of an IPv6 address
  if (colon != std::string::npos && (bracket == std::string::npos || colon > bracket))
    host.resize(colon);
  return StrCat(tls ? "https" : "http", "://", host, ":", port);
}

}  // namespace dbx::local
