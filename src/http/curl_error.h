// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <curl/curl.h>

#include <cstdint>
#include <string>

#include "base/status.h"

namespace dbx {

/// What is known of a transfer that libcurl gave up.
struct CurlFailure {
  CURLcode code = CURLE_OK;
  std::string cause;        ///< libcurl's own words, or empty
  std::string host;         ///< whom the request was for
  bool sent = false;        ///< a byte of the request may have left
  bool known_host = false;  ///< the name was found before
  long proxy_status = 0;    ///< the proxy's answer to CONNECT, 0: none
  int64_t body_bytes = 0;   ///< received so far
};

/// The failure as HttpObserver::OnDone promises it: names host and cause, and no part of the URL's
/// query.
Status ToStatus(const CurlFailure& failure);

}  // namespace dbx
