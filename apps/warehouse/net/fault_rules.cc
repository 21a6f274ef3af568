// SPDX-License-Identifier: Apache-2.0
#include "net/fault_rules.h"

#include <toml++/toml.h>

#include <array>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "base/str_cat.h"

namespace dbx::local {
namespace {

using Json = nlohmann::json;

struct NumberField {
  std::string_view name;
  int64_t low;
  int64_t high;
  void (*set)(FaultAction& action, int64_t value);
};
constexpr int64_t kFar = INT64_MAX;
constexpr std::array kNumberFields = {
    NumberField{"status", 200, 599,
                [](FaultAction& a, int64_t v) { a.status = static_cast<int>(v); }},
    NumberField{"delay_ms", 0, 3'600'000,
                [](FaultAction& a, int64_t v) { a.reply.delay_ms = static_cast<uint32_t>(v); }},
    NumberField{"reset_after", 0, kFar,
                [](FaultAction& a, int64_t v) { a.reply.reset_after = static_cast<uint64_t>(v); }},
    NumberField{
        "truncate_after", 0, kFar,
        [](FaultAction& a, int64_t v) { a.reply.truncate_after = static_cast<uint64_t>(v); }},
    NumberField{"stall_after", 0, kFar,
                [](FaultAction& a, int64_t v) { a.reply.stall_after = static_cast<uint64_t>(v); }},
    NumberField{"content_length_delta", -kFar, kFar,
                [](FaultAction& a, int64_t v) { a.reply.content_length_delta = v; }},
    NumberField{"corrupt_at", 0, kFar,
                [](FaultAction& a, int64_t v) { a.reply.corrupt_at = static_cast<uint64_t>(v); }},
    NumberField{
        "bytes_per_second", 1, kFar,
        [](FaultAction& a, int64_t v) { a.reply.bytes_per_second = static_cast<uint64_t>(v); }},
    NumberField{"extra_rows", 0, kFar, [](FaultAction& a, int64_t v) { a.extra_rows = v; }},
};

struct FlagField {
  std::string_view name;
  bool FaultAction::* flag;
};
constexpr std::array kFlagFields = {
    FlagField{"expire_link", &FaultAction::expire_link},
    FlagField{"forget_session", &FaultAction::forget_session},
    FlagField{"forget_operation", &FaultAction::forget_operation},
    FlagField{"duplicate_frame", &FaultAction::duplicate_frame},
    FlagField{"split_frames", &FaultAction::split_frames},
    FlagField{"checksums", &FaultAction::checksums},
    FlagField{"content_size", &FaultAction::content_size},
    FlagField{"no_arrow_schema", &FaultAction::no_arrow_schema},
};

template <typename Fields>
auto Find(const Fields& fields, std::string_view name) -> decltype(fields.data()) {
  for (const auto& field : fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

Status Wrong(std::string_view key, std::string_view wanted) {
  return Status::InvalidArgument(StrCat(key, ": wanted ", wanted));
}

Result<int64_t> ReadNumber(std::string_view key, const Json& value, int64_t low, int64_t high) {
  const bool fits = value.is_number_unsigned()
                        ? value.get<uint64_t>() <= static_cast<uint64_t>(INT64_MAX)
                        : value.is_number_integer();
  if (fits) {
    const auto number = value.get<int64_t>();
    if (number >= low && number <= high) return number;
  }
  return Wrong(key, StrCat("a whole number from ", low, " to ", high));
}

Status ReadText(std::string_view key, const Json& value, std::string& text) {
  if (!value.is_string()) return Wrong(key, "a text");
  text = value.get<std::string>();
  return Status::Ok();
}

Result<FaultPoint> ReadPoint(const Json& value) {
  if (value == "http") return FaultPoint::kHttp;
  if (value == "thrift") return FaultPoint::kThrift;
  if (value == "sea") return FaultPoint::kSea;
  if (value == "storage") return FaultPoint::kStorage;
  if (value == "result") return FaultPoint::kResult;
  return Wrong("point", "http, thrift, sea, storage or result");
}

Status ReadCount(std::string_view key, const Json& value, int64_t low,
                 std::optional<int64_t>& count) {
  ASSIGN_OR_RETURN(count, ReadNumber(key, value, low, kFar));
  return Status::Ok();
}

Status ReadMatchKey(const std::string& key, const Json& value, FaultRule& rule) {
  if (key == "http_method") return ReadText(key, value, rule.http_method);
  if (key == "path") return ReadText(key, value, rule.path);
  if (key == "sql") return ReadText(key, value, rule.sql);
  if (key == "method") return ReadText(key, value, rule.thrift_method);
  if (key == "chunk") return ReadCount(key, value, 0, rule.chunk);
  if (key == "nth") return ReadCount(key, value, 1, rule.nth);
  if (key == "times") return ReadCount(key, value, 1, rule.times);
  if (key == "attempt") return ReadCount(key, value, 1, rule.attempt);
  if (key == "point") {
    ASSIGN_OR_RETURN(rule.point, ReadPoint(value));
    return Status::Ok();
  }
  if (key == "probability") {
    if (!value.is_number() || value < 0 || value > 1) return Wrong(key, "a number from 0 to 1");
    rule.probability = value.get<double>();
    return Status::Ok();
  }
  return Status::InvalidArgument(StrCat("unknown key '", key, "'"));
}

Status ReadMatch(const Json& match, FaultRule& rule) {
  if (!match.is_object()) return Status::InvalidArgument("wanted an object");
  if (!match.contains("point")) return Wrong("point", "http, thrift, sea, storage or result");
  for (const auto& [key, value] : match.items()) RETURN_IF_ERROR(ReadMatchKey(key, value, rule));
  if (rule.nth && !rule.times) rule.times = 1;
  return Status::Ok();
}

Status ReadNumberField(const NumberField& field, const Json& value, FaultRule& rule) {
  if (!value.is_object()) {
    ASSIGN_OR_RETURN(const int64_t number, ReadNumber(field.name, value, field.low, field.high));
    field.set(rule.action, number);
    return Status::Ok();
  }
  const auto range = value.find("random");
  if (value.size() != 1 || range == value.end() || !range->is_array() || range->size() != 2) {
    return Wrong(field.name, "a whole number or {\"random\": [low, high]}");
  }
  ASSIGN_OR_RETURN(const int64_t low, ReadNumber(field.name, (*range)[0], field.low, field.high));
  ASSIGN_OR_RETURN(const int64_t high, ReadNumber(field.name, (*range)[1], low, field.high));
  rule.random_fields.push_back({.set = field.set, .low = low, .high = high});
  return Status::Ok();
}

template <typename Take>
Status ReadTexts(std::string_view key, const Json& texts, const Take& take) {
  if (!texts.is_object()) return Wrong(key, "an object of texts");
  for (const auto& [name, value] : texts.items()) {
    std::string text;
    if (value.is_number_integer()) {
      text = value.dump();
    } else {
      RETURN_IF_ERROR(ReadText(name, value, text));
    }
    take(name, std::move(text));
  }
  return Status::Ok();
}

Status ReadStates(const Json& states, FaultAction& action) {
  if (!states.is_array()) return Wrong("states", "a list of texts");
  for (const Json& state : states) {
    RETURN_IF_ERROR(ReadText("states", state, action.states.emplace_back()));
  }
  return Status::Ok();
}

Status ReadActionKey(const std::string& key, const Json& value, FaultRule& rule) {
  FaultAction& action = rule.action;
  if (const NumberField* field = Find(kNumberFields, key))
    return ReadNumberField(*field, value, rule);
  if (const FlagField* field = Find(kFlagFields, key)) {
    if (!value.is_boolean()) return Wrong(key, "true or false");
    action.*(field->flag) = value.get<bool>();
    return Status::Ok();
  }
  if (key == "body") return ReadText(key, value, action.body);
  if (key == "states") return ReadStates(value, action);
  if (key == "headers") {
    return ReadTexts(key, value, [&](const std::string& name, std::string text) {
      action.headers.emplace_back(name, std::move(text));
    });
  }
  if (key == "more") {
    return ReadTexts(key, value, [&](const std::string& name, std::string text) {
      action.more[name] = std::move(text);
    });
  }
  return Status::InvalidArgument(StrCat("unknown key '", key, "'"));
}

Result<FaultRule> ReadRule(const Json& json) {
  FaultRule rule;
  if (!json.is_object()) return Status::InvalidArgument("wanted an object");
  for (const auto& [key, value] : json.items()) {
    if (key != "match" && key != "action")
      return Status::InvalidArgument(StrCat("unknown key '", key, "'"));
  }
  RETURN_IF_ERROR(ReadMatch(json.value("match", Json()), rule).WithContext("match"));
  const Json action = json.value("action", Json());
  if (!action.is_object()) return Status::InvalidArgument("action: wanted an object");
  for (const auto& [key, value] : action.items()) {
    RETURN_IF_ERROR(ReadActionKey(key, value, rule).WithContext("action"));
  }
  rule.text = json.dump();
  return rule;
}

Result<FaultRules> ReadScript(const Json& script) {
  if (!script.is_object()) return Status::InvalidArgument("fault script: wanted an object");
  FaultRules all;
  for (const auto& [key, value] : script.items()) {
    if (key == "seed") {
      ASSIGN_OR_RETURN(const int64_t seed, ReadNumber(key, value, 0, kFar));
      all.seed = static_cast<uint64_t>(seed);
    } else if (key == "rules" && value.is_array()) {
      for (size_t i = 0; i < value.size(); ++i) {
        Result<FaultRule> rule = ReadRule(value[i]);
        if (!rule.ok()) return rule.status().WithContext(StrCat("fault script: rule ", i));
        all.rules.push_back(*std::move(rule));
      }
    } else {
      return Status::InvalidArgument(
          StrCat("fault script: '", key, "' is unknown or of the wrong type"));
    }
  }
  return all;
}

Json JsonOfToml(std::string_view text) {
  std::stringstream json;
  const toml::table table = toml::parse(text);
  json << toml::json_formatter{table};
  return Json::parse(json);
}

}  // namespace

Result<FaultRules> ParseFaultRules(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  const bool is_json = first != std::string_view::npos && text[first] == '{';
  try {
    return ReadScript(is_json ? Json::parse(text) : JsonOfToml(text));
  } catch (const std::exception& error) {
    return Status::InvalidArgument(StrCat("fault script: ", error.what()));
  }
}

}  // namespace dbx::local
