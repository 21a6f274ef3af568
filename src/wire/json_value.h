// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dbx {

/// A JSON value whose numbers keep the digits that were written.
struct JsonValue {
  enum class Kind : uint8_t { kNull, kFalse, kTrue, kNumber, kText, kList, kObject };

  Kind kind = Kind::kNull;
  std::string text = {};  ///< of a text, or the digits of a number
  std::vector<JsonValue> items = {};
  std::vector<std::pair<std::string, JsonValue>> members = {};  ///< in their order, doubles too

  bool is_null() const { return kind == Kind::kNull; }
};

/// Reads one value. nullopt: not JSON, something behind it, or nested deeper than any SQL type.
std::optional<JsonValue> ParseJson(std::string_view text);

/// Compact JSON of a value, its numbers as they were written.
std::string ToText(const JsonValue& value);

}  // namespace dbx
