// SPDX-License-Identifier: Apache-2.0
#include "thrift/column_set.h"

#include <nanoarrow/nanoarrow.h>

#include <cstring>
#include <string>
#include <utility>

#include "result/arrow_types.h"
#include "result/record_batch_writer.h"
#include "result/text_format.h"

namespace dbx::local {
namespace {

/// Bit i set: row i is NULL.
class NullBits {
 public:
  void Set(int64_t row) {
    const auto byte = static_cast<size_t>(row / 8);
    if (bits_.size() <= byte) bits_.resize(byte + 1);
    bits_[byte] = static_cast<char>(bits_[byte] | 1 << row % 8);
    highest_ = row;
  }
  std::string Take() {
    bits_.resize(static_cast<size_t>(1 + (highest_ + 1) / 8));
    return std::move(bits_);
  }

 private:
  std::string bits_;
  int64_t highest_ = -1;
};

struct ColumnRows {
  const SqlType& type;
  size_t index;
  const std::vector<RowRange>& ranges;
};

/// Calls `add(array, row)` for a value, `add_null()` for a NULL; returns the bitmap.
template <typename Add, typename AddNull>
std::string ForEachRow(const ColumnRows& rows, Add add, AddNull add_null) {
  NullBits nulls;
  int64_t position = 0;
  for (const RowRange& range : rows.ranges) {
    const ArrowArray& array = *range.batch->children[rows.index];
    for (int64_t row = range.first; row < range.first + range.count; ++row, ++position) {
      const int64_t in_child = row + range.batch->offset;
      if (IsNull(rows.type, array, in_child)) {
        nulls.Set(position);
        add_null();
      } else {
        add(array, in_child);
      }
    }
  }
  return nulls.Take();
}

template <typename Stored, typename Column>
Column Numbers(const ColumnRows& rows) {
  Column column;
  column.nulls = ForEachRow(
      rows,
      [&](const ArrowArray& array, int64_t row) {
        Stored value;
        std::memcpy(&value,
                    static_cast<const uint8_t*>(array.buffers[1]) +
                        static_cast<size_t>(row + array.offset) * sizeof(value),
                    sizeof(value));
        column.values.push_back(value);
      },
      [&] { column.values.emplace_back(); });
  return column;
}

thrift::TBoolColumn Booleans(const ColumnRows& rows) {
  thrift::TBoolColumn column;
  column.nulls = ForEachRow(
      rows,
      [&](const ArrowArray& array, int64_t row) {
        column.values.push_back(
            ArrowBitGet(static_cast<const uint8_t*>(array.buffers[1]), row + array.offset) != 0);
      },
      [&] { column.values.push_back(false); });
  return column;
}

template <typename Column>
Column Texts(const ColumnRows& rows, const TimeZone& zone) {
  Column column;
  column.nulls = ForEachRow(
      rows,
      [&](const ArrowArray& array, int64_t row) {
        AppendText(rows.type, array, row, zone, &column.values.emplace_back());
      },
      [&] { column.values.emplace_back(); });
  return column;
}

thrift::TColumn MakeColumn(const ColumnRows& rows, const TimeZone& zone) {
  thrift::TColumn column;
  switch (rows.type.id) {
    case SqlTypeId::kBoolean:
      column.__set_boolVal(Booleans(rows));
      break;
    case SqlTypeId::kTinyint:
      column.__set_byteVal(Numbers<int8_t, thrift::TByteColumn>(rows));
      break;
    case SqlTypeId::kSmallint:
      column.__set_i16Val(Numbers<int16_t, thrift::TI16Column>(rows));
      break;
    case SqlTypeId::kInt:
      column.__set_i32Val(Numbers<int32_t, thrift::TI32Column>(rows));
      break;
    case SqlTypeId::kBigint:
      column.__set_i64Val(Numbers<int64_t, thrift::TI64Column>(rows));
      break;
    case SqlTypeId::kFloat:
      column.__set_doubleVal(Numbers<float, thrift::TDoubleColumn>(rows));
      break;
    case SqlTypeId::kDouble:
      column.__set_doubleVal(Numbers<double, thrift::TDoubleColumn>(rows));
      break;
    case SqlTypeId::kBinary:
      column.__set_binaryVal(Texts<thrift::TBinaryColumn>(rows, zone));
      break;
    default:
      column.__set_stringVal(Texts<thrift::TStringColumn>(rows, zone));
      break;
  }
  return column;
}

}  // namespace

std::vector<thrift::TColumn> MakeColumns(const std::vector<ResultColumn>& columns,
                                         const std::vector<RowRange>& ranges,
                                         const TimeZone& zone) {
  std::vector<thrift::TColumn> made;
  made.reserve(columns.size());
  for (size_t i = 0; i < columns.size(); ++i)
    made.push_back(MakeColumn({columns[i].type, i, ranges}, zone));
  return made;
}

int64_t EstimateBytes(const std::vector<ResultColumn>& columns, const RowRange& range) {
  std::vector<ColumnLayout> layouts;
  std::vector<const ArrowArray*> arrays;
  for (size_t i = 0; i < columns.size(); ++i) {
    layouts.push_back(LayoutOf(columns[i].type, kAllNative));
    arrays.push_back(range.batch->children[i]);
  }
  return RecordBatchWriter(std::move(layouts))
      .BodyBytes(arrays, range.first + range.batch->offset, range.count);
}

}  // namespace dbx::local
