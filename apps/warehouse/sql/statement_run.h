// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "sql/engine.h"
#include "sql/interruption.h"
#include "sql/result_facts.h"
#include "sql/row_source.h"
#include "sql/session_state.h"
#include "sql/tokenizer.h"
#include "sql/translator.h"

namespace dbx::local {

/// A statement while it runs: its tokens, its session, and ways to have the engine do things. One
/// thread.
class StatementRun {
 public:
  StatementRun(std::shared_ptr<SessionState> session, SqlRequest request,
               std::shared_ptr<Interruption> interruption)
      : session_(std::move(session)),
        request_(std::move(request)),
        interruption_(std::move(interruption)) {}

  /// Reads the statement's words. Must come first.
  Status Begin();

  const Tokens& tokens() const { return tokens_; }
  size_t end() const { return end_; }  ///< one past the last token, without closing `;`
  bool At(size_t i, std::string_view word) const { return i < end_ && tokens_[i].Is(word); }
  SessionState& session() { return *session_; }
  Database& database() { return session_->database(); }
  const TranslationContext& context() const { return context_; }
  /// PARSE_SYNTAX_ERROR at token `i`.
  Status SyntaxErrorAt(size_t i) const;

  /// Rewrites the tokens [begin, end); see Translator. Parts must be rewritten in order.
  Result<Pieces> Rewrite(size_t begin, size_t end) { return translator_->Rewrite(begin, end); }

  /// Runs a query of the engine and hands its rows out as they come. `facts` as QueryFacts gives
  /// them.
  Result<SqlResult> Stream(const Translation& translation,
                           const std::optional<std::vector<ColumnFact>>& facts);
  /// Columns of a query that is not run.
  Result<std::vector<ResultColumn>> Columns(const Translation& translation,
                                            const std::optional<std::vector<ColumnFact>>& facts);
  /// Runs something without rows; returns how many rows it changed.
  Result<int64_t> Change(const Translation& translation);
  /// Runs a statement all of whose columns are VARCHAR, to its end.
  Result<std::vector<TextRow>> Texts(const Translation& translation);
  /// As Change, in a transaction that `Commit` ends; anything else rolls it back.
  Status BeginTransaction();
  Status Commit();
  ~StatementRun();
  StatementRun(const StatementRun&) = delete;
  StatementRun& operator=(const StatementRun&) = delete;

  /// The engine's connection, leased at the first call.
  Result<duckdb_connection> connection();

  /// Reads a name of up to `most` parts at `*at` and moves behind it. A parse error when none
  /// stands there.
  Result<std::vector<std::string>> ReadName(size_t* at, size_t most = 3) const;
  /// The table that a name of one to three parts means here, in lower case.
  TableName Resolve(const std::vector<std::string>& parts) const;
  /// The facts of the table, when they are known.
  std::optional<std::vector<ColumnFact>> FactsOf(const std::vector<std::string>& parts);
  std::optional<std::vector<ColumnFact>> FactsOfQuery(size_t begin, size_t end);
  /// INSUFFICIENT_PERMISSIONS (42501) for a table of generated data.
  Status CheckWritable(const TableName& name) const;
  /// A text made by us for the statement `engine`, with all its errors pointing to the statement's
  /// begin.
  static Translation Own(std::string engine) { return {std::move(engine), {}}; }

 private:
  Status ErrorOf(std::string_view engine_text, const Translation& translation) const;
  /// Runs a statement to its end.
  Status Finish(const Translation& translation, EngineResult& result);
  Result<PreparedHandle> Prepare(const Translation& translation);

  std::shared_ptr<SessionState> session_;
  SqlRequest request_;
  std::shared_ptr<Interruption> interruption_;
  Tokens tokens_;
  size_t end_ = 0;
  TranslationContext context_;
  std::unique_ptr<Translator> translator_;
  std::unique_ptr<ConnectionLease> lease_;
  bool in_transaction_ = false;
};

/// Columns of a metadata answer.
ResultColumn TextColumn(std::string name, bool nullable = false);
ResultColumn NumberColumn(std::string name, SqlTypeId id, bool nullable = false);
/// Rows of our own as a result.
SqlResult RowsResult(StatementKind kind, std::vector<ResultColumn> columns, std::vector<Row> rows);
/// DDL: no columns, no rows.
SqlResult DoneResult();
/// DML: num_affected_rows and the other counts.
SqlResult CountsResult(const std::vector<std::pair<std::string, int64_t>>& counts);

}  // namespace dbx::local
