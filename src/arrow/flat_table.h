// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "base/bytes.h"
#include "base/status.h"
#include "base/str_cat.h"

namespace dbx {

/// A table in a FlatBuffers message, whose offsets and lengths are believed only once they are seen
/// to lie within it. Reads bytes at any alignment. Each failure is kInvalidData.
class FlatTable {
 public:
  /// The outermost table of `message`, which must outlive this.
  static Result<FlatTable> Root(Bytes message);

  /// True when the table has the field of this number (counted from 0 in the order of its
  /// declaration).
  bool Has(size_t field) const { return FieldPosition(field) != 0; }

  /// A number, or `fallback` when the table lacks it.
  template <typename T>
  Result<T> Scalar(size_t field, T fallback) const {
    const uint64_t position = FieldPosition(field);
    return position == 0 ? Result<T>(fallback) : Load<T>(message_, position);
  }

  /// Another table. Errors: also when the table lacks it.
  Result<FlatTable> Table(size_t field) const;

  /// The length of a vector of tables (0 when the table lacks it), and one of them.
  Result<uint32_t> NumTables(size_t field) const;
  Result<FlatTable> TableAt(size_t field, uint32_t index) const;

  /// The elements of a vector of structs of `width` bytes each, one after another; none when the
  /// table lacks it.
  Result<Bytes> Vector(size_t field, size_t width) const;

 private:
  FlatTable(Bytes message, uint64_t position, Bytes field_offsets)
      : message_(message), position_(position), field_offsets_(field_offsets) {}

  static Result<FlatTable> At(Bytes message, uint64_t position);

  template <typename T>
  static Result<T> Load(Bytes message, uint64_t position) {
    if (position > message.size() || message.size() - position < sizeof(T)) {
      return Status::InvalidData(StrCat("flatbuffer: offset ", position, " leads out of it"));
    }
    T value;
    std::memcpy(&value, message.data() + position, sizeof(T));
    return value;
  }

  /// Where the field begins; 0 when the table lacks it.
  uint64_t FieldPosition(size_t field) const;
  /// Where that leads which the field points to.
  Result<uint64_t> Target(size_t field) const;

  Bytes message_;
  uint64_t position_;
  Bytes field_offsets_;  ///< of the table's fields, two bytes each
};

}  // namespace dbx
