// SPDX-License-Identifier: Apache-2.0
// Engine, session and statement as engine.h promises them.
#include <algorithm>
#include <memory>
#include <utility>

#include "sql/database.h"
#include "sql/engine.h"
#include "sql/errors.h"
#include "sql/interruption.h"
#include "sql/metadata.h"
#include "sql/session_state.h"
#include "sql/sql_text.h"
#include "sql/statement_handlers.h"
#include "sql/statement_run.h"

namespace dbx::local {
namespace {

class LocalStatement : public SqlStatement {
 public:
  LocalStatement(std::shared_ptr<SessionState> state, SqlRequest request)
      : state_(std::move(state)),
        request_(std::move(request)),
        interruption_(std::make_shared<Interruption>()) {}

  Result<SqlResult> Run() override {
    StatementRun run(state_, std::move(request_), interruption_);
    RETURN_IF_ERROR(run.Begin());
    return RunStatement(run);
  }
  void Interrupt() override { interruption_->Request(); }

 private:
  std::shared_ptr<SessionState> state_;
  SqlRequest request_;
  std::shared_ptr<Interruption> interruption_;
};

NameFilter Like(const std::optional<std::string>& pattern) {
  return pattern ? LikePattern(*pattern) : AnyName();
}

/// A catalog is a name, but "%" means all.
NameFilter Catalog(const std::optional<std::string>& catalog) {
  return !catalog || *catalog == "%" ? AnyName() : ExactName(*catalog);
}

TableName Lower(const TableInfo& table) {
  return {ToLower(table.catalog), ToLower(table.schema), ToLower(table.name)};
}

class LocalSession : public SqlSession {
 public:
  explicit LocalSession(std::shared_ptr<SessionState> state) : state_(std::move(state)) {}

  std::unique_ptr<SqlStatement> Prepare(SqlRequest request) override {
    return std::make_unique<LocalStatement>(state_, std::move(request));
  }
  std::string catalog() const override { return state_->catalog(); }
  std::string schema() const override { return state_->schema(); }
  std::string time_zone() const override { return state_->time_zone(); }
  Status SetConf(std::string_view key, std::string_view value) override {
    return state_->SetConf(key, value);
  }

  Result<std::vector<std::string>> Catalogs() override {
    return FindCatalogs(state_->database(), AnyName());
  }
  Result<std::vector<std::pair<std::string, std::string>>> Schemas(
      std::optional<std::string> catalog, std::optional<std::string> schema) override {
    return FindSchemas(state_->database(), Catalog(catalog), Like(schema));
  }
  Result<std::vector<TableInfo>> Tables(std::optional<std::string> catalog,
                                        std::optional<std::string> schema,
                                        std::optional<std::string> table,
                                        const std::vector<std::string>& types) override {
    ASSIGN_OR_RETURN(std::vector<TableInfo> tables,
                     FindTables(state_->database(), Like(catalog), Like(schema), Like(table)));
    std::erase_if(tables, [&](const TableInfo& info) {
      return !types.empty() && std::find(types.begin(), types.end(), info.type) == types.end();
    });
    return tables;
  }
  Result<std::vector<ColumnInfo>> Columns(std::optional<std::string> catalog,
                                          std::optional<std::string> schema,
                                          std::optional<std::string> table,
                                          std::optional<std::string> column) override {
    return FindColumns(state_->database(), Catalog(catalog), Like(schema), Like(table),
                       Like(column));
  }
  Result<std::vector<KeyColumn>> PrimaryKeys(const std::string& catalog, const std::string& schema,
                                             const std::string& table) override {
    return FindPrimaryKey(state_->database(), {ToLower(catalog), ToLower(schema), ToLower(table)});
  }
  Result<std::vector<ForeignKeyColumn>> ForeignKeys(std::optional<TableInfo> parent,
                                                    std::optional<TableInfo> child) override {
    return FindForeignKeys(state_->database(),
                           parent ? std::optional(Lower(*parent)) : std::nullopt,
                           child ? std::optional(Lower(*child)) : std::nullopt);
  }

 private:
  std::shared_ptr<SessionState> state_;
};

class LocalEngine : public Engine {
 public:
  explicit LocalEngine(std::shared_ptr<Database> database) : database_(std::move(database)) {}

  Result<std::unique_ptr<SqlSession>> NewSession(
      std::optional<std::string> catalog, std::optional<std::string> schema,
      const std::map<std::string, std::string>& confs) override {
    std::string name = ToLower(catalog.value_or(""));
    // An old name by which clients mean the catalog that is the default.
    if (name.empty() || name == "spark") name = "main";
    const std::string in = schema && !schema->empty() ? *schema : "default";
    ASSIGN_OR_RETURN(std::shared_ptr<SessionState> state, SessionState::Make(database_, name, in));
    for (const auto& [key, value] : confs) RETURN_IF_ERROR(state->SetConf(key, value));
    return std::unique_ptr<SqlSession>(std::make_unique<LocalSession>(std::move(state)));
  }

 private:
  std::shared_ptr<Database> database_;
};

}  // namespace

Result<std::unique_ptr<Engine>> Engine::Open(const EngineOptions& options) {
  ASSIGN_OR_RETURN(std::shared_ptr<Database> database, Database::Open(options));
  return std::unique_ptr<Engine>(std::make_unique<LocalEngine>(std::move(database)));
}

}  // namespace dbx::local
