// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "auth/auth_provider.h"
#include "base/cancellation.h"
#include "base/log.h"
#include "base/status.h"
#include "http/http_client.h"
#include "options/config.h"
#include "result/link_source.h"
#include "result/result_manifest.h"
#include "result/result_stream.h"

namespace dbx {

/// A value for one marker of a statement, already in the service's spelling.
struct StatementParameter {
  std::string type;                  ///< "INT", "DECIMAL(10,2)", "TIMESTAMP", "VOID", …
  std::optional<std::string> value;  ///< literal text; nullopt: NULL
  std::string name = {};             ///< of `:name`; empty: for the next `?`
};

struct StatementRequest {
  std::string sql;
  std::vector<StatementParameter> parameters = {};   ///< all named or all positional
  std::optional<std::chrono::seconds> timeout = {};  ///< the server ends the statement after this
  std::optional<int64_t> max_rows =
      {};  ///< rows a page of inline results; not a limit of the result
  std::map<std::string, std::string> settings =
      {};  ///< for this statement alone (query tags and the like)
  /// Options in force for this statement; null: those of the session.
  std::shared_ptr<const Config> config = {};
};

/// A statement that has run (or whose rows have begun). Exactly one of `rows` and `links` is set;
/// both keep the statement alive on the server (heartbeat included) and end it when they die.
struct Execution {
  std::string statement_id;
  ResultManifest manifest;
  std::optional<int64_t> rows_affected;  ///< DML; nullopt: unknown or not DML
  std::unique_ptr<ResultStream>
      rows;  ///< inline results; an empty stream for statements without rows
  std::unique_ptr<LinkSource> links;  ///< results in storage
};

/// A session with a warehouse or cluster, whatever the protocol. Execute may run on several threads
/// at once.
class Session {
 public:
  virtual ~Session() = default;  ///< closes it on the server, best effort and within a second

  /// Runs a statement and waits until its rows begin. Submitted once: sent again only when it
  /// surely did not run. `cancellation` (may be null) cancels it on the server too, also while rows
  /// are read from the result when the caller cancels those.
  virtual Result<Execution> Execute(const StatementRequest& request,
                                    Cancellation* cancellation) = 0;

  /// Catalog and schema in force as last known; empty when the service has not said.
  virtual std::string catalog() const = 0;
  virtual std::string schema() const = 0;
  /// USE CATALOG / USE SCHEMA with the name quoted.
  virtual Status SetCatalog(const std::string& catalog) = 0;
  virtual Status SetSchema(const std::string& schema) = 0;

  /// Names of table types, as GetTableTypes gives them.
  virtual Result<std::vector<std::string>> TableTypes() = 0;
  /// The product's version as the service states it; empty when it does not.
  virtual Result<std::string> ServerVersion() = 0;
};

/// What a session works with; all outlive it.
struct SessionContext {
  const Config* config = nullptr;
  HttpClient* http = nullptr;
  AuthProvider* auth = nullptr;
  Log log;
  /// For storage, which never sees credentials; made upon the first call. Empty: `http` serves.
  std::function<Result<HttpClient*>()> storage = {};
};

/// Opens a session by `config->protocol`. kAuto: clusters over Thrift; warehouses over the
/// Statement Execution API (SEA), or over Thrift where the service answers that it has none, or the
/// other way round where it refuses Thrift (SQLSTATE KP001); what a host speaks is remembered for
/// the process. Errors: kUnauthenticated, kNotFound (no such warehouse), kUnavailable, …
Result<std::unique_ptr<Session>> OpenSession(const SessionContext& context,
                                             Cancellation* cancellation);

/// `name` in back-ticks, those inside doubled.
std::string QuoteIdentifier(std::string_view name);

}  // namespace dbx
