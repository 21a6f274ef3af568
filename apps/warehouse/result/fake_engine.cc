// SPDX-License-Identifier: Apache-2.0
#include "result/fake_engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "base/str_cat.h"

namespace dbx::local {
namespace {

class FakeRows final : public RowSource {
 public:
  explicit FakeRows(const FakeResult& result) : result_(result) {
    if (result.batches) batches_ = result.batches();
  }

  Result<bool> Next(ArrowArray* batch) override {
    if (result_.rows_gate && next_ >= result_.gated_from)
      RETURN_IF_ERROR(result_.rows_gate->Wait());
    if (next_ == batches_.size()) {
      RETURN_IF_ERROR(result_.rows_error);
      return false;
    }
    ArrowArrayMove(batches_[next_++].get(), batch);
    return true;
  }

 private:
  const FakeResult& result_;
  std::vector<nanoarrow::UniqueArray> batches_;
  size_t next_ = 0;
};

class FakeStatement final : public SqlStatement {
 public:
  explicit FakeStatement(const FakeResult* result) : result_(result) {}

  Result<SqlResult> Run() override {
    if (result_ == nullptr) {
      return Status::NotFound(
                 "[TABLE_OR_VIEW_NOT_FOUND] The table cannot be found. SQLSTATE: 42P01 (line 1, "
                 "pos 14)")
          .WithErrorClass("TABLE_OR_VIEW_NOT_FOUND")
          .WithSqlstate("42P01");
    }
    if (result_->run_gate) RETURN_IF_ERROR(result_->run_gate->Wait());
    RETURN_IF_ERROR(result_->error);
    return SqlResult{.kind = result_->kind,
                     .columns = result_->columns,
                     .modified_rows = result_->modified_rows,
                     .rows = std::make_unique<FakeRows>(*result_)};
  }

  void Interrupt() override {
    if (result_ == nullptr) return;
    if (result_->run_gate) result_->run_gate->Interrupt();
    if (result_->rows_gate) result_->rows_gate->Interrupt();
  }

 private:
  const FakeResult* const result_;
};

KeyColumn Key(std::string table, std::string column, std::string name) {
  return {.catalog = "main",
          .schema = "shop",
          .table = std::move(table),
          .column = std::move(column),
          .key_name = std::move(name),
          .position = 1};
}

}  // namespace

class FakeSession final : public SqlSession {
 public:
  FakeSession(FakeEngine* engine, std::string catalog, std::string schema)
      : engine_(engine), catalog_(std::move(catalog)), schema_(std::move(schema)) {}

  std::unique_ptr<SqlStatement> Prepare(SqlRequest request) override {
    const auto found = engine_->results.find(request.sql);
    const FakeResult* const result = found == engine_->results.end() ? nullptr : &found->second;
    MutexLock lock(engine_->mutex_);
    engine_->requests_.push_back(std::move(request));
    return std::make_unique<FakeStatement>(result);
  }

  std::string catalog() const override { return catalog_; }
  std::string schema() const override { return schema_; }
  std::string time_zone() const override { return engine_->time_zone; }
  Status SetConf(std::string_view, std::string_view) override { return Status::Ok(); }

  Result<std::vector<std::string>> Catalogs() override {
    return std::vector<std::string>{"hive_metastore", "main"};
  }

  Result<std::vector<std::pair<std::string, std::string>>> Schemas(
      std::optional<std::string> catalog, std::optional<std::string>) override {
    std::vector<std::pair<std::string, std::string>> all;
    if (!catalog || catalog == "%" || catalog == "main")
      all = {{"main", "default"}, {"main", "shop"}};
    return all;
  }

  Result<std::vector<TableInfo>> Tables(std::optional<std::string> catalog,
                                        std::optional<std::string>, std::optional<std::string>,
                                        const std::vector<std::string>& types) override {
    if (catalog && catalog != "main" && catalog != "%") return std::vector<TableInfo>();
    std::vector<TableInfo> all = {{"main", "shop", "orders", "TABLE", ""},
                                  {"main", "shop", "recent", "VIEW", "new"}};
    std::erase_if(all, [&](const TableInfo& table) {
      return !types.empty() && std::find(types.begin(), types.end(), table.type) == types.end();
    });
    return all;
  }

  Result<std::vector<ColumnInfo>> Columns(std::optional<std::string>, std::optional<std::string>,
                                          std::optional<std::string>,
                                          std::optional<std::string>) override {
    const auto column = [](std::string name, SqlType type, bool nullable, int32_t position) {
      return ColumnInfo{
          .catalog = "main",
          .schema = "shop",
          .table = "orders",
          .column = {.name = std::move(name), .type = std::move(type), .nullable = nullable},
          .position = position};
    };
    return std::vector<ColumnInfo>{
        column("id", {.id = SqlTypeId::kBigint}, false, 0),
        column("price", {.id = SqlTypeId::kDecimal, .precision = 10, .scale = 2}, true, 1),
        column("code", {.id = SqlTypeId::kVarchar, .length = 12}, true, 2),
    };
  }

  Result<std::vector<KeyColumn>> PrimaryKeys(const std::string&, const std::string&,
                                             const std::string& table) override {
    if (table != "orders") return std::vector<KeyColumn>();
    return std::vector<KeyColumn>{Key("orders", "id", "orders_pk")};
  }

  Result<std::vector<ForeignKeyColumn>> ForeignKeys(std::optional<TableInfo> parent,
                                                    std::optional<TableInfo> child) override {
    if ((parent && parent->name != "customers") || (child && child->name != "orders")) {
      return std::vector<ForeignKeyColumn>();
    }
    return std::vector<ForeignKeyColumn>{{.primary = Key("customers", "id", "customers_pk"),
                                          .foreign = Key("orders", "customer", "orders_fk")}};
  }

 private:
  FakeEngine* const engine_;
  const std::string catalog_, schema_;
};

void Gate::Open() {
  MutexLock lock(mutex_);
  open_ = true;
  changed_.NotifyAll();
}

void Gate::Interrupt() {
  MutexLock lock(mutex_);
  interrupted_ = true;
  changed_.NotifyAll();
}

Status Gate::Wait() {
  MutexLock lock(mutex_);
  arrived_ += 1;
  changed_.NotifyAll();
  while (!open_ && !interrupted_) changed_.Wait(mutex_);
  return interrupted_ ? Status::Cancelled("interrupted") : Status::Ok();
}

void Gate::WaitForArrival() {
  MutexLock lock(mutex_);
  while (arrived_ == 0) changed_.Wait(mutex_);
}

Result<std::unique_ptr<SqlSession>> FakeEngine::NewSession(
    std::optional<std::string> catalog, std::optional<std::string> schema,
    const std::map<std::string, std::string>& confs) {
  if (catalog == "missing") {
    return Status::NotFound("[CATALOG_NOT_FOUND] The catalog cannot be found. SQLSTATE: 42704")
        .WithErrorClass("CATALOG_NOT_FOUND")
        .WithSqlstate("42704");
  }
  MutexLock lock(mutex_);
  last_confs_ = confs;
  return std::unique_ptr<SqlSession>(
      std::make_unique<FakeSession>(this, catalog.value_or("main"), schema.value_or("default")));
}

std::vector<SqlRequest> FakeEngine::requests() {
  MutexLock lock(mutex_);
  return requests_;
}

std::map<std::string, std::string> FakeEngine::last_confs() {
  MutexLock lock(mutex_);
  return last_confs_;
}

std::vector<ResultColumn> NumberedColumns() {
  return {{.name = "id", .type = {.id = SqlTypeId::kBigint}, .nullable = false},
          {.name = "name", .type = {.id = SqlTypeId::kString}}};
}

nanoarrow::UniqueArray NumberedRows(int64_t first, int64_t num_rows) {
  nanoarrow::UniqueArray batch;
  EXPECT_EQ(ArrowArrayInitFromType(batch.get(), NANOARROW_TYPE_STRUCT), NANOARROW_OK);
  EXPECT_EQ(ArrowArrayAllocateChildren(batch.get(), 2), NANOARROW_OK);
  EXPECT_EQ(ArrowArrayInitFromType(batch->children[0], NANOARROW_TYPE_INT64), NANOARROW_OK);
  EXPECT_EQ(ArrowArrayInitFromType(batch->children[1], NANOARROW_TYPE_STRING), NANOARROW_OK);
  EXPECT_EQ(ArrowArrayStartAppending(batch.get()), NANOARROW_OK);
  for (int64_t row = first; row < first + num_rows; ++row) {
    EXPECT_EQ(ArrowArrayAppendInt(batch->children[0], row), NANOARROW_OK);
    if (row % 7 == 6) {
      EXPECT_EQ(ArrowArrayAppendNull(batch->children[1], 1), NANOARROW_OK);
    } else {
      const std::string name = StrCat("name ", row);
      EXPECT_EQ(ArrowArrayAppendString(batch->children[1], ArrowCharView(name.c_str())),
                NANOARROW_OK);
    }
    EXPECT_EQ(ArrowArrayFinishElement(batch.get()), NANOARROW_OK);
  }
  EXPECT_EQ(ArrowArrayFinishBuildingDefault(batch.get(), nullptr), NANOARROW_OK);
  return batch;
}

FakeResult NumberedResult(int64_t num_rows) {
  FakeResult result{.columns = NumberedColumns()};
  result.batches = [num_rows] {
    std::vector<nanoarrow::UniqueArray> batches;
    for (int64_t first = 0; first < num_rows; first += 4096) {
      batches.push_back(NumberedRows(first, std::min<int64_t>(4096, num_rows - first)));
    }
    return batches;
  };
  return result;
}

nanoarrow::UniqueArray OneColumn(const std::string& arrow_format,
                                 const std::function<void(ArrowArray*)>& fill) {
  nanoarrow::UniqueArray batch;
  nanoarrow::UniqueSchema child;
  EXPECT_EQ(ArrowArrayInitFromType(batch.get(), NANOARROW_TYPE_STRUCT), NANOARROW_OK);
  EXPECT_EQ(ArrowArrayAllocateChildren(batch.get(), 1), NANOARROW_OK);
  ArrowSchemaInit(child.get());
  EXPECT_EQ(ArrowSchemaSetFormat(child.get(), arrow_format.c_str()), NANOARROW_OK);
  EXPECT_EQ(ArrowArrayInitFromSchema(batch->children[0], child.get(), nullptr), NANOARROW_OK);
  EXPECT_EQ(ArrowArrayStartAppending(batch.get()), NANOARROW_OK);
  fill(batch->children[0]);
  const int64_t num_rows = batch->children[0]->length;
  EXPECT_EQ(ArrowArrayFinishBuildingDefault(batch.get(), nullptr), NANOARROW_OK);
  batch->length = num_rows;
  return batch;
}

}  // namespace dbx::local
