// SPDX-License-Identifier: Apache-2.0
#include "sql/sql_testing.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "arrow-adbc/adbc.h"
#include "base/str_cat.h"

namespace dbx::local {
namespace {

template <typename T>
T ValueAt(const ArrowArray& array, int64_t row) {
  T value;
  std::memcpy(&value,
              static_cast<const char*>(array.buffers[1]) + static_cast<size_t>(row) * sizeof(T),
              sizeof(T));
  return value;
}

bool BitAt(const void* bits, int64_t row) {
  return ((static_cast<const uint8_t*>(bits)[row / 8] >> (row % 8)) & 1) != 0;
}

std::string TextAt(const ArrowArray& array, int64_t row) {
  const auto* const offsets = static_cast<const int32_t*>(array.buffers[1]);
  return std::string(static_cast<const char*>(array.buffers[2]) + offsets[row],
                     static_cast<size_t>(offsets[row + 1] - offsets[row]));
}

/// All test values fit the low half.
std::string DecimalAt(const ArrowArray& array, int64_t row, int32_t scale) {
  int64_t halves[2];
  std::memcpy(halves, static_cast<const char*>(array.buffers[1]) + row * 16, 16);
  const bool negative = halves[1] < 0;
  std::string digits = std::to_string(negative ? -halves[0] : halves[0]);
  if (scale > 0) {
    while (digits.size() <= static_cast<size_t>(scale)) digits.insert(digits.begin(), '0');
    digits.insert(digits.size() - static_cast<size_t>(scale), ".");
  }
  return negative ? "-" + digits : digits;
}

std::string ListText(const SqlType& type, const ArrowArray& array, int64_t row) {
  const auto* const offsets = static_cast<const int32_t*>(array.buffers[1]);
  std::string text = "[";
  for (int32_t i = offsets[row]; i < offsets[row + 1]; ++i) {
    if (i > offsets[row]) text += ",";
    if (type.id == SqlTypeId::kArray) {
      text += CellText(type.children[0], *array.children[0], i);
    } else {
      const ArrowArray& entries = *array.children[0];
      text += StrCat(CellText(type.children[0], *entries.children[0], i), ":",
                     CellText(type.children[1], *entries.children[1], i));
    }
  }
  return text + "]";
}

std::string StructText(const SqlType& type, const ArrowArray& array, int64_t row) {
  std::string text = "{";
  for (size_t i = 0; i < type.children.size(); ++i) {
    text += StrCat(i == 0 ? "" : ",", type.field_names[i], "=",
                   CellText(type.children[i], *array.children[i], row));
  }
  return text + "}";
}

}  // namespace

TestFolder::TestFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "local_sql_XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) std::abort();
  path_ = pattern;
}

TestFolder::~TestFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string CellText(const SqlType& type, const ArrowArray& array, int64_t row) {
  if (type.id == SqlTypeId::kVoid) return "NULL";
  if (array.buffers[0] != nullptr && !BitAt(array.buffers[0], row)) return "NULL";
  switch (type.id) {
    case SqlTypeId::kBoolean:
      return BitAt(array.buffers[1], row) ? "true" : "false";
    case SqlTypeId::kTinyint:
      return std::to_string(ValueAt<int8_t>(array, row));
    case SqlTypeId::kSmallint:
      return std::to_string(ValueAt<int16_t>(array, row));
    case SqlTypeId::kInt:
    case SqlTypeId::kDate:
    case SqlTypeId::kIntervalYearMonth:
      return std::to_string(ValueAt<int32_t>(array, row));
    case SqlTypeId::kFloat:
      return StrCat(ValueAt<float>(array, row));
    case SqlTypeId::kDouble:
      return StrCat(ValueAt<double>(array, row));
    case SqlTypeId::kDecimal:
      return DecimalAt(array, row, type.scale);
    case SqlTypeId::kString:
    case SqlTypeId::kVarchar:
    case SqlTypeId::kChar:
    case SqlTypeId::kVariant:
    case SqlTypeId::kBinary:
      return TextAt(array, row);
    case SqlTypeId::kArray:
    case SqlTypeId::kMap:
      return ListText(type, array, row);
    case SqlTypeId::kStruct:
      return StructText(type, array, row);
    default:
      return std::to_string(ValueAt<int64_t>(array, row));
  }
}

ReadResult ReadAll(SqlSession& session, SqlRequest request) {
  ReadResult read;
  const std::unique_ptr<SqlStatement> statement = session.Prepare(std::move(request));
  Result<SqlResult> result = statement->Run();
  if (!result.ok()) {
    read.status = result.status();
    return read;
  }
  read.result = *std::move(result);
  for (const ResultColumn& column : read.result.columns) {
    read.columns.push_back(
        StrCat(column.name, " ", column.type.Text(), column.nullable ? "" : " NOT NULL"));
  }
  while (true) {
    ArrowArray batch = {};
    const Result<bool> more = read.result.rows->Next(&batch);
    if (!more.ok()) read.status = more.status();
    if (!more.ok() || !*more) break;
    read.batch_rows.push_back(batch.length);
    for (int64_t row = 0; row < batch.length; ++row) {
      std::string text;
      for (size_t i = 0; i < read.result.columns.size(); ++i) {
        text += StrCat(i == 0 ? "" : " | ",
                       CellText(read.result.columns[i].type, *batch.children[i], row));
      }
      read.rows.push_back(std::move(text));
    }
    batch.release(&batch);
  }
  read.result.rows.reset();
  return read;
}

}  // namespace dbx::local
