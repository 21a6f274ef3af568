// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "adbc/database.h"
#include "adbc/option_access.h"
#include "adbc/running_call.h"
#include "adbc/workspace.h"
#include "base/mutex.h"
#include "metadata/table_schema.h"
#include "options/option_set.h"
#include "result/result_stream.h"

namespace dbx {

/// What an AdbcConnection stands for: options until Init, then a session. Methods from any thread;
/// by the rules of ADBC only getters and Cancel come while another call runs.
class Connection {
 public:
  Connection() = default;

  /// Until Init any option of a connection; afterwards the current catalog and schema, at once, and
  /// options of statements, for those made later. Errors: those of OptionSet; kInvalidState for
  /// what is too late.
  Status SetOption(std::string_view name, const TypedValue& value) EXCLUDES(mutex_);
  /// The current catalog and schema as the session last knew them; kNotFound when it does not.
  Result<TypedValue> GetOption(std::string_view name, ValueType type) const EXCLUDES(mutex_);

  /// Opens the session. Errors: those of ResolveConfig and OpenSession.
  Status Init(const std::shared_ptr<Database>& database) EXCLUDES(mutex_);

  /// Stops all calls and all reading of this connection and its statements. Errors: kInvalidState
  /// when there is none.
  Status Cancel() { return calls_.CancelAll(); }

  /// Answers of metadata. Errors: kInvalidState before Init; the session's.
  Result<std::unique_ptr<ResultStream>> Info(std::optional<std::span<const uint32_t>> codes);
  Result<std::unique_ptr<ResultStream>> TableTypes();
  Result<std::shared_ptr<const Schema>> TableSchema(const TableName& name);

  /// What a new statement begins with.
  struct Basis {
    std::shared_ptr<Database> database;
    std::shared_ptr<LiveSession> session;
    OptionSet options;  ///< as they are now; refers to the database's
  };
  /// Errors: kInvalidState before Init.
  Result<Basis> StatementBasis() const EXCLUDES(mutex_);
  RunningCalls& calls() { return calls_; }

 private:
  Result<std::shared_ptr<LiveSession>> session() const EXCLUDES(mutex_);
  Status SetAfterInit(std::string_view name, const TypedValue& value) EXCLUDES(mutex_);

  RunningCalls calls_;
  mutable Mutex mutex_;
  std::shared_ptr<Database> database_ GUARDED_BY(mutex_);
  std::unique_ptr<OptionSet> options_ GUARDED_BY(mutex_) =
      std::make_unique<OptionSet>(OptionScope::kConnection);
  std::shared_ptr<LiveSession> session_ GUARDED_BY(mutex_);
};

}  // namespace dbx
