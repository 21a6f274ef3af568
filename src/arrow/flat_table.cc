// SPDX-License-Identifier: Apache-2.0
#include "arrow/flat_table.h"

namespace dbx {

Result<FlatTable> FlatTable::Root(Bytes message) {
  ASSIGN_OR_RETURN(const uint32_t position, Load<uint32_t>(message, 0));
  return At(message, position);
}

Result<FlatTable> FlatTable::At(Bytes message, uint64_t position) {
  constexpr uint64_t kHeaderBytes = 4;  // its own length and that of the table
  ASSIGN_OR_RETURN(const int32_t back, Load<int32_t>(message, position));
  const int64_t start = static_cast<int64_t>(position) - back;
  if (start < 0) return Status::InvalidData("flatbuffer: field offsets lie before the message");
  const auto offsets = static_cast<uint64_t>(start);
  ASSIGN_OR_RETURN(const uint16_t num_bytes, Load<uint16_t>(message, offsets));
  if (num_bytes < kHeaderBytes || num_bytes > message.size() - offsets) {
    return Status::InvalidData("flatbuffer: field offsets lead out of the message");
  }
  return FlatTable(message, position,
                   message.subspan(offsets + kHeaderBytes, num_bytes - kHeaderBytes));
}

uint64_t FlatTable::FieldPosition(size_t field) const {
  uint16_t offset = 0;
  if ((field + 1) * sizeof(offset) > field_offsets_.size()) return 0;
  std::memcpy(&offset, field_offsets_.data() + field * sizeof(offset), sizeof(offset));
  return offset == 0 ? 0 : position_ + offset;
}

Result<uint64_t> FlatTable::Target(size_t field) const {
  const uint64_t position = FieldPosition(field);
  if (position == 0) return Status::InvalidData(StrCat("flatbuffer: field ", field, " is missing"));
  ASSIGN_OR_RETURN(const uint32_t distance, Load<uint32_t>(message_, position));
  return position + distance;
}

Result<FlatTable> FlatTable::Table(size_t field) const {
  ASSIGN_OR_RETURN(const uint64_t position, Target(field));
  return At(message_, position);
}

Result<uint32_t> FlatTable::NumTables(size_t field) const {
  ASSIGN_OR_RETURN(const Bytes offsets, Vector(field, sizeof(uint32_t)));
  return static_cast<uint32_t>(offsets.size() / sizeof(uint32_t));
}

Result<FlatTable> FlatTable::TableAt(size_t field, uint32_t index) const {
  ASSIGN_OR_RETURN(const Bytes offsets, Vector(field, sizeof(uint32_t)));
  if (index >= offsets.size() / sizeof(uint32_t)) {
    return Status::InvalidData(StrCat("flatbuffer: no element ", index));
  }
  const auto position =
      static_cast<uint64_t>(offsets.data() - message_.data()) + uint64_t{index} * sizeof(uint32_t);
  ASSIGN_OR_RETURN(const uint32_t distance, Load<uint32_t>(message_, position));
  return At(message_, position + distance);
}

Result<Bytes> FlatTable::Vector(size_t field, size_t width) const {
  if (!Has(field)) return Bytes();
  ASSIGN_OR_RETURN(const uint64_t position, Target(field));
  ASSIGN_OR_RETURN(const uint32_t num_elements, Load<uint32_t>(message_, position));
  const uint64_t first = position + sizeof(num_elements);
  const uint64_t num_bytes = uint64_t{num_elements} * width;
  if (num_bytes > message_.size() - first) {
    return Status::InvalidData(StrCat("flatbuffer: ", num_elements, " elements promised, ",
                                      message_.size() - first, " bytes left"));
  }
  return message_.subspan(first, num_bytes);
}

}  // namespace dbx
