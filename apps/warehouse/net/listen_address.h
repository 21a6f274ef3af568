// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace dbx::local {

/// An address to listen on.
struct ListenAddress {
  std::string host;  ///< a literal IPv4 or IPv6 address
  uint16_t port = 0;
  bool is_loopback = false;

  /// "127.0.0.1:8443" or "[::1]:8443".
  std::string ToString() const;
};

/// Reads "127.0.0.1:8443", "[::1]:0" or "localhost:0". Names are not looked up. Errors:
/// kInvalidArgument.
Result<ListenAddress> ParseListenAddress(std::string_view text);

}  // namespace dbx::local
