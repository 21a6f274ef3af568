// SPDX-License-Identifier: Apache-2.0
#include "adbc/bound_execution.h"

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "metadata/ready_stream.h"
#include "nanoarrow/nanoarrow.hpp"

namespace dbx {
namespace {

/// Executions of one statement, one a row.
class RowExecutions {
 public:
  RowExecutions(ExecutionPlace place, std::string sql, BoundRows rows)
      : place_(std::move(place)),
        sql_(std::move(sql)),
        markers_(FindParameterMarkers(sql_)),
        rows_(std::move(rows)) {}

  const ExecutionPlace& place() const { return place_; }

  /// The execution for the next row; nullopt after the last row.
  Result<std::optional<Execution>> Next() {
    ASSIGN_OR_RETURN(std::optional<std::vector<BoundValue>> values, rows_.Next());
    if (!values) return std::optional<Execution>();
    StatementRequest request = MakeRequest(place_, sql_);
    RETURN_IF_ERROR(Bind(std::move(*values), &request));
    ASSIGN_OR_RETURN(Execution execution, Execute(place_, request));
    return std::optional(std::move(execution));
  }

 private:
  Status Bind(std::vector<BoundValue> values, StatementRequest* request) const {
    if (!place_.config->statement.bind_by_name) {
      return BindRow(sql_, markers_, std::move(values), request);
    }
    return BindRowByName(sql_, markers_, rows_.names(), std::move(values), request);
  }

  const ExecutionPlace place_;
  const std::string sql_;
  const ParameterMarkers markers_;
  BoundRows rows_;
};

class RowsAffected {
 public:
  void Add(std::optional<int64_t> rows) {
    known_ = known_ && rows.has_value();
    sum_ += rows.value_or(0);
  }
  std::optional<int64_t> sum() const { return known_ ? std::optional(sum_) : std::nullopt; }

 private:
  bool known_ = true;
  int64_t sum_ = 0;
};

/// Types and, for nested ones, their parts; whether a value may be NULL changes from row to row and
/// means nothing.
bool SameType(const ArrowSchema* left, const ArrowSchema* right) {
  if (std::string_view(left->format) != right->format) return false;
  if (left->n_children != right->n_children) return false;
  for (int64_t i = 0; i < left->n_children; ++i) {
    if (!SameType(left->children[i], right->children[i])) return false;
  }
  return true;
}

Status CheckSameColumns(const Schema& first, const Schema& other) {
  bool same = SameType(first.c_schema(), other.c_schema());
  for (int64_t i = 0; same && i < first.num_columns(); ++i) {
    same = first.column_name(i) == other.column_name(i);
  }
  if (same) return Status::Ok();
  return Status::InvalidData(
      "the results for two rows of parameters have different columns and cannot be one result");
}

/// The results of a query one after another; the next one is opened when the one before it has been
/// read.
class BoundStream : public ResultStream {
 public:
  BoundStream(std::unique_ptr<RowExecutions> executions, std::unique_ptr<ResultStream> first)
      : executions_(std::move(executions)), schema_(first->schema()), current_(std::move(first)) {}

  const std::shared_ptr<const Schema>& schema() const override { return schema_; }

  Result<std::optional<RecordBatch>> Next() override {
    while (end_.ok()) {
      const std::shared_ptr<ResultStream> current = Current();
      if (!current) return std::optional<RecordBatch>();
      Result<std::optional<RecordBatch>> batch = current->Next();
      if (batch.ok() && batch->has_value()) return batch;
      end_ = batch.ok() ? OpenNext() : batch.status();
    }
    return end_;
  }

  void Cancel(Status reason) override {
    const std::shared_ptr<ResultStream> current = Current();
    if (current) current->Cancel(std::move(reason));
  }

 private:
  std::shared_ptr<ResultStream> Current() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return current_;
  }

  std::shared_ptr<ResultStream> Exchange(std::shared_ptr<ResultStream> next) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    std::swap(current_, next);
    return next;
  }

  Status OpenNext() {
    Exchange(nullptr).reset();
    ASSIGN_OR_RETURN(std::optional<Execution> execution, executions_->Next());
    if (!execution) return Status::Ok();
    ASSIGN_OR_RETURN(OpenedResult opened, OpenRows(executions_->place(), std::move(*execution)));
    RETURN_IF_ERROR(CheckSameColumns(*schema_, *opened.stream->schema()));
    Exchange(std::move(opened.stream));
    // Whoever cancelled while there was nothing to cancel has left word.
    return executions_->place().cancellation->status();
  }

  const std::unique_ptr<RowExecutions> executions_;  // the reader's
  const std::shared_ptr<const Schema> schema_;
  Status end_;  // the reader's: what every further Next returns
  Mutex mutex_;
  std::shared_ptr<ResultStream> current_ GUARDED_BY(mutex_);
};

Status ReadAll(ResultStream& stream, std::vector<RecordBatch>* batches) {
  while (true) {
    ASSIGN_OR_RETURN(std::optional<RecordBatch> batch, stream.Next());
    if (!batch) return Status::Ok();
    batches->push_back(std::move(*batch));
  }
}

/// Runs for `first` and all rows after it, keeping what little such results hold.
Result<OpenedResult> RunAll(RowExecutions& executions, OpenedResult first) {
  RowsAffected affected;
  std::vector<RecordBatch> batches;
  const std::shared_ptr<const Schema> schema = first.stream->schema();
  OpenedResult result;
  OpenedResult current = std::move(first);
  while (true) {
    affected.Add(current.rows_affected);
    RETURN_IF_ERROR(ReadAll(*current.stream, &batches));
    result.statement_id = current.statement_id;
    ASSIGN_OR_RETURN(std::optional<Execution> execution, executions.Next());
    if (!execution) break;
    ASSIGN_OR_RETURN(current, OpenRows(executions.place(), std::move(*execution)));
    RETURN_IF_ERROR(CheckSameColumns(*schema, *current.stream->schema()));
  }
  result.rows_affected = affected.sum();
  result.stream = MakeReadyStream(schema, std::move(batches));
  return result;
}

Result<OpenedResult> OpenNothing() {
  nanoarrow::UniqueSchema schema;
  ArrowSchemaInit(schema.get());
  if (ArrowSchemaSetTypeStruct(schema.get(), 0) != NANOARROW_OK) {
    return Status::Internal("out of memory");
  }
  ASSIGN_OR_RETURN(std::shared_ptr<const Schema> columns, Schema::Take(schema.get()));
  OpenedResult result;
  result.rows_affected = 0;
  result.stream = MakeReadyStream(std::move(columns), {});
  return result;
}

}  // namespace

Result<OpenedResult> OpenBoundRows(const ExecutionPlace& place, const std::string& sql,
                                   BoundRows rows) {
  auto executions = std::make_unique<RowExecutions>(place, sql, std::move(rows));
  ASSIGN_OR_RETURN(std::optional<Execution> execution, executions->Next());
  if (!execution) return OpenNothing();
  ASSIGN_OR_RETURN(OpenedResult first, OpenRows(place, std::move(*execution)));
  const bool query = LooksLikeQuery(sql) && !first.rows_affected.has_value();
  if (!query) return RunAll(*executions, std::move(first));
  OpenedResult result;
  result.statement_id = first.statement_id;
  result.stream = std::make_unique<BoundStream>(std::move(executions), std::move(first.stream));
  return result;
}

Result<std::optional<int64_t>> ExecuteBoundRows(const ExecutionPlace& place, const std::string& sql,
                                                BoundRows rows) {
  RowExecutions executions(place, sql, std::move(rows));
  RowsAffected affected;
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<Execution> execution, executions.Next());
    if (!execution) return affected.sum();
    affected.Add(execution->rows_affected);
  }
}

}  // namespace dbx
