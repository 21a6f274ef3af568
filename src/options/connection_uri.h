// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"

namespace dbx {

/// What a connection URI says: where to, and options by their names as written.
struct ConnectionUri {
  bool tls = true;
  std::vector<std::pair<std::string, std::string>>
      options;  ///< decoded; host, port, path and token included
};

/// Reads `databricks://`, `databricks:`, `https://` and `http://` URIs
/// (`[user[:password]@]host[:port][/path][?name=value&…]`), the same without a scheme, and
/// `jdbc:databricks://host:port/schema;key=value;…`. A user part `token:<token>` gives the token.
/// Errors: kInvalidArgument that never repeats the URI, since it holds secrets.
Result<ConnectionUri> ParseConnectionUri(std::string_view uri);

}  // namespace dbx
