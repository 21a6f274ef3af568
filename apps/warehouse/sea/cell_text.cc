// SPDX-License-Identifier: Apache-2.0
#include "sea/cell_text.h"

#include <nanoarrow/nanoarrow.h>
#include <openssl/evp.h>

#include <cstdlib>
#include <cstring>

#include "result/text_format.h"

namespace dbx::local {
namespace {

constexpr int64_t kMicrosPerSecond = 1'000'000;

int64_t MicrosAt(const ArrowArray& array, int64_t row) {
  return static_cast<const int64_t*>(array.buffers[1])[row + array.offset];
}

std::string_view BytesAt(const ArrowArray& array, int64_t row) {
  const auto* const offsets = static_cast<const int32_t*>(array.buffers[1]) + row + array.offset;
  return {static_cast<const char*>(array.buffers[2]) + offsets[0],
          static_cast<size_t>(offsets[1] - offsets[0])};
}

void AppendTwoDigits(int32_t number, std::string* out) {
  out->push_back(static_cast<char>('0' + number / 10));
  out->push_back(static_cast<char>('0' + number % 10));
}

/// "-08:00", or "Z" for none.
void AppendOffset(int32_t seconds, std::string* out) {
  if (seconds == 0) return out->push_back('Z');
  out->push_back(seconds < 0 ? '-' : '+');
  const int32_t minutes = std::abs(seconds) / 60;
  AppendTwoDigits(minutes / 60, out);
  out->push_back(':');
  AppendTwoDigits(minutes % 60, out);
}

/// "2021-01-01 10:00:00.5", at `start` of `out`, becomes "2021-01-01T10:00:00.500".
void MakeIso(size_t start, std::string* out) {
  const size_t blank = out->find(' ', start);
  (*out)[blank] = 'T';
  const size_t point = out->find('.', blank);
  if (point == std::string::npos) {
    out->append(".000");
  } else {
    const size_t digits = out->size() - point - 1;
    out->append((digits <= 3 ? 3 : 6) - digits, '0');
  }
}

void AppendTimestamp(const SqlType& type, const ArrowArray& array, int64_t row,
                     const TimeZone& zone, std::string* out) {
  const size_t start = out->size();
  AppendText(type, array, row, zone, out);
  MakeIso(start, out);
  if (type.id != SqlTypeId::kTimestamp) return;
  const int64_t micros = MicrosAt(array, row);
  const int64_t seconds = micros / kMicrosPerSecond - (micros % kMicrosPerSecond < 0 ? 1 : 0);
  AppendOffset(zone.OffsetAt(seconds), out);
}

/// What JSON writes without quotes when it lies within an array, map or struct. NaN and the
/// infinities are texts, which is seen by their first character.
bool IsBare(SqlTypeId id, std::string_view text) {
  switch (id) {
    case SqlTypeId::kBoolean:
    case SqlTypeId::kTinyint:
    case SqlTypeId::kSmallint:
    case SqlTypeId::kInt:
    case SqlTypeId::kBigint:
    case SqlTypeId::kDecimal:
    case SqlTypeId::kArray:
    case SqlTypeId::kMap:
    case SqlTypeId::kStruct:
    case SqlTypeId::kVariant:
      return true;
    case SqlTypeId::kFloat:
    case SqlTypeId::kDouble:
      return text.find_first_of("NI") == std::string_view::npos;
    default:
      return false;
  }
}

/// A value within an array, map or struct, as JSON.
void AppendInner(const SqlType& type, const ArrowArray& array, int64_t row, const TimeZone& zone,
                 std::string* out) {
  if (IsNull(type, array, row)) {
    out->append("null");
    return;
  }
  std::string text;
  AppendCell(type, array, row, zone, &text);
  if (IsBare(type.id, text)) {
    out->append(text);
  } else {
    AppendJsonString(text, out);
  }
}

void AppendList(const SqlType& type, const ArrowArray& array, int64_t row, const TimeZone& zone,
                std::string* out) {
  const auto* const offsets = static_cast<const int32_t*>(array.buffers[1]) + row + array.offset;
  out->push_back('[');
  for (int32_t i = offsets[0]; i < offsets[1]; ++i) {
    if (i > offsets[0]) out->push_back(',');
    AppendInner(type.children[0], *array.children[0], i, zone, out);
  }
  out->push_back(']');
}

void AppendMap(const SqlType& type, const ArrowArray& array, int64_t row, const TimeZone& zone,
               std::string* out) {
  const auto* const offsets = static_cast<const int32_t*>(array.buffers[1]) + row + array.offset;
  const ArrowArray& entries = *array.children[0];
  out->push_back('{');
  for (int32_t i = offsets[0]; i < offsets[1]; ++i) {
    if (i > offsets[0]) out->push_back(',');
    std::string key;
    AppendCell(type.children[0], *entries.children[0], i + entries.offset, zone, &key);
    AppendJsonString(key, out);
    out->push_back(':');
    AppendInner(type.children[1], *entries.children[1], i + entries.offset, zone, out);
  }
  out->push_back('}');
}

void AppendStruct(const SqlType& type, const ArrowArray& array, int64_t row, const TimeZone& zone,
                  std::string* out) {
  out->push_back('{');
  for (size_t i = 0; i < type.children.size(); ++i) {
    if (i > 0) out->push_back(',');
    AppendJsonString(type.field_names[i], out);
    out->push_back(':');
    AppendInner(type.children[i], *array.children[i], row + array.offset, zone, out);
  }
  out->push_back('}');
}

}  // namespace

void AppendCell(const SqlType& type, const ArrowArray& array, int64_t row, const TimeZone& zone,
                std::string* out) {
  switch (type.id) {
    case SqlTypeId::kTimestamp:
    case SqlTypeId::kTimestampNtz:
      return AppendTimestamp(type, array, row, zone, out);
    case SqlTypeId::kBinary:
      return AppendBase64(BytesAt(array, row), out);
    case SqlTypeId::kArray:
      return AppendList(type, array, row, zone, out);
    case SqlTypeId::kMap:
      return AppendMap(type, array, row, zone, out);
    case SqlTypeId::kStruct:
      return AppendStruct(type, array, row, zone, out);
    default:
      return AppendText(type, array, row, zone, out);
  }
}

void AppendJsonString(std::string_view text, std::string* out) {
  static constexpr char kDigits[] = "0123456789abcdef";
  out->push_back('"');
  size_t plain = 0;  // where what can be copied as it is begins
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 0x20 && byte != '"' && byte != '\\') continue;
    out->append(text, plain, i - plain);
    plain = i + 1;
    if (byte >= 0x20) {
      out->append({'\\', text[i]});
    } else {
      out->append("\\u00").append({kDigits[byte >> 4], kDigits[byte & 15]});
    }
  }
  out->append(text, plain).push_back('"');
}

void AppendBase64(std::string_view bytes, std::string* out) {
  const size_t start = out->size();
  out->resize(start + (bytes.size() + 2) / 3 * 4 + 1);  // the encoder ends with a zero
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out->data() + start),
                                   reinterpret_cast<const unsigned char*>(bytes.data()),
                                   static_cast<int>(bytes.size()));
  out->resize(start + static_cast<size_t>(size));
}

}  // namespace dbx::local
