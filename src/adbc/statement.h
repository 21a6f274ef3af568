// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "adbc/connection.h"
#include "adbc/option_access.h"
#include "adbc/result_opening.h"
#include "adbc/running_call.h"
#include "base/mutex.h"
#include "nanoarrow/nanoarrow.hpp"
#include "options/config.h"
#include "options/option_set.h"

namespace dbx {

/// What an AdbcStatement stands for. Getters and Cancel from any thread at any time; the rest one
/// call at a time.
class Statement {
 public:
  /// Errors: kInvalidState when the connection is not open.
  static Result<std::shared_ptr<Statement>> Make(std::shared_ptr<Connection> connection);

  Status SetOption(std::string_view name, const TypedValue& value) EXCLUDES(mutex_);
  /// Besides options: progress, statistics and id of the last execution, also while it runs and
  /// after its result was read (kNotFound before there was one).
  Result<TypedValue> GetOption(std::string_view name, ValueType type) const EXCLUDES(mutex_);

  /// Keeps the text; a binding stays. Errors: kInvalidArgument for an empty text.
  Status SetQuery(std::string_view sql);
  /// Costs nothing and takes any text: the service looks at it when it is executed. Errors:
  /// kInvalidState without a text.
  Status Prepare();
  /// Takes the rows of the next execution's parameters in place of earlier ones.
  void Bind(nanoarrow::UniqueArrayStream rows) { bound_ = std::move(rows); }
  /// One field of the null type for each marker, named where the marker is. Errors: kInvalidState
  /// unless prepared, kNotImplemented for texts whose markers only the service can tell.
  Status ParameterSchema(ArrowSchema* out) const;

  /// Runs the text: once, or once for each bound row; the binding is gone afterwards whatever
  /// happens. Errors: kInvalidState without a text, the session's, kCancelled.
  struct Executed {
    std::unique_ptr<ResultStream> stream;  ///< null when no rows were wanted
    int64_t rows_affected = -1;            ///< -1: unknown
  };
  Result<Executed> ExecuteQuery(bool wants_rows) EXCLUDES(mutex_);

  /// Stops the execution or the reading of its result. Errors: kInvalidState when there is nothing
  /// to stop.
  Status Cancel() { return calls_.CancelAll(); }

 private:
  Statement(std::shared_ptr<Connection> connection, Connection::Basis basis);

  Result<std::optional<TypedValue>> LiveValue(std::string_view name) const EXCLUDES(mutex_);
  std::shared_ptr<RunningCall> StartCall() EXCLUDES(mutex_);
  Result<ExecutionPlace> Place(RunningCall& call) EXCLUDES(mutex_);
  Result<Executed> ReadRows(const ExecutionPlace& place, const std::shared_ptr<RunningCall>& call,
                            nanoarrow::UniqueArrayStream bound);
  Result<Executed> DropRows(const ExecutionPlace& place, RunningCall& call,
                            nanoarrow::UniqueArrayStream bound);

  const std::shared_ptr<Connection> connection_;
  const Connection::Basis basis_;
  RunningCalls calls_;

  // Of the one thread that calls.
  std::string sql_;
  bool prepared_ = false;
  nanoarrow::UniqueArrayStream bound_;

  mutable Mutex mutex_;
  OptionSet options_ GUARDED_BY(mutex_);
  std::shared_ptr<const Config> config_ GUARDED_BY(mutex_);  // null: options have changed since
  std::shared_ptr<RunningCall> last_call_ GUARDED_BY(mutex_);
};

}  // namespace dbx
