// SPDX-License-Identifier: Apache-2.0
#include "sql/column_builder.h"

#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sql/engine_handles.h"
#include "sql/errors.h"
#include "sql/validity.h"
#include "sql/variant_text.h"

namespace dbx::local {
namespace {

__extension__ using Int128 = __int128;

constexpr size_t kMaxTextBytes = INT32_MAX;

Status Overflow() {
  return SqlError(StatusCode::kInvalidArgument, "NUMERIC_VALUE_OUT_OF_RANGE", "22003",
                  "A value of the result does not fit the type of its column");
}

Status TextsTooLong() {
  return SqlError(StatusCode::kInvalidArgument, "UNSUPPORTED_FEATURE", "0A000",
                  "The texts of one batch are longer than 2 GiB");
}

template <typename T>
const T* Values(duckdb_vector vector, idx_t offset) {
  return static_cast<const T*>(duckdb_vector_get_data(vector)) + offset;
}

/// Fixed width on both sides and the same bytes.
template <size_t kWidth>
class CopiedColumn : public ColumnBuilder {
 public:
  Status Append(duckdb_vector vector, idx_t offset, idx_t count) override {
    validity_.Append(duckdb_vector_get_validity(vector), offset, count);
    const auto* const from =
        static_cast<const uint8_t*>(duckdb_vector_get_data(vector)) + offset * kWidth;
    std::memcpy(values_.Extend(count * kWidth), from, count * kWidth);
    return Status::Ok();
  }
  void Finish(ArrowArray* array) override {
    const int64_t length = validity_.length();
    const int64_t null_count = validity_.null_count();
    std::vector<GrowingBuffer> buffers(2);
    buffers[0] = validity_.Take();
    buffers[1] = std::exchange(values_, GrowingBuffer());
    FillArray(length, null_count, std::move(buffers), {}, array);
  }

 protected:
  Validity validity_;
  GrowingBuffer values_;
};

/// Fixed width on both sides; `kMap(in, &out)` is false when the value does not fit.
template <typename In, typename Out, bool (*kMap)(const In&, Out*)>
class MappedColumn : public CopiedColumn<sizeof(Out)> {
 public:
  Status Append(duckdb_vector vector, idx_t offset, idx_t count) override {
    const uint64_t* const mask = duckdb_vector_get_validity(vector);
    this->validity_.Append(mask, offset, count);
    const In* const from = Values<In>(vector, offset);
    auto* const to = reinterpret_cast<Out*>(this->values_.Extend(count * sizeof(Out)));
    bool fits = true;
    for (idx_t i = 0; i < count; ++i) fits &= kMap(from[i], &to[i]);
    return fits ? Status::Ok() : Recheck(mask, from, offset, count);
  }

 private:
  /// What stands in the place of a NULL may be anything, and need not fit.
  static Status Recheck(const uint64_t* mask, const In* from, idx_t offset, idx_t count) {
    Out ignored;
    for (idx_t i = 0; i < count; ++i) {
      const idx_t row = offset + i;
      const bool valid = mask == nullptr || ((mask[row / 64] >> (row % 64)) & 1) != 0;
      if (valid && !kMap(from[i], &ignored)) return Overflow();
    }
    return Status::Ok();
  }
};

template <typename In, typename Out>
bool Widen(const In& in, Out* out) {
  *out = static_cast<Out>(in);
  return true;
}
template <int64_t kFactor>
bool Multiply(const int64_t& in, int64_t* out) {
  return !__builtin_mul_overflow(in, kFactor, out);
}
bool ToMicroseconds(const int64_t& nanoseconds, int64_t* out) {
  *out = nanoseconds / 1000 - (nanoseconds % 1000 < 0 ? 1 : 0);
  return true;
}
bool FromHuge(const duckdb_hugeint& in, int64_t* out) {
  *out = static_cast<int64_t>(in.lower);
  return in.upper == (*out < 0 ? -1 : 0);
}
bool FromUnsigned(const uint64_t& in, int64_t* out) {
  *out = static_cast<int64_t>(in);
  return *out >= 0;
}
bool ToMonths(const duckdb_interval& in, int32_t* out) {
  *out = in.months;
  return true;
}
bool ToDuration(const duckdb_interval& in, int64_t* out) {
  constexpr int64_t kDay = 86'400'000'000;
  const int64_t days = in.days + static_cast<int64_t>(in.months) * 30;
  int64_t microseconds = 0;
  return !__builtin_mul_overflow(days, kDay, &microseconds) &&
         !__builtin_add_overflow(microseconds, in.micros, out);
}

class BooleanColumn : public ColumnBuilder {
 public:
  Status Append(duckdb_vector vector, idx_t offset, idx_t count) override {
    const auto before = static_cast<size_t>(validity_.length());
    validity_.Append(duckdb_vector_get_validity(vector), offset, count);
    const bool* const from = Values<bool>(vector, offset);
    const size_t needed = (before + count + 7) / 8;
    if (const size_t more = needed - bits_.size(); more > 0)
      std::memset(bits_.Extend(more), 0, more);
    for (idx_t i = 0; i < count; ++i) {
      if (from[i]) bits_.data()[(before + i) / 8] |= static_cast<uint8_t>(1U << ((before + i) % 8));
    }
    return Status::Ok();
  }
  void Finish(ArrowArray* array) override {
    const int64_t length = validity_.length();
    const int64_t null_count = validity_.null_count();
    std::vector<GrowingBuffer> buffers(2);
    buffers[0] = validity_.Take();
    buffers[1] = std::exchange(bits_, GrowingBuffer());
    FillArray(length, null_count, std::move(buffers), {}, array);
  }

 private:
  Validity validity_;
  GrowingBuffer bits_;
};

class VoidColumn : public ColumnBuilder {
 public:
  Status Append(duckdb_vector /*vector*/, idx_t /*offset*/, idx_t count) override {
    length_ += static_cast<int64_t>(count);
    return Status::Ok();
  }
  void Finish(ArrowArray* array) override {
    FillArray(length_, length_, {}, {}, array), length_ = 0;
  }

 private:
  int64_t length_ = 0;
};

/// Offsets of 32 bits before the values of something.
class Offsets {
 public:
  void Append(size_t next) {
    if (buffer_.size() == 0) Put(0);
    Put(static_cast<int32_t>(next));
  }
  GrowingBuffer Take() {
    if (buffer_.size() == 0) Put(0);
    return std::exchange(buffer_, GrowingBuffer());
  }

 private:
  void Put(int32_t value) { std::memcpy(buffer_.Extend(sizeof(value)), &value, sizeof(value)); }
  GrowingBuffer buffer_;
};

/// Texts and bytes: the engine's own strings.
class StringColumn : public ColumnBuilder {
 public:
  Status Append(duckdb_vector vector, idx_t offset, idx_t count) override {
    const uint64_t* const mask = duckdb_vector_get_validity(vector);
    validity_.Append(mask, offset, count);
    auto* const from = static_cast<duckdb_string_t*>(duckdb_vector_get_data(vector));
    const size_t total = TextBytes(vector, offset, count);
    if (bytes_.size() + total > kMaxTextBytes) return TextsTooLong();
    size_t at = bytes_.size();
    uint8_t* to = bytes_.Extend(total);
    if (offsets_.size() == 0) std::memset(offsets_.Extend(4), 0, 4);
    auto* const offsets = reinterpret_cast<int32_t*>(offsets_.Extend(count * sizeof(int32_t)));
    for (idx_t i = 0; i < count; ++i) {
      if (IsValid(mask, offset + i)) {
        const uint32_t length = duckdb_string_t_length(from[offset + i]);
        std::memcpy(to, duckdb_string_t_data(&from[offset + i]), length);
        to += length;
        at += length;
      }
      offsets[i] = static_cast<int32_t>(at);
    }
    return Status::Ok();
  }

  size_t TextBytes(duckdb_vector vector, idx_t offset, idx_t count) const override {
    const uint64_t* const mask = duckdb_vector_get_validity(vector);
    const auto* const from = static_cast<const duckdb_string_t*>(duckdb_vector_get_data(vector));
    size_t total = 0;
    for (idx_t i = offset; i < offset + count; ++i) {
      if (IsValid(mask, i)) total += duckdb_string_t_length(from[i]);
    }
    return total;
  }
  size_t text_bytes() const override { return bytes_.size(); }

  void Finish(ArrowArray* array) override {
    const int64_t length = validity_.length();
    const int64_t null_count = validity_.null_count();
    if (offsets_.size() == 0) std::memset(offsets_.Extend(4), 0, 4);
    std::vector<GrowingBuffer> buffers(3);
    buffers[0] = validity_.Take();
    buffers[1] = std::exchange(offsets_, GrowingBuffer());
    buffers[2] = std::exchange(bytes_, GrowingBuffer());
    FillArray(length, null_count, std::move(buffers), {}, array);
  }

 private:
  static bool IsValid(const uint64_t* mask, idx_t row) {
    return mask == nullptr || ((mask[row / 64] >> (row % 64)) & 1) != 0;
  }

  Validity validity_;
  GrowingBuffer offsets_;
  GrowingBuffer bytes_;
};

/// Texts that are made here: values of a type that the service lacks, and VARIANT's.
class PrintedColumn : public ColumnBuilder {
 public:
  explicit PrintedColumn(duckdb_logical_type source) : id_(duckdb_get_type_id(source)) {
    if (id_ != DUCKDB_TYPE_ENUM) return;
    internal_ = duckdb_enum_internal_type(source);
    for (uint32_t i = 0; i < duckdb_enum_dictionary_size(source); ++i) {
      words_.emplace_back(EngineString(duckdb_enum_dictionary_value(source, i)).view());
    }
  }

  Status Append(duckdb_vector vector, idx_t offset, idx_t count) override {
    const uint64_t* const mask = duckdb_vector_get_validity(vector);
    validity_.Append(mask, offset, count);
    for (idx_t row = offset; row < offset + count; ++row) {
      const bool valid = mask == nullptr || ((mask[row / 64] >> (row % 64)) & 1) != 0;
      const std::string text = valid ? Print(vector, row) : std::string();
      if (bytes_.size() + text.size() > kMaxTextBytes) return TextsTooLong();
      if (!text.empty()) std::memcpy(bytes_.Extend(text.size()), text.data(), text.size());
      offsets_.Append(bytes_.size());
    }
    return Status::Ok();
  }

  void Finish(ArrowArray* array) override {
    const int64_t length = validity_.length();
    const int64_t null_count = validity_.null_count();
    std::vector<GrowingBuffer> buffers(3);
    buffers[0] = validity_.Take();
    buffers[1] = offsets_.Take();
    buffers[2] = std::exchange(bytes_, GrowingBuffer());
    FillArray(length, null_count, std::move(buffers), {}, array);
  }

 private:
  std::string Print(duckdb_vector vector, idx_t row) const {
    if (id_ == DUCKDB_TYPE_ENUM) return Word(vector, row);
    if (id_ == DUCKDB_TYPE_UUID) return Uuid(*Values<duckdb_hugeint>(vector, row));
    if (id_ == DUCKDB_TYPE_VARCHAR) return Variant(vector, row);
    return Time(*Values<int64_t>(vector, row));
  }

  static std::string Variant(duckdb_vector vector, idx_t row) {
    auto* const json = static_cast<duckdb_string_t*>(duckdb_vector_get_data(vector)) + row;
    return VariantText({duckdb_string_t_data(json), duckdb_string_t_length(*json)});
  }

  std::string Word(duckdb_vector vector, idx_t row) const {
    size_t index = 0;
    if (internal_ == DUCKDB_TYPE_UTINYINT) index = *Values<uint8_t>(vector, row);
    if (internal_ == DUCKDB_TYPE_USMALLINT) index = *Values<uint16_t>(vector, row);
    if (internal_ == DUCKDB_TYPE_UINTEGER) index = *Values<uint32_t>(vector, row);
    return index < words_.size() ? words_[index] : std::string();
  }

  /// The engine keeps the highest bit turned over, so that values sort as signed numbers.
  static std::string Uuid(const duckdb_hugeint& value) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    const uint64_t high = static_cast<uint64_t>(value.upper) ^ (uint64_t{1} << 63);
    std::string text;
    for (int i = 0; i < 32; ++i) {
      const uint64_t half = i < 16 ? high : value.lower;
      if (i == 8 || i == 12 || i == 16 || i == 20) text += '-';
      text += kDigits[(half >> (60 - 4 * (i % 16))) & 0xF];
    }
    return text;
  }

  static std::string Time(int64_t microseconds) {
    const auto two = [](int64_t value) { return (value < 10 ? "0" : "") + std::to_string(value); };
    const int64_t seconds = microseconds / 1'000'000;
    std::string text = two(seconds / 3600) + ":" + two(seconds / 60 % 60) + ":" + two(seconds % 60);
    if (microseconds % 1'000'000 == 0) return text;
    std::string fraction = std::to_string(1'000'000 + microseconds % 1'000'000).substr(1);
    fraction.erase(fraction.find_last_not_of('0') + 1);
    return text + "." + fraction;
  }

  duckdb_type id_;
  duckdb_type internal_ = DUCKDB_TYPE_INVALID;
  std::vector<std::string> words_;
  Validity validity_;
  Offsets offsets_;
  GrowingBuffer bytes_;
};

/// ARRAY and MAP: the engine's entries need not lie in order, so each run of neighbours is copied.
class ListColumn : public ColumnBuilder {
 public:
  explicit ListColumn(std::unique_ptr<ColumnBuilder> element) : element_(std::move(element)) {}

  Status Append(duckdb_vector vector, idx_t offset, idx_t count) override {
    const uint64_t* const mask = duckdb_vector_get_validity(vector);
    validity_.Append(mask, offset, count);
    const auto* const entries = Values<duckdb_list_entry>(vector, 0);
    const duckdb_vector child = duckdb_list_vector_get_child(vector);
    idx_t run_start = 0;
    idx_t run_length = 0;
    for (idx_t row = offset; row < offset + count; ++row) {
      const bool valid = mask == nullptr || ((mask[row / 64] >> (row % 64)) & 1) != 0;
      if (valid && entries[row].length > 0) {
        if (run_length > 0 && entries[row].offset == run_start + run_length) {
          run_length += entries[row].length;
        } else {
          if (run_length > 0) RETURN_IF_ERROR(element_->Append(child, run_start, run_length));
          run_start = entries[row].offset;
          run_length = entries[row].length;
        }
        elements_ += entries[row].length;
        if (elements_ > kMaxTextBytes) return TextsTooLong();
      }
      offsets_.Append(elements_);
    }
    return run_length > 0 ? element_->Append(child, run_start, run_length) : Status::Ok();
  }

  void Finish(ArrowArray* array) override {
    const int64_t length = validity_.length();
    const int64_t null_count = validity_.null_count();
    std::vector<GrowingBuffer> buffers(2);
    buffers[0] = validity_.Take();
    buffers[1] = offsets_.Take();
    std::vector<ArrowArray> children(1);
    element_->Finish(children.data());
    elements_ = 0;
    FillArray(length, null_count, std::move(buffers), std::move(children), array);
  }

 private:
  std::unique_ptr<ColumnBuilder> element_;
  Validity validity_;
  Offsets offsets_;
  size_t elements_ = 0;
};

class StructColumn : public ColumnBuilder {
 public:
  explicit StructColumn(std::vector<std::unique_ptr<ColumnBuilder>> fields)
      : fields_(std::move(fields)) {}

  Status Append(duckdb_vector vector, idx_t offset, idx_t count) override {
    validity_.Append(duckdb_vector_get_validity(vector), offset, count);
    for (size_t i = 0; i < fields_.size(); ++i) {
      RETURN_IF_ERROR(fields_[i]->Append(duckdb_struct_vector_get_child(vector, i), offset, count));
    }
    return Status::Ok();
  }

  void Finish(ArrowArray* array) override {
    const int64_t length = validity_.length();
    const int64_t null_count = validity_.null_count();
    std::vector<GrowingBuffer> buffers(1);
    buffers[0] = validity_.Take();
    std::vector<ArrowArray> children(fields_.size());
    for (size_t i = 0; i < fields_.size(); ++i) fields_[i]->Finish(&children[i]);
    FillArray(length, null_count, std::move(buffers), std::move(children), array);
  }

 private:
  std::vector<std::unique_ptr<ColumnBuilder>> fields_;
  Validity validity_;
};

using Builder = std::unique_ptr<ColumnBuilder>;

template <typename In>
Builder DecimalColumn() {
  return std::make_unique<MappedColumn<In, Int128, Widen<In, Int128>>>();
}

Result<Builder> MakeDecimal(duckdb_logical_type source) {
  switch (duckdb_decimal_internal_type(source)) {
    case DUCKDB_TYPE_SMALLINT:
      return DecimalColumn<int16_t>();
    case DUCKDB_TYPE_INTEGER:
      return DecimalColumn<int32_t>();
    case DUCKDB_TYPE_BIGINT:
      return DecimalColumn<int64_t>();
    default:
      return Builder(std::make_unique<CopiedColumn<16>>());
  }
}

Result<Builder> MakeList(const SqlType& target, duckdb_logical_type source) {
  const LogicalType element(duckdb_list_type_child_type(source));
  ASSIGN_OR_RETURN(Builder child, MakeColumnBuilder(target.children[0], element.get()));
  return Builder(std::make_unique<ListColumn>(std::move(child)));
}

Result<Builder> MakeMap(const SqlType& target, duckdb_logical_type source) {
  const LogicalType key(duckdb_map_type_key_type(source));
  const LogicalType value(duckdb_map_type_value_type(source));
  std::vector<Builder> fields(2);
  ASSIGN_OR_RETURN(fields[0], MakeColumnBuilder(target.children[0], key.get()));
  ASSIGN_OR_RETURN(fields[1], MakeColumnBuilder(target.children[1], value.get()));
  return Builder(std::make_unique<ListColumn>(std::make_unique<StructColumn>(std::move(fields))));
}

Result<Builder> MakeStruct(const SqlType& target, duckdb_logical_type source) {
  std::vector<Builder> fields;
  for (size_t i = 0; i < target.children.size(); ++i) {
    const LogicalType field(duckdb_struct_type_child_type(source, i));
    ASSIGN_OR_RETURN(Builder child, MakeColumnBuilder(target.children[i], field.get()));
    fields.push_back(std::move(child));
  }
  return Builder(std::make_unique<StructColumn>(std::move(fields)));
}

}  // namespace

Result<std::unique_ptr<ColumnBuilder>> MakeColumnBuilder(const SqlType& target,
                                                         duckdb_logical_type source) {
  if (target.id == SqlTypeId::kVoid) return Builder(std::make_unique<VoidColumn>());
  switch (duckdb_get_type_id(source)) {
    case DUCKDB_TYPE_BOOLEAN:
      return Builder(std::make_unique<BooleanColumn>());
    case DUCKDB_TYPE_TINYINT:
      return Builder(std::make_unique<CopiedColumn<1>>());
    case DUCKDB_TYPE_SMALLINT:
      return Builder(std::make_unique<CopiedColumn<2>>());
    case DUCKDB_TYPE_INTEGER:
    case DUCKDB_TYPE_DATE:
    case DUCKDB_TYPE_FLOAT:
      return Builder(std::make_unique<CopiedColumn<4>>());
    case DUCKDB_TYPE_BIGINT:
    case DUCKDB_TYPE_DOUBLE:
    case DUCKDB_TYPE_TIMESTAMP:
    case DUCKDB_TYPE_TIMESTAMP_TZ:
      return Builder(std::make_unique<CopiedColumn<8>>());
    case DUCKDB_TYPE_UTINYINT:
      return Builder(std::make_unique<MappedColumn<uint8_t, int16_t, Widen<uint8_t, int16_t>>>());
    case DUCKDB_TYPE_USMALLINT:
      return Builder(std::make_unique<MappedColumn<uint16_t, int32_t, Widen<uint16_t, int32_t>>>());
    case DUCKDB_TYPE_UINTEGER:
      return Builder(std::make_unique<MappedColumn<uint32_t, int64_t, Widen<uint32_t, int64_t>>>());
    case DUCKDB_TYPE_UBIGINT:
      return Builder(std::make_unique<MappedColumn<uint64_t, int64_t, FromUnsigned>>());
    case DUCKDB_TYPE_HUGEINT:
      return Builder(std::make_unique<MappedColumn<duckdb_hugeint, int64_t, FromHuge>>());
    case DUCKDB_TYPE_TIMESTAMP_S:
      return Builder(std::make_unique<MappedColumn<int64_t, int64_t, Multiply<1'000'000>>>());
    case DUCKDB_TYPE_TIMESTAMP_MS:
      return Builder(std::make_unique<MappedColumn<int64_t, int64_t, Multiply<1000>>>());
    case DUCKDB_TYPE_TIMESTAMP_NS:
      return Builder(std::make_unique<MappedColumn<int64_t, int64_t, ToMicroseconds>>());
    case DUCKDB_TYPE_INTERVAL:
      if (target.id == SqlTypeId::kIntervalYearMonth) {
        return Builder(std::make_unique<MappedColumn<duckdb_interval, int32_t, ToMonths>>());
      }
      return Builder(std::make_unique<MappedColumn<duckdb_interval, int64_t, ToDuration>>());
    case DUCKDB_TYPE_DECIMAL:
      return MakeDecimal(source);
    case DUCKDB_TYPE_VARCHAR:
      if (target.id == SqlTypeId::kVariant) return Builder(std::make_unique<PrintedColumn>(source));
      [[fallthrough]];
    case DUCKDB_TYPE_BLOB:
      return Builder(std::make_unique<StringColumn>());
    case DUCKDB_TYPE_UUID:
    case DUCKDB_TYPE_ENUM:
    case DUCKDB_TYPE_TIME:
      return Builder(std::make_unique<PrintedColumn>(source));
    case DUCKDB_TYPE_LIST:
      return MakeList(target, source);
    case DUCKDB_TYPE_MAP:
      return MakeMap(target, source);
    case DUCKDB_TYPE_STRUCT:
      return MakeStruct(target, source);
    default:
      return SqlError(StatusCode::kNotImplemented, "UNSUPPORTED_DATATYPE", "0A000",
                      "A column has a type that the service does not have");
  }
}

}  // namespace dbx::local
