// SPDX-License-Identifier: Apache-2.0
#include "metadata/testing/fake_session.h"

#include <utility>

#include "metadata/ready_stream.h"
#include "nanoarrow/nanoarrow.hpp"

namespace dbx {

std::shared_ptr<const Schema> Int64Schema(const std::vector<std::string>& columns) {
  nanoarrow::UniqueSchema schema;
  ArrowSchemaInit(schema.get());
  NANOARROW_THROW_NOT_OK(
      ArrowSchemaSetTypeStruct(schema.get(), static_cast<int64_t>(columns.size())));
  for (size_t i = 0; i < columns.size(); ++i) {
    NANOARROW_THROW_NOT_OK(ArrowSchemaSetType(schema->children[i], NANOARROW_TYPE_INT64));
    NANOARROW_THROW_NOT_OK(ArrowSchemaSetName(schema->children[i], columns[i].c_str()));
  }
  return Schema::Take(schema.get()).value();
}

RecordBatch Int64Batch(const std::vector<int64_t>& values) {
  const std::shared_ptr<const Schema> schema = Int64Schema({"n"});
  nanoarrow::UniqueArray array;
  NANOARROW_THROW_NOT_OK(ArrowArrayInitFromSchema(array.get(), schema->c_schema(), nullptr));
  NANOARROW_THROW_NOT_OK(ArrowArrayStartAppending(array.get()));
  for (const int64_t value : values) {
    NANOARROW_THROW_NOT_OK(ArrowArrayAppendInt(array->children[0], value));
    NANOARROW_THROW_NOT_OK(ArrowArrayFinishElement(array.get()));
  }
  NANOARROW_THROW_NOT_OK(ArrowArrayFinishBuildingDefault(array.get(), nullptr));
  return RecordBatch(array.get());
}

Execution Int64Result(const std::string& column, const std::vector<std::vector<int64_t>>& batches) {
  Execution execution;
  execution.statement_id = "01f0-fake";
  execution.manifest.schema = Int64Schema({column});
  std::vector<RecordBatch> rows;
  rows.reserve(batches.size());
  for (const std::vector<int64_t>& values : batches) rows.push_back(Int64Batch(values));
  execution.rows = MakeReadyStream(execution.manifest.schema, std::move(rows));
  return execution;
}

FakeSession::~FakeSession() {
  MutexLock lock(record_->mutex);
  ++record_->num_closed;
}

Result<Execution> FakeSession::Execute(const StatementRequest& request,
                                       Cancellation* cancellation) {
  {
    MutexLock lock(record_->mutex);
    record_->requests.push_back(request);
  }
  return on_execute_(request, cancellation);
}

std::string FakeSession::catalog() const {
  MutexLock lock(record_->mutex);
  return record_->catalog;
}

std::string FakeSession::schema() const {
  MutexLock lock(record_->mutex);
  return record_->schema;
}

Status FakeSession::SetCatalog(const std::string& catalog) {
  if (catalog.starts_with("missing")) {
    return Status::NotFound("no such catalog").WithSqlstate("42704");
  }
  MutexLock lock(record_->mutex);
  record_->catalog = catalog;
  return Status::Ok();
}

Status FakeSession::SetSchema(const std::string& schema) {
  if (schema.starts_with("missing")) return Status::NotFound("no such schema");
  MutexLock lock(record_->mutex);
  record_->schema = schema;
  return Status::Ok();
}

Result<std::vector<std::string>> FakeSession::TableTypes() {
  return std::vector<std::string>{"TABLE", "VIEW"};
}

Result<std::string> FakeSession::ServerVersion() {
  return std::string("17.3");
}

}  // namespace dbx
