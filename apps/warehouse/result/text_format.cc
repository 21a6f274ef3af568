// SPDX-License-Identifier: Apache-2.0
#include "result/text_format.h"

#include <nanoarrow/nanoarrow.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "base/str_cat.h"

namespace dbx::local {
namespace {

constexpr int64_t kMicrosPerSecond = 1'000'000;
constexpr int64_t kMicrosPerDay = 86'400 * kMicrosPerSecond;

template <typename T>
T Value(const ArrowArray& array, int64_t row) {
  T value;
  std::memcpy(&value,
              static_cast<const uint8_t*>(array.buffers[1]) + static_cast<size_t>(row) * sizeof(T),
              sizeof(T));
  return value;
}

bool Bit(const void* bits, int64_t index) {
  return (static_cast<const uint8_t*>(bits)[index / 8] >> (index % 8) & 1) != 0;
}

/// The number with zeros before it up to `width`.
void AppendPadded(int64_t number, size_t width, std::string* out) {
  const std::string digits = StrCat(number);
  if (digits.size() < width) out->append(width - digits.size(), '0');
  out->append(digits);
}

void AppendDate(int64_t days_since_epoch, std::string* out) {
  // Outside of what std::chrono's calendar holds (years of ±32,767) nothing sensible can be stored
  // anyway.
  const std::chrono::year_month_day date{
      std::chrono::sys_days(std::chrono::days(days_since_epoch))};
  const int year = static_cast<int>(date.year());
  if (year < 0) out->push_back('-');
  AppendPadded(std::abs(year), 4, out);
  out->push_back('-');
  AppendPadded(static_cast<unsigned>(date.month()), 2, out);
  out->push_back('-');
  AppendPadded(static_cast<unsigned>(date.day()), 2, out);
}

void AppendTimeOfDay(int64_t seconds, std::string* out) {
  AppendPadded(seconds / 3600, 2, out);
  out->push_back(':');
  AppendPadded(seconds / 60 % 60, 2, out);
  out->push_back(':');
  AppendPadded(seconds % 60, 2, out);
}

void AppendTimestamp(int64_t micros, const TimeZone* zone, std::string* out) {
  int64_t seconds = micros / kMicrosPerSecond - (micros % kMicrosPerSecond < 0 ? 1 : 0);
  const int64_t fraction = micros - seconds * kMicrosPerSecond;
  if (zone != nullptr) seconds += zone->OffsetAt(seconds);
  const int64_t day = seconds / 86'400 - (seconds % 86'400 < 0 ? 1 : 0);
  AppendDate(day, out);
  out->push_back(' ');
  AppendTimeOfDay(seconds - day * 86'400, out);
  if (fraction == 0) return;
  out->push_back('.');
  AppendPadded(fraction, 6, out);
  out->erase(out->find_last_not_of('0') + 1);
}

void AppendMonths(int32_t months, std::string* out) {
  const int64_t size = std::abs(static_cast<int64_t>(months));
  if (months < 0) out->push_back('-');
  AppendTo(*out, size / 12);
  out->push_back('-');
  AppendTo(*out, size % 12);
}

void AppendDayTime(int64_t micros, std::string* out) {
  const uint64_t size =
      micros < 0 ? 0 - static_cast<uint64_t>(micros) : static_cast<uint64_t>(micros);
  if (micros < 0) out->push_back('-');
  AppendTo(*out, size / kMicrosPerDay);
  out->push_back(' ');
  AppendTimeOfDay(static_cast<int64_t>(size % kMicrosPerDay / kMicrosPerSecond), out);
  out->push_back('.');
  AppendPadded(static_cast<int64_t>(size % kMicrosPerSecond), 6, out);
  out->append("000");
}

void AppendDecimal(const ArrowArray& array, int64_t row, int32_t scale, std::string* out) {
  __extension__ using Int128 = __int128;
  __extension__ using Uint128 = unsigned __int128;
  const auto value = Value<Int128>(array, row);
  Uint128 size = value < 0 ? 0 - static_cast<Uint128>(value) : static_cast<Uint128>(value);
  std::string digits;  // from the last to the first
  for (; size > 0 || digits.size() <= static_cast<size_t>(std::max(scale, 0)); size /= 10) {
    digits.push_back(static_cast<char>('0' + static_cast<int>(size % 10)));
    if (static_cast<int32_t>(digits.size()) == scale) digits.push_back('.');
  }
  // With a point in it the loop stops one digit early for values below one.
  if (digits.back() == '.') digits.push_back('0');
  if (value < 0) out->push_back('-');
  out->append(digits.rbegin(), digits.rend());
}

/// As Java prints it: at least one digit behind the point, "E" outside of 10^-3 … 10^7.
template <typename T>
void AppendFloating(T value, std::string* out) {
  if (std::isnan(value)) return out->append("NaN"), void();
  if (std::isinf(value)) return out->append(value < 0 ? "-Infinity" : "Infinity"), void();
  const T size = std::fabs(value);
  const bool plain = size == 0 || (size >= T(1e-3) && size < T(1e7));
  char digits[64];
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  std::string_view text(
      digits, static_cast<size_t>(
                  std::to_chars(digits, digits + sizeof(digits), value, format).ptr - digits));
  const std::string_view mantissa = text.substr(0, text.find('e'));
  out->append(mantissa);
  if (mantissa.find('.') == std::string_view::npos) out->append(".0");
  if (plain) return;
  out->push_back('E');
  AppendTo(*out, std::atoi(std::string(text.substr(mantissa.size() + 1)).c_str()));
}

std::string_view BytesAt(const ArrowArray& array, int64_t row) {
  const auto* const offsets = static_cast<const int32_t*>(array.buffers[1]) + row;
  return {static_cast<const char*>(array.buffers[2]) + offsets[0],
          static_cast<size_t>(offsets[1] - offsets[0])};
}

bool IsQuotedInside(SqlTypeId id) {
  return id == SqlTypeId::kString || id == SqlTypeId::kVarchar || id == SqlTypeId::kChar ||
         id == SqlTypeId::kBinary;
}

/// A value within an array, map or struct.
void AppendInner(const SqlType& type, const ArrowArray& array, int64_t row, const TimeZone& zone,
                 std::string* out) {
  if (IsNull(type, array, row)) {
    out->append("null");
    return;
  }
  const bool quoted = IsQuotedInside(type.id);
  if (quoted) out->push_back('"');
  AppendText(type, array, row, zone, out);
  if (quoted) out->push_back('"');
}

void AppendArray(const SqlType& type, const ArrowArray& array, int64_t row, const TimeZone& zone,
                 std::string* out) {
  const auto* const offsets = static_cast<const int32_t*>(array.buffers[1]) + row;
  out->push_back('[');
  for (int32_t i = offsets[0]; i < offsets[1]; ++i) {
    if (i > offsets[0]) out->push_back(',');
    AppendInner(type.children[0], *array.children[0], i, zone, out);
  }
  out->push_back(']');
}

void AppendMap(const SqlType& type, const ArrowArray& array, int64_t row, const TimeZone& zone,
               std::string* out) {
  const auto* const offsets = static_cast<const int32_t*>(array.buffers[1]) + row;
  const ArrowArray& entries = *array.children[0];
  out->push_back('{');
  for (int32_t i = offsets[0]; i < offsets[1]; ++i) {
    if (i > offsets[0]) out->push_back(',');
    AppendInner(type.children[0], *entries.children[0], i + entries.offset, zone, out);
    out->push_back(':');
    AppendInner(type.children[1], *entries.children[1], i + entries.offset, zone, out);
  }
  out->push_back('}');
}

/// `row` has the struct's own offset in it already.
void AppendStruct(const SqlType& type, const ArrowArray& array, int64_t row, const TimeZone& zone,
                  std::string* out) {
  out->push_back('{');
  for (size_t i = 0; i < type.children.size(); ++i) {
    if (i > 0) out->push_back(',');
    out->append("\"").append(type.field_names[i]).append("\":");
    AppendInner(type.children[i], *array.children[i], row, zone, out);
  }
  out->push_back('}');
}

}  // namespace

bool IsNull(const SqlType& type, const ArrowArray& array, int64_t row) {
  if (type.id == SqlTypeId::kVoid) return true;
  return array.null_count != 0 && array.buffers[0] != nullptr &&
         !Bit(array.buffers[0], row + array.offset);
}

void AppendText(const SqlType& type, const ArrowArray& array, int64_t row, const TimeZone& zone,
                std::string* out) {
  row += array.offset;
  switch (type.id) {
    case SqlTypeId::kVoid:
      break;
    case SqlTypeId::kBoolean:
      AppendTo(*out, Bit(array.buffers[1], row));
      break;
    case SqlTypeId::kTinyint:
      AppendTo(*out, static_cast<int32_t>(Value<int8_t>(array, row)));
      break;
    case SqlTypeId::kSmallint:
      AppendTo(*out, static_cast<int32_t>(Value<int16_t>(array, row)));
      break;
    case SqlTypeId::kInt:
      AppendTo(*out, Value<int32_t>(array, row));
      break;
    case SqlTypeId::kBigint:
      AppendTo(*out, Value<int64_t>(array, row));
      break;
    case SqlTypeId::kFloat:
      AppendFloating(Value<float>(array, row), out);
      break;
    case SqlTypeId::kDouble:
      AppendFloating(Value<double>(array, row), out);
      break;
    case SqlTypeId::kDecimal:
      AppendDecimal(array, row, type.scale, out);
      break;
    case SqlTypeId::kString:
    case SqlTypeId::kVarchar:
    case SqlTypeId::kChar:
    case SqlTypeId::kVariant:
    case SqlTypeId::kBinary:
      out->append(BytesAt(array, row));
      break;
    case SqlTypeId::kDate:
      AppendDate(Value<int32_t>(array, row), out);
      break;
    case SqlTypeId::kTimestamp:
      AppendTimestamp(Value<int64_t>(array, row), &zone, out);
      break;
    case SqlTypeId::kTimestampNtz:
      AppendTimestamp(Value<int64_t>(array, row), nullptr, out);
      break;
    case SqlTypeId::kIntervalYearMonth:
      AppendMonths(Value<int32_t>(array, row), out);
      break;
    case SqlTypeId::kIntervalDayTime:
      AppendDayTime(Value<int64_t>(array, row), out);
      break;
    case SqlTypeId::kArray:
      AppendArray(type, array, row, zone, out);
      break;
    case SqlTypeId::kMap:
      AppendMap(type, array, row, zone, out);
      break;
    case SqlTypeId::kStruct:
      AppendStruct(type, array, row, zone, out);
      break;
  }
}

}  // namespace dbx::local
