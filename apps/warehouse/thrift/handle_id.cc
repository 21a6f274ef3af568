// SPDX-License-Identifier: Apache-2.0
#include "thrift/handle_id.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <string_view>

namespace dbx::local {
namespace {

HandleId::Part RandomPart() {
  HandleId::Part part;
  std::random_device random;
  for (size_t i = 0; i < part.size(); i += sizeof(uint32_t)) {
    const uint32_t word = random();
    std::memcpy(part.data() + i, &word, sizeof(word));
  }
  return part;
}

std::string HexWithDashes(std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (bytes.size() == 16 && (i == 4 || i == 6 || i == 8 || i == 10)) text.push_back('-');
    const auto byte = static_cast<uint8_t>(bytes[i]);
    text.push_back(kDigits[byte >> 4]);
    text.push_back(kDigits[byte & 15]);
  }
  return text;
}

std::string ToText(const HandleId::Part& part) {
  return {part.begin(), part.end()};
}

}  // namespace

HandleId HandleId::Random() {
  HandleId id{.guid = RandomPart(), .secret = RandomPart()};
  id.guid[6] = static_cast<uint8_t>((id.guid[6] & 0x0F) | 0x40);  // version 4
  id.guid[8] = static_cast<uint8_t>((id.guid[8] & 0x3F) | 0x80);  // variant of RFC 4122
  return id;
}

std::optional<HandleId> HandleId::Parse(const thrift::THandleIdentifier& identifier) {
  HandleId id;
  if (identifier.guid.size() != id.guid.size() || identifier.secret.size() != id.secret.size()) {
    return std::nullopt;
  }
  std::copy(identifier.guid.begin(), identifier.guid.end(), id.guid.begin());
  std::copy(identifier.secret.begin(), identifier.secret.end(), id.secret.begin());
  return id;
}

thrift::THandleIdentifier HandleId::ToThrift() const {
  thrift::THandleIdentifier identifier;
  identifier.__set_guid(ToText(guid));
  identifier.__set_secret(ToText(secret));
  identifier.__set_executionVersion(0);
  return identifier;
}

std::string HandleId::Uuid() const {
  return HexWithDashes(ToText(guid));
}

std::string UuidOf(const thrift::THandleIdentifier& identifier) {
  return HexWithDashes(std::string_view(identifier.guid).substr(0, 64));
}

}  // namespace dbx::local
