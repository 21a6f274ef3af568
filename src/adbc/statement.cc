// SPDX-License-Identifier: Apache-2.0
#include "adbc/statement.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "adbc/bound_execution.h"
#include "adbc/fixed_options.h"
#include "adbc/month_intervals.h"
#include "adbc/parameter_markers.h"
#include "adbc/statement_statistics.h"
#include "arrow-adbc/adbc.h"
#include "base/str_cat.h"

namespace dbx {
namespace {

constexpr std::string_view kStatementIdKey = "databricks.statement_id";

bool IsReadOnly(std::string_view name) {
  return name == ADBC_STATEMENT_OPTION_PROGRESS || name == ADBC_STATEMENT_OPTION_MAX_PROGRESS ||
         name == kStatementIdKey || name.starts_with(kStatisticsPrefix);
}

/// One for each `?`, which has none, or for each name that `:name` markers have.
std::vector<std::string> MarkerNames(const ParameterMarkers& markers) {
  std::vector<std::string> names(markers.offsets.size());
  for (const ParameterMarkers::Named& marker : markers.named) {
    if (std::find(names.begin(), names.end(), marker.name) == names.end()) {
      names.push_back(marker.name);
    }
  }
  return names;
}

}  // namespace

Result<std::shared_ptr<Statement>> Statement::Make(std::shared_ptr<Connection> connection) {
  ASSIGN_OR_RETURN(Connection::Basis basis, connection->StatementBasis());
  return std::shared_ptr<Statement>(new Statement(std::move(connection), std::move(basis)));
}

Statement::Statement(std::shared_ptr<Connection> connection, Connection::Basis basis)
    : connection_(std::move(connection)),
      basis_(std::move(basis)),
      options_(OptionScope::kStatement, &basis_.options) {}

Status Statement::SetOption(std::string_view name, const TypedValue& value) {
  if (IsReadOnly(name)) return Status::InvalidArgument(StrCat(name, ": can only be read"));
  if (std::optional<Status> fixed = SetFixedOption(OptionScope::kStatement, name, value)) {
    return *std::move(fixed);
  }
  MutexLock lock(mutex_);
  RETURN_IF_ERROR(SetIn(options_, name, value));
  config_ = nullptr;
  return Status::Ok();
}

Result<TypedValue> Statement::GetOption(std::string_view name, ValueType type) const {
  ASSIGN_OR_RETURN(std::optional<TypedValue> live, LiveValue(name));
  if (live) return *std::move(live);
  if (std::optional<std::string> fixed = GetFixedOption(OptionScope::kStatement, name)) {
    return TypedValue(*std::move(fixed));
  }
  MutexLock lock(mutex_);
  return GetFrom(options_, name, type);
}

Result<std::optional<TypedValue>> Statement::LiveValue(std::string_view name) const {
  if (!IsReadOnly(name)) return std::optional<TypedValue>();
  if (name == ADBC_STATEMENT_OPTION_MAX_PROGRESS) return std::optional(TypedValue(1.0));
  std::shared_ptr<RunningCall> call;
  {
    MutexLock lock(mutex_);
    call = last_call_;
  }
  if (name == ADBC_STATEMENT_OPTION_PROGRESS) {
    return std::optional(TypedValue(call ? call->progress() : 0.0));
  }
  if (!call) return Status::NotFound(StrCat(name, ": nothing was executed yet"));
  if (name == kStatementIdKey) {
    std::string id = call->statement_id();
    if (id.empty()) return Status::NotFound(StrCat(name, ": the service has given none"));
    return std::optional(TypedValue(std::move(id)));
  }
  std::optional<TypedValue> statistic =
      StatisticByName(call->statistics(), name.substr(kStatisticsPrefix.size()));
  if (!statistic) return Status::NotFound(StrCat("unknown option '", name, "'"));
  return statistic;
}

Status Statement::SetQuery(std::string_view sql) {
  if (sql.empty()) return Status::InvalidArgument("the statement's text is empty");
  sql_ = std::string(sql);
  prepared_ = false;
  return Status::Ok();
}

Status Statement::Prepare() {
  if (sql_.empty()) return Status::InvalidState("prepare: the statement has no text");
  prepared_ = true;
  return Status::Ok();
}

Status Statement::ParameterSchema(ArrowSchema* out) const {
  if (!prepared_) return Status::InvalidState("parameter schema: the statement is not prepared");
  const ParameterMarkers markers = FindParameterMarkers(sql_);
  if (markers.uncertain) {
    return Status::NotImplemented(
        "parameter schema: only the service can tell the markers of '?::'");
  }
  const std::vector<std::string> names = MarkerNames(markers);
  nanoarrow::UniqueSchema schema;
  ArrowSchemaInit(schema.get());
  const auto count = static_cast<int64_t>(names.size());
  bool made = ArrowSchemaSetTypeStruct(schema.get(), count) == NANOARROW_OK;
  for (int64_t i = 0; made && i < count; ++i) {
    const std::string& name = names[static_cast<size_t>(i)];
    made = ArrowSchemaSetType(schema->children[i], NANOARROW_TYPE_NA) == NANOARROW_OK &&
           ArrowSchemaSetName(schema->children[i], name.c_str()) == NANOARROW_OK;
  }
  if (!made) return Status::Internal("out of memory");
  schema.move(out);
  return Status::Ok();
}

std::shared_ptr<RunningCall> Statement::StartCall() {
  auto call = std::make_shared<RunningCall>();
  calls_.Add(call);
  connection_->calls().Add(call);
  MutexLock lock(mutex_);
  last_call_ = call;
  return call;
}

Result<ExecutionPlace> Statement::Place(RunningCall& call) {
  MutexLock lock(mutex_);
  if (config_ == nullptr) {
    // Not resolved anew: the environment may have changed since the session was opened.
    Config config = basis_.session->config;
    RETURN_IF_ERROR(ApplyStatementOptions(basis_.options, config));
    RETURN_IF_ERROR(ApplyStatementOptions(options_, config));
    config_ = std::make_shared<const Config>(std::move(config));
  }
  return ExecutionPlace{basis_.session, config_, call.cancellation()};
}

Result<Statement::Executed> Statement::ExecuteQuery(bool wants_rows) {
  nanoarrow::UniqueArrayStream bound = std::move(bound_);
  if (sql_.empty()) return Status::InvalidState("execute: the statement has no text");
  const std::shared_ptr<RunningCall> call = StartCall();
  Result<Executed> executed = Executed();
  Result<ExecutionPlace> place = Place(*call);
  if (!place.ok()) {
    executed = place.status();
  } else {
    executed = wants_rows ? ReadRows(*place, call, std::move(bound))
                          : DropRows(*place, *call, std::move(bound));
  }
  if (!executed.ok()) call->SetStatementId(executed.status().statement_id());
  if (!executed.ok() || !wants_rows) call->End();
  return executed;
}

Result<Statement::Executed> Statement::ReadRows(const ExecutionPlace& place,
                                                const std::shared_ptr<RunningCall>& call,
                                                nanoarrow::UniqueArrayStream bound) {
  const std::string sql(TrimStatementEnd(sql_));
  OpenedResult opened;
  if (bound->release != nullptr) {
    ASSIGN_OR_RETURN(BoundRows rows, BoundRows::Open(std::move(bound)));
    ASSIGN_OR_RETURN(opened, OpenBoundRows(place, sql, std::move(rows)));
  } else {
    ASSIGN_OR_RETURN(Execution execution, Execute(place, MakeRequest(place, sql)));
    ASSIGN_OR_RETURN(opened, OpenRows(place, std::move(execution)));
  }
  ASSIGN_OR_RETURN(opened.stream, WidenMonthIntervals(std::move(opened.stream)));
  const std::shared_ptr<const Schema> schema = opened.stream->schema();
  call->SetStatementId(std::move(opened.statement_id));
  call->BeginReading(std::move(opened.stream), opened.cloudfetch);
  const std::optional<int64_t> num_rows =
      opened.rows_affected ? opened.rows_affected : opened.num_rows;
  return Executed{MakeCallStream(call, schema), num_rows.value_or(-1)};
}

Result<Statement::Executed> Statement::DropRows(const ExecutionPlace& place, RunningCall& call,
                                                nanoarrow::UniqueArrayStream bound) {
  const std::string sql(TrimStatementEnd(sql_));
  std::optional<int64_t> rows_affected;
  if (bound->release != nullptr) {
    ASSIGN_OR_RETURN(BoundRows rows, BoundRows::Open(std::move(bound)));
    ASSIGN_OR_RETURN(rows_affected, ExecuteBoundRows(place, sql, std::move(rows)));
  } else {
    ASSIGN_OR_RETURN(const Execution execution, Execute(place, MakeRequest(place, sql)));
    call.SetStatementId(execution.statement_id);
    rows_affected = execution.rows_affected;
  }
  return Executed{nullptr, rows_affected.value_or(-1)};
}

}  // namespace dbx
