// SPDX-License-Identifier: Apache-2.0
#include "adbc/parameter_value.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "adbc/parameter_text.h"
#include "base/str_cat.h"

namespace dbx {
namespace {

constexpr std::string_view kDayTime = "INTERVAL DAY TO SECOND";
constexpr std::string_view kYearMonth = "INTERVAL YEAR TO MONTH";
constexpr int32_t kMaxDigits = 38;
constexpr int64_t kMillisecondsPerDay = 86'400'000;
constexpr int64_t kNanosecondsPerSecond = 1'000'000'000;

int64_t PerSecond(ArrowTimeUnit unit) {
  switch (unit) {
    case NANOARROW_TIME_UNIT_SECOND:
      return 1;
    case NANOARROW_TIME_UNIT_MILLI:
      return 1'000;
    case NANOARROW_TIME_UNIT_MICRO:
      return 1'000'000;
    case NANOARROW_TIME_UNIT_NANO:
      return kNanosecondsPerSecond;
  }
  return 1;
}

/// DECIMAL as the service knows it: no negative scale, 38 digits at most.
std::string DecimalType(const ArrowSchemaView& view) {
  const int32_t scale = std::max(view.decimal_scale, 0);
  const int32_t precision = view.decimal_precision + std::max(-view.decimal_scale, 0);
  return StrCat("DECIMAL(", std::clamp(precision, scale, std::max(kMaxDigits, scale)), ",", scale,
                ")");
}

bool IsBinary(ArrowType type) {
  return type == NANOARROW_TYPE_BINARY || type == NANOARROW_TYPE_LARGE_BINARY ||
         type == NANOARROW_TYPE_BINARY_VIEW || type == NANOARROW_TYPE_FIXED_SIZE_BINARY;
}

/// The service's type of a column's parameters; empty when it has none or the value decides.
Result<std::string> SqlTypeOf(const ArrowSchemaView& view, std::string_view name) {
  switch (view.type) {
    case NANOARROW_TYPE_NA:
      return std::string("VOID");
    case NANOARROW_TYPE_BOOL:
      return std::string("BOOLEAN");
    case NANOARROW_TYPE_INT8:
      return std::string("TINYINT");
    case NANOARROW_TYPE_INT16:
    case NANOARROW_TYPE_UINT8:
      return std::string("SMALLINT");
    case NANOARROW_TYPE_INT32:
    case NANOARROW_TYPE_UINT16:
      return std::string("INT");
    case NANOARROW_TYPE_INT64:
    case NANOARROW_TYPE_UINT32:
      return std::string("BIGINT");
    case NANOARROW_TYPE_UINT64:
      return std::string("DECIMAL(20,0)");
    case NANOARROW_TYPE_HALF_FLOAT:
    case NANOARROW_TYPE_FLOAT:
      return std::string("FLOAT");
    case NANOARROW_TYPE_DOUBLE:
      return std::string("DOUBLE");
    case NANOARROW_TYPE_STRING:
    case NANOARROW_TYPE_LARGE_STRING:
    case NANOARROW_TYPE_STRING_VIEW:
    case NANOARROW_TYPE_TIME32:
    case NANOARROW_TYPE_TIME64:
      return std::string("STRING");
    case NANOARROW_TYPE_DATE32:
    case NANOARROW_TYPE_DATE64:
      return std::string("DATE");
    case NANOARROW_TYPE_TIMESTAMP: {
      const bool zoned = view.timezone != nullptr && view.timezone[0] != '\0';
      return std::string(zoned ? "TIMESTAMP" : "TIMESTAMP_NTZ");
    }
    case NANOARROW_TYPE_DECIMAL32:
    case NANOARROW_TYPE_DECIMAL64:
    case NANOARROW_TYPE_DECIMAL128:
    case NANOARROW_TYPE_DECIMAL256:
      return DecimalType(view);
    case NANOARROW_TYPE_DURATION:
    case NANOARROW_TYPE_INTERVAL_DAY_TIME:
      return std::string(kDayTime);
    case NANOARROW_TYPE_INTERVAL_MONTHS:
      return std::string(kYearMonth);
    case NANOARROW_TYPE_INTERVAL_MONTH_DAY_NANO:
      return std::string();
    default:
      break;
  }
  if (IsBinary(view.type)) return std::string();
  return Status::NotImplemented(
      StrCat(name, ": values of type ", ArrowTypeString(view.type), " cannot be bound"));
}

BoundValue Literal(std::string text) {
  return {.parameter = {}, .literal = std::move(text)};
}

BoundValue Parameter(std::string_view type, std::string text) {
  return {.parameter = {std::string(type), std::move(text)}, .literal = {}};
}

}  // namespace

Result<ParameterColumn> ParameterColumn::Make(const ArrowSchema* field) {
  ParameterColumn column;
  column.name_ =
      StrCat("parameter '", field->name == nullptr ? std::string_view() : field->name, "'");
  ArrowError error = {};
  if (ArrowSchemaViewInit(&column.view_, field, &error) != NANOARROW_OK) {
    return Status::InvalidArgument(StrCat(column.name_, ": ", ArrowErrorMessage(&error)));
  }
  if (field->dictionary != nullptr) {
    ASSIGN_OR_RETURN(ParameterColumn values, Make(field->dictionary));
    values.name_ = column.name_;
    column.dictionary_ = std::make_shared<const ParameterColumn>(std::move(values));
    return column;
  }
  ASSIGN_OR_RETURN(column.sql_type_, SqlTypeOf(column.view_, column.name_));
  return column;
}

Result<BoundValue> ParameterColumn::Null() const {
  if (dictionary_) return dictionary_->Null();
  if (IsBinary(view_.type)) return Literal("CAST(NULL AS BINARY)");
  BoundValue value;
  value.parameter.type = sql_type_.empty() ? "VOID" : sql_type_;
  return value;
}

Result<BoundValue> ParameterColumn::At(const ArrowArrayView* values, int64_t row) const {
  if (view_.type == NANOARROW_TYPE_NA || ArrowArrayViewIsNull(values, row)) return Null();
  if (dictionary_) {
    const int64_t index = ArrowArrayViewGetIntUnsafe(values, row);
    if (index < 0 || index >= values->dictionary->length) {
      return Status::InvalidArgument(StrCat(name_, ": index ", index, " has no value"));
    }
    return dictionary_->At(values->dictionary, index);
  }
  if (IsBinary(view_.type)) {
    const ArrowBufferView bytes = ArrowArrayViewGetBytesUnsafe(values, row);
    return Literal(
        BinaryLiteral(Bytes(bytes.data.as_uint8, static_cast<size_t>(bytes.size_bytes))));
  }
  if (view_.type == NANOARROW_TYPE_INTERVAL_MONTH_DAY_NANO) return IntervalAt(values, row);
  ASSIGN_OR_RETURN(std::string text, Text(values, row));
  return Parameter(sql_type_, std::move(text));
}

Result<std::string> ParameterColumn::Text(const ArrowArrayView* values, int64_t row) const {
  switch (view_.type) {
    case NANOARROW_TYPE_BOOL:
      return std::string(ArrowArrayViewGetIntUnsafe(values, row) != 0 ? "true" : "false");
    case NANOARROW_TYPE_UINT64:
      return StrCat(ArrowArrayViewGetUIntUnsafe(values, row));
    case NANOARROW_TYPE_HALF_FLOAT:
    case NANOARROW_TYPE_FLOAT:
      return FloatText(static_cast<float>(ArrowArrayViewGetDoubleUnsafe(values, row)));
    case NANOARROW_TYPE_DOUBLE:
      return DoubleText(ArrowArrayViewGetDoubleUnsafe(values, row));
    case NANOARROW_TYPE_STRING:
    case NANOARROW_TYPE_LARGE_STRING:
    case NANOARROW_TYPE_STRING_VIEW: {
      const ArrowStringView text = ArrowArrayViewGetStringUnsafe(values, row);
      return std::string(text.data, static_cast<size_t>(text.size_bytes));
    }
    case NANOARROW_TYPE_DECIMAL32:
    case NANOARROW_TYPE_DECIMAL64:
    case NANOARROW_TYPE_DECIMAL128:
    case NANOARROW_TYPE_DECIMAL256:
      return DecimalAt(values, row);
    case NANOARROW_TYPE_INTERVAL_MONTHS:
    case NANOARROW_TYPE_INTERVAL_DAY_TIME: {
      ArrowInterval interval;
      ArrowIntervalInit(&interval, view_.type);
      ArrowArrayViewGetIntervalUnsafe(values, row, &interval);
      if (view_.type == NANOARROW_TYPE_INTERVAL_MONTHS) return YearMonthText(interval.months);
      return DayTimeText(interval.days * kMillisecondsPerDay + interval.ms, 1'000);
    }
    default:
      break;
  }
  const int64_t number = ArrowArrayViewGetIntUnsafe(values, row);
  const int64_t per_second = PerSecond(view_.time_unit);
  switch (view_.type) {
    case NANOARROW_TYPE_DATE32:
      return DateText(number);
    case NANOARROW_TYPE_DATE64: {
      const int64_t remainder = number % kMillisecondsPerDay;
      return DateText(number / kMillisecondsPerDay - (remainder < 0 ? 1 : 0));
    }
    case NANOARROW_TYPE_TIMESTAMP:
      return TimestampAt(number);
    case NANOARROW_TYPE_TIME32:
    case NANOARROW_TYPE_TIME64:
      return TimeOfDayText(number, per_second);
    case NANOARROW_TYPE_DURATION:
      if (view_.time_unit == NANOARROW_TIME_UNIT_NANO && number % 1'000 != 0) {
        return Status::InvalidArgument(
            StrCat(name_, ": the service's intervals end at microseconds"));
      }
      return DayTimeText(number, per_second);
    default:
      return StrCat(number);
  }
}

Result<std::string> ParameterColumn::TimestampAt(int64_t value) const {
  if (view_.time_unit == NANOARROW_TIME_UNIT_NANO && value % 1'000 != 0) {
    return Status::InvalidArgument(StrCat(name_, ": the service's timestamps end at microseconds"));
  }
  const std::string text = TimestampText(value, PerSecond(view_.time_unit));
  // With a zone the value counts from an instant, whatever the zone is called.
  return sql_type_ == "TIMESTAMP" ? StrCat(text, "+00:00") : text;
}

Result<std::string> ParameterColumn::DecimalAt(const ArrowArrayView* values, int64_t row) const {
  ArrowDecimal decimal;
  const int32_t bits = view_.type == NANOARROW_TYPE_DECIMAL32    ? 32
                       : view_.type == NANOARROW_TYPE_DECIMAL64  ? 64
                       : view_.type == NANOARROW_TYPE_DECIMAL128 ? 128
                                                                 : 256;
  ArrowDecimalInit(&decimal, bits, view_.decimal_precision, view_.decimal_scale);
  ArrowArrayViewGetDecimalUnsafe(values, row, &decimal);
  nanoarrow::UniqueBuffer digits;
  if (ArrowDecimalAppendDigitsToBuffer(&decimal, digits.get()) != NANOARROW_OK) {
    return Status::Internal(StrCat(name_, ": out of memory"));
  }
  const std::string_view text(reinterpret_cast<const char*>(digits->data),
                              static_cast<size_t>(digits->size_bytes));
  std::string plain = DecimalText(text, view_.decimal_scale);
  const auto num_digits =
      std::count_if(plain.begin(), plain.end(), [](char c) { return c >= '0' && c <= '9'; });
  const bool leading_zero = plain.starts_with("0.") || plain.starts_with("-0.");
  if (num_digits - (leading_zero ? 1 : 0) > kMaxDigits) {
    return Status::InvalidArgument(
        StrCat(name_, ": the service's decimals have 38 digits at most"));
  }
  return plain;
}

Result<BoundValue> ParameterColumn::IntervalAt(const ArrowArrayView* values, int64_t row) const {
  ArrowInterval interval;
  ArrowIntervalInit(&interval, view_.type);
  ArrowArrayViewGetIntervalUnsafe(values, row, &interval);
  if (interval.days == 0 && interval.ns == 0) {
    return Parameter(kYearMonth, YearMonthText(interval.months));
  }
  if (interval.months != 0) {
    return Status::NotImplemented(
        StrCat(name_, ": the service has no intervals of months together with days or less"));
  }
  if (interval.ns % 1'000 != 0) {
    return Status::InvalidArgument(StrCat(name_, ": the service's intervals end at microseconds"));
  }
  constexpr int64_t kMicrosecondsPerDay = kMillisecondsPerDay * 1'000;
  return Parameter(
      kDayTime, DayTimeText(interval.days * kMicrosecondsPerDay + interval.ns / 1'000, 1'000'000));
}

}  // namespace dbx
