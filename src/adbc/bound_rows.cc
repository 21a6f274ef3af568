// SPDX-License-Identifier: Apache-2.0
#include "adbc/bound_rows.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/str_cat.h"

namespace dbx {
namespace {

Status CheckIsStruct(const ArrowSchema* schema) {
  if (schema->format == nullptr || std::strcmp(schema->format, "+s") != 0) {
    return Status::InvalidArgument(
        "bind: the data must be rows, a struct with one child a parameter");
  }
  return Status::Ok();
}

Status CheckNames(const ParameterMarkers& markers, const std::vector<std::string>& names) {
  for (const ParameterMarkers::Named& marker : markers.named) {
    const auto columns = std::count(names.begin(), names.end(), marker.name);
    if (columns == 1) continue;
    return Status::InvalidArgument(
        StrCat("the marker :", marker.name, " has ", columns, " bound columns of its name"));
  }
  for (const std::string& name : names) {
    const bool marked =
        std::any_of(markers.named.begin(), markers.named.end(),
                    [&name](const ParameterMarkers::Named& marker) { return marker.name == name; });
    if (!marked) {
      return Status::InvalidArgument(StrCat("the statement has no marker :", name));
    }
  }
  return Status::Ok();
}

}  // namespace

Result<nanoarrow::UniqueArrayStream> TakeBatch(ArrowArray* values, ArrowSchema* schema) {
  const bool usable = values != nullptr && values->release != nullptr && schema != nullptr &&
                      schema->release != nullptr;
  if (!usable) return Status::InvalidArgument("bind: no array and schema, or released ones");
  RETURN_IF_ERROR(CheckIsStruct(schema));
  nanoarrow::UniqueArrayStream stream;
  if (ArrowBasicArrayStreamInit(stream.get(), schema, 1) != NANOARROW_OK) {
    return Status::Internal("bind: out of memory");
  }
  ArrowBasicArrayStreamSetArray(stream.get(), 0, values);
  return stream;
}

Result<nanoarrow::UniqueArrayStream> TakeStream(ArrowArrayStream* stream) {
  if (stream == nullptr || stream->release == nullptr) {
    return Status::InvalidArgument("bind: no stream, or a released one");
  }
  return nanoarrow::UniqueArrayStream(stream);
}

Result<BoundRows> BoundRows::Open(nanoarrow::UniqueArrayStream stream) {
  BoundRows rows;
  rows.stream_ = std::move(stream);
  ArrowError error = {};
  if (ArrowArrayStreamGetSchema(rows.stream_.get(), rows.schema_.get(), &error) != NANOARROW_OK) {
    return Status::Io(StrCat("bound data: ", ArrowErrorMessage(&error)));
  }
  RETURN_IF_ERROR(CheckIsStruct(rows.schema_.get()));
  for (int64_t i = 0; i < rows.schema_->n_children; ++i) {
    ASSIGN_OR_RETURN(ParameterColumn column, ParameterColumn::Make(rows.schema_->children[i]));
    rows.columns_.push_back(std::move(column));
  }
  const int failure = ArrowArrayViewInitFromSchema(rows.view_.get(), rows.schema_.get(), &error);
  if (failure != NANOARROW_OK) {
    return Status::InvalidArgument(StrCat("bound data: ", ArrowErrorMessage(&error)));
  }
  return rows;
}

Result<bool> BoundRows::NextBatch() {
  batch_.reset();
  next_row_ = 0;
  ArrowError error = {};
  if (ArrowArrayStreamGetNext(stream_.get(), batch_.get(), &error) != NANOARROW_OK) {
    return Status::Io(StrCat("bound data: ", ArrowErrorMessage(&error)));
  }
  if (batch_->release == nullptr) return false;
  int failure = ArrowArrayViewSetArray(view_.get(), batch_.get(), &error);
  if (failure == NANOARROW_OK) {
    failure = ArrowArrayViewValidate(view_.get(), NANOARROW_VALIDATION_LEVEL_FULL, &error);
  }
  if (failure == NANOARROW_OK) return true;
  return Status::InvalidArgument(StrCat("bound data: ", ArrowErrorMessage(&error)));
}

Result<std::optional<std::vector<BoundValue>>> BoundRows::Next() {
  while (batch_->release == nullptr || next_row_ == batch_->length) {
    ASSIGN_OR_RETURN(const bool more, NextBatch());
    if (!more) return std::optional<std::vector<BoundValue>>();
  }
  ASSIGN_OR_RETURN(std::vector<BoundValue> values, RowAt(next_row_++));
  return std::optional(std::move(values));
}

Result<std::vector<BoundValue>> BoundRows::RowAt(int64_t row) const {
  if (ArrowArrayViewIsNull(view_.get(), row)) {
    return Status::InvalidArgument(StrCat("bound data: row ", row, " is NULL as a whole"));
  }
  std::vector<BoundValue> values;
  for (size_t i = 0; i < columns_.size(); ++i) {
    // The struct's own offset counts for its children too.
    ASSIGN_OR_RETURN(BoundValue value, columns_[i].At(view_->children[i], view_->offset + row));
    values.push_back(std::move(value));
  }
  return values;
}

std::vector<std::string> BoundRows::names() const {
  std::vector<std::string> names;
  for (int64_t i = 0; i < schema_->n_children; ++i) {
    const char* const name = schema_->children[i]->name;
    names.emplace_back(name ? name : "");
  }
  return names;
}

Status BindRow(std::string_view sql, const ParameterMarkers& markers,
               std::vector<BoundValue> values, StatementRequest* request) {
  if (!markers.uncertain && values.size() != markers.offsets.size()) {
    return Status::InvalidArgument(StrCat("the statement has ", markers.offsets.size(),
                                          " parameter markers, and ", values.size(),
                                          " values are bound"));
  }
  const bool any_literal = std::any_of(
      values.begin(), values.end(), [](const BoundValue& value) { return !value.literal.empty(); });
  if (any_literal && markers.uncertain) {
    return Status::NotImplemented("binary values cannot be bound to a statement that holds '?::'");
  }
  std::string text;
  size_t done = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].literal.empty()) {
      request->parameters.push_back(std::move(values[i].parameter));
      continue;
    }
    text = StrCat(text, sql.substr(done, markers.offsets[i] - done), values[i].literal);
    done = markers.offsets[i] + 1;
  }
  request->sql = StrCat(text, sql.substr(done));
  return Status::Ok();
}

Status BindRowByName(std::string_view sql, const ParameterMarkers& markers,
                     const std::vector<std::string>& names, std::vector<BoundValue> values,
                     StatementRequest* request) {
  RETURN_IF_ERROR(CheckNames(markers, names));
  std::string text;
  size_t done = 0;
  for (const ParameterMarkers::Named& marker : markers.named) {
    const auto column = std::find(names.begin(), names.end(), marker.name) - names.begin();
    const std::string& literal = values[static_cast<size_t>(column)].literal;
    if (literal.empty()) continue;
    text = StrCat(text, sql.substr(done, marker.offset - done), literal);
    done = marker.offset + 1 + marker.name.size();
  }
  request->sql = StrCat(text, sql.substr(done));
  for (size_t i = 0; i < values.size(); ++i) {
    if (!values[i].literal.empty()) continue;
    values[i].parameter.name = names[i];
    request->parameters.push_back(std::move(values[i].parameter));
  }
  return Status::Ok();
}

}  // namespace dbx
