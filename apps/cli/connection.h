// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrow-adbc/adbc.h"
#include "nanoarrow/nanoarrow.hpp"

namespace dbx::cli {

struct ConnectionOptions {
  std::string
      driver;       ///< path or manifest name; empty: found beside the program, else "databricks"
  std::string uri;  ///< empty: the driver looks into the environment
  std::vector<std::pair<std::string, std::string>> options;  ///< further database options
};

/// One connection through the driver manager, as any application makes it. Failures are thrown as
/// Failure(kFailed).
class Connection {
 public:
  explicit Connection(const ConnectionOptions& options);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  AdbcConnection* get() { return &connection_; }

 private:
  AdbcDatabase database_{};
  AdbcConnection connection_{};
};

/// One statement. `Cancel` may come from another thread.
class Statement {
 public:
  Statement(Connection& connection, const std::string& sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  /// Binds one row of texts to the statement's `?`.
  void Bind(const std::vector<std::string>& parameters);
  /// Runs it. `*rows_affected` (may be null) becomes -1 when unknown.
  void Execute(ArrowArrayStream* rows, int64_t* rows_affected);
  void Cancel();

  std::optional<std::string> Option(const std::string& key);
  std::optional<int64_t> IntOption(const std::string& key);

 private:
  AdbcStatement statement_{};
};

/// The only value of a one-row, one-column integer result.
int64_t QueryNumber(Connection& connection, const std::string& sql);

}  // namespace dbx::cli
