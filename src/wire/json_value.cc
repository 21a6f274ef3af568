// SPDX-License-Identifier: Apache-2.0
#include "wire/json_value.h"

#include <nlohmann/json.hpp>

namespace dbx {
namespace {

using Json = nlohmann::json;

constexpr size_t kDeepest = 200;

/// Builds the tree from the parser's calls, which keep a number's digits.
class Builder : public Json::json_sax_t {
 public:
  JsonValue Take() { return std::move(root_); }

  bool null() override { return Put({.kind = JsonValue::Kind::kNull}); }
  bool boolean(bool value) override {
    return Put({.kind = value ? JsonValue::Kind::kTrue : JsonValue::Kind::kFalse});
  }
  bool number_integer(number_integer_t value) override { return Number(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return Number(std::to_string(value)); }
  bool number_float(number_float_t, const string_t& digits) override { return Number(digits); }
  bool string(string_t& value) override {
    return Put({.kind = JsonValue::Kind::kText, .text = std::move(value)});
  }
  bool binary(binary_t&) override { return false; }
  bool start_object(size_t) override { return Open(JsonValue::Kind::kObject); }
  bool key(string_t& name) override {
    open_.back()->members.emplace_back(std::move(name), JsonValue());
    return true;
  }
  bool end_object() override { return Close(); }
  bool start_array(size_t) override { return Open(JsonValue::Kind::kList); }
  bool end_array() override { return Close(); }
  bool parse_error(size_t, const std::string&, const Json::exception&) override { return false; }

 private:
  bool Number(std::string digits) {
    return Put({.kind = JsonValue::Kind::kNumber, .text = std::move(digits)});
  }

  bool Put(JsonValue value) {
    *NextPlace() = std::move(value);
    return true;
  }

  JsonValue* NextPlace() {
    if (open_.empty()) return &root_;
    JsonValue& parent = *open_.back();
    if (parent.kind == JsonValue::Kind::kObject) return &parent.members.back().second;
    return &parent.items.emplace_back();
  }

  bool Open(JsonValue::Kind kind) {
    if (open_.size() >= kDeepest) return false;
    JsonValue* const place = NextPlace();
    place->kind = kind;
    // No place moves while something is open in it: siblings come after it has closed.
    open_.push_back(place);
    return true;
  }

  bool Close() {
    open_.pop_back();
    return true;
  }

  JsonValue root_;
  std::vector<JsonValue*> open_;
};

std::string Quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

void Append(const JsonValue& value, std::string& text) {
  switch (value.kind) {
    case JsonValue::Kind::kNull:
      text += "null";
      break;
    case JsonValue::Kind::kFalse:
      text += "false";
      break;
    case JsonValue::Kind::kTrue:
      text += "true";
      break;
    case JsonValue::Kind::kNumber:
      text += value.text;
      break;
    case JsonValue::Kind::kText:
      text += Quoted(value.text);
      break;
    case JsonValue::Kind::kList:
      text += '[';
      for (const JsonValue& item : value.items) {
        if (&item != value.items.data()) text += ',';
        Append(item, text);
      }
      text += ']';
      break;
    case JsonValue::Kind::kObject:
      text += '{';
      for (const auto& member : value.members) {
        if (&member != value.members.data()) text += ',';
        text += Quoted(member.first) + ":";
        Append(member.second, text);
      }
      text += '}';
      break;
  }
}

}  // namespace

std::optional<JsonValue> ParseJson(std::string_view text) {
  Builder builder;
  if (!Json::sax_parse(text, &builder)) return std::nullopt;
  return builder.Take();
}

std::string ToText(const JsonValue& value) {
  std::string text;
  Append(value, text);
  return text;
}

}  // namespace dbx
