// SPDX-License-Identifier: Apache-2.0
#include "base/bytes.h"

#include <bit>
#include <cstring>

#include "base/str_cat.h"

namespace dbx {

static_assert(std::endian::native == std::endian::little,
              "the wire formats here are little endian");

Result<Bytes> ByteReader::Take(uint64_t num_bytes, std::string_view field) {
  if (num_bytes > bytes_.size()) {
    return Status::InvalidData(
        StrCat(field, ": ", num_bytes, " bytes promised, ", bytes_.size(), " bytes left"));
  }
  const Bytes taken = bytes_.first(num_bytes);
  bytes_ = bytes_.subspan(num_bytes);
  return taken;
}

Status ByteReader::Skip(uint64_t num_bytes, std::string_view field) {
  return Take(num_bytes, field).status();
}

Result<uint32_t> ByteReader::U32(std::string_view field) {
  ASSIGN_OR_RETURN(const Bytes bytes, Take(sizeof(uint32_t), field));
  uint32_t value = 0;
  std::memcpy(&value, bytes.data(), sizeof(value));
  return value;
}

Result<uint64_t> ByteReader::U64(std::string_view field) {
  ASSIGN_OR_RETURN(const Bytes bytes, Take(sizeof(uint64_t), field));
  uint64_t value = 0;
  std::memcpy(&value, bytes.data(), sizeof(value));
  return value;
}

}  // namespace dbx
