// SPDX-License-Identifier: Apache-2.0
#include "sql/statement_run.h"

#include <algorithm>
#include <utility>

#include "base/str_cat.h"
#include "sql/errors.h"
#include "sql/row_source.h"
#include "sql/sql_text.h"
#include "sql/type_mapping.h"
#include "sql/type_parser.h"

namespace dbx::local {
namespace {

/// The lease goes last, the way back to the session.
class LeasedStream : public StreamOwner {
 public:
  LeasedStream(std::shared_ptr<Interruption> interruption, std::unique_ptr<ConnectionLease> lease,
               PreparedHandle prepared)
      : interruption_(std::move(interruption)),
        lease_(std::move(lease)),
        prepared_(std::move(prepared)) {}
  ~LeasedStream() override { interruption_->Attach(nullptr); }
  LeasedStream(const LeasedStream&) = delete;
  LeasedStream& operator=(const LeasedStream&) = delete;

  void Abandon() override {
    duckdb_interrupt(lease_->get());
    // Its transaction is still open: it must not wait among the idle ones.
    lease_->MarkBroken();
  }

 private:
  std::shared_ptr<Interruption> interruption_;
  std::unique_ptr<ConnectionLease> lease_;
  PreparedHandle prepared_;
};

bool IsInterval(const SqlType& type) {
  return type.id == SqlTypeId::kIntervalDayTime || type.id == SqlTypeId::kIntervalYearMonth;
}

/// The engine has one type of interval, and none for NULL alone: there the text of the statement
/// decides.
SqlType WithFact(SqlType type, const ColumnFact& fact) {
  if (!fact.type) return type;
  if (IsInterval(type) && IsInterval(*fact.type)) return *fact.type;
  if (fact.type->id == SqlTypeId::kDecimal && type.id == SqlTypeId::kDecimal && fact.sum)
    return *fact.type;
  const bool may_be_void = type.id == SqlTypeId::kInt || type.id == SqlTypeId::kVoid;
  if (fact.type->id == SqlTypeId::kVoid && may_be_void) return *fact.type;
  return type;
}

}  // namespace

StatementRun::~StatementRun() {
  if (in_transaction_ && lease_) {
    // A failed transaction is rolled back; an error of that tells nothing more than the one on its
    // way.
    const Status ignored = Execute(lease_->get(), "ROLLBACK");
    static_cast<void>(ignored);
  }
  if (lease_) interruption_->Attach(nullptr);
}

Status StatementRun::Begin() {
  context_ = session_->Context(request_.conf_overlay);
  context_.sql = request_.sql;
  context_.parameters = request_.parameters;
  ASSIGN_OR_RETURN(tokens_, Tokenize(request_.sql));
  end_ = tokens_.size() - 1;
  while (end_ > 0 && tokens_[end_ - 1].IsOperator(";")) end_ -= 1;
  for (size_t i = 0; i < end_; ++i) {
    if (tokens_[i].IsOperator(";")) return SyntaxErrorAt(i + 1);
  }
  if (end_ == 0) return SyntaxErrorAt(0);
  translator_ = std::make_unique<Translator>(tokens_, context_);
  return interruption_->Check();
}

Status StatementRun::SyntaxErrorAt(size_t i) const {
  const Token& token = tokens_[std::min(i, tokens_.size() - 1)];
  return SyntaxError(request_.sql, token.offset, token.text);
}

Result<duckdb_connection> StatementRun::connection() {
  if (!lease_) {
    ASSIGN_OR_RETURN(lease_, session_->Lease());
    if (context_.time_zone != session_->time_zone()) {
      lease_->MarkChanged();
      RETURN_IF_ERROR(Execute(lease_->get(),
                              StrCat("SET SESSION TimeZone = ", QuoteString(context_.time_zone))));
    }
    interruption_->Attach(lease_->get());
  }
  return lease_->get();
}

Status StatementRun::ErrorOf(std::string_view engine_text, const Translation& translation) const {
  return FromEngineError(engine_text, context_.sql, translation.sql,
                         [&](size_t offset) { return translation.SourceOffset(offset); });
}

Result<PreparedHandle> StatementRun::Prepare(const Translation& translation) {
  ASSIGN_OR_RETURN(const duckdb_connection engine, connection());
  PreparedHandle prepared;
  if (duckdb_prepare(engine, translation.sql.c_str(), prepared.out()) == DuckDBSuccess)
    return prepared;
  const char* const text = duckdb_prepare_error(prepared.get());
  return ErrorOf(text == nullptr ? "unknown error" : text, translation);
}

Result<std::vector<ResultColumn>> StatementRun::Columns(
    const Translation& translation, const std::optional<std::vector<ColumnFact>>& facts) {
  ASSIGN_OR_RETURN(const PreparedHandle prepared, Prepare(translation));
  std::vector<ResultColumn> columns;
  const idx_t count = duckdb_prepared_statement_column_count(prepared.get());
  const bool known = facts && facts->size() == count;
  for (idx_t i = 0; i < count; ++i) {
    const LogicalType type(duckdb_prepared_statement_column_logical_type(prepared.get(), i));
    const EngineString name(
        const_cast<char*>(duckdb_prepared_statement_column_name(prepared.get(), i)));
    ASSIGN_OR_RETURN(SqlType sql_type, FromEngineType(type.get()));
    ResultColumn column{std::string(name.view()), std::move(sql_type), true};
    if (known) {
      column.type = WithFact(std::move(column.type), (*facts)[i]);
      column.nullable = (*facts)[i].nullable;
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

Result<SqlResult> StatementRun::Stream(const Translation& translation,
                                       const std::optional<std::vector<ColumnFact>>& facts) {
  ASSIGN_OR_RETURN(PreparedHandle prepared, Prepare(translation));
  PendingHandle pending;
  if (duckdb_pending_prepared_streaming(prepared.get(), pending.out()) != DuckDBSuccess) {
    return ErrorOf(duckdb_pending_error(pending.get()), translation);
  }
  // The engine works already, and forgot interruptions from before. A repeated one ends the next
  // call.
  interruption_->Repeat();
  auto result = std::make_unique<EngineResult>();
  if (duckdb_execute_pending(pending.get(), result->get()) != DuckDBSuccess) {
    return ErrorOf(result->error(), translation);
  }
  const idx_t count = duckdb_column_count(result->get());
  const bool known = facts && facts->size() == count;
  SqlResult answer;
  for (idx_t i = 0; i < count; ++i) {
    const LogicalType type(duckdb_column_logical_type(result->get(), i));
    ASSIGN_OR_RETURN(SqlType sql_type, FromEngineType(type.get()));
    ResultColumn column{duckdb_column_name(result->get(), i), std::move(sql_type), true};
    if (known) {
      column.type = WithFact(std::move(column.type), (*facts)[i]);
      column.nullable = (*facts)[i].nullable;
    }
    answer.columns.push_back(std::move(column));
  }
  auto owner =
      std::make_unique<LeasedStream>(interruption_, std::move(lease_), std::move(prepared));
  auto error_of = [sql = context_.sql, translation](std::string_view text) {
    return FromEngineError(text, sql, translation.sql,
                           [&](size_t offset) { return translation.SourceOffset(offset); });
  };
  ASSIGN_OR_RETURN(answer.rows,
                   StreamingRows::Make(std::move(result), answer.columns, interruption_,
                                       std::move(owner), std::move(error_of)));
  return answer;
}

Status StatementRun::Finish(const Translation& translation, EngineResult& result) {
  ASSIGN_OR_RETURN(const PreparedHandle prepared, Prepare(translation));
  PendingHandle pending;
  if (duckdb_pending_prepared(prepared.get(), pending.out()) != DuckDBSuccess) {
    return ErrorOf(duckdb_pending_error(pending.get()), translation);
  }
  interruption_->Repeat();
  if (duckdb_execute_pending(pending.get(), result.get()) == DuckDBSuccess) return Status::Ok();
  return ErrorOf(result.error(), translation);
}

Result<int64_t> StatementRun::Change(const Translation& translation) {
  EngineResult result;
  RETURN_IF_ERROR(Finish(translation, result));
  return result.rows_changed();
}

Result<std::vector<TextRow>> StatementRun::Texts(const Translation& translation) {
  EngineResult result;
  RETURN_IF_ERROR(Finish(translation, result));
  return ReadTexts(result);
}

Status StatementRun::CheckWritable(const TableName& name) const {
  if (!Database::IsGenerated(name.schema)) return Status::Ok();
  return SqlError(StatusCode::kUnauthorized, "INSUFFICIENT_PERMISSIONS", "42501",
                  StrCat("The table ", name.ClientText(), " is generated and cannot be changed"));
}

Status StatementRun::BeginTransaction() {
  ASSIGN_OR_RETURN(const duckdb_connection engine, connection());
  RETURN_IF_ERROR(Execute(engine, "BEGIN TRANSACTION"));
  in_transaction_ = true;
  return Status::Ok();
}

Status StatementRun::Commit() {
  in_transaction_ = false;
  return Execute(lease_->get(), "COMMIT");
}

Result<std::vector<std::string>> StatementRun::ReadName(size_t* at, size_t most) const {
  std::vector<std::string> parts;
  while (true) {
    if (*at >= end_ || !tokens_[*at].IsIdentifier()) return SyntaxErrorAt(*at);
    parts.push_back(tokens_[*at].value);
    *at += 1;
    if (*at >= end_ || !tokens_[*at].IsOperator(".") || parts.size() == most) return parts;
    *at += 1;
  }
}

TableName StatementRun::Resolve(const std::vector<std::string>& parts) const {
  TableName name{context_.catalog, context_.schema, ToLower(parts.back())};
  if (parts.size() >= 2) name.schema = ToLower(parts[parts.size() - 2]);
  if (parts.size() >= 3) name.catalog = ToLower(parts[parts.size() - 3]);
  return name;
}

std::optional<std::vector<ColumnFact>> StatementRun::FactsOf(
    const std::vector<std::string>& parts) {
  const std::optional<TableFacts> facts = database().facts().Find(Resolve(parts));
  return facts && !facts->columns.empty() ? std::optional(facts->columns) : std::nullopt;
}

std::optional<std::vector<ColumnFact>> StatementRun::FactsOfQuery(size_t begin, size_t end) {
  return QueryFacts(tokens_, begin, end,
                    [this](const std::vector<std::string>& parts) { return FactsOf(parts); });
}

ResultColumn TextColumn(std::string name, bool nullable) {
  return {std::move(name), SimpleType(SqlTypeId::kString), nullable};
}

ResultColumn NumberColumn(std::string name, SqlTypeId id, bool nullable) {
  return {std::move(name), SimpleType(id), nullable};
}

SqlResult RowsResult(StatementKind kind, std::vector<ResultColumn> columns, std::vector<Row> rows) {
  SqlResult result;
  result.kind = kind;
  result.rows = MakeRows(columns, std::move(rows));
  result.columns = std::move(columns);
  return result;
}

SqlResult DoneResult() {
  return RowsResult(StatementKind::kDdl, {}, {});
}

SqlResult CountsResult(const std::vector<std::pair<std::string, int64_t>>& counts) {
  std::vector<ResultColumn> columns;
  Row row;
  for (const auto& [name, count] : counts) {
    columns.push_back(NumberColumn(name, SqlTypeId::kBigint, true));
    row.emplace_back(count);
  }
  SqlResult result = RowsResult(StatementKind::kDml, std::move(columns), {std::move(row)});
  result.modified_rows = counts.front().second;
  return result;
}

}  // namespace dbx::local
