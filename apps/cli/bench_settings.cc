// SPDX-License-Identifier: Apache-2.0
#include "bench_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "failure.h"
#include "json_file.h"

namespace dbx::cli {
namespace {

constexpr std::array kBuiltIn{"3/2/200",   "16/16/400", "16/32/400", "16/16/200",
                              "10/16/400", "16/20/400", "auto"};
constexpr std::array kShortForm{"databricks.cloudfetch.parallel_downloads",
                                "databricks.cloudfetch.prefetch_count",
                                "databricks.cloudfetch.memory_buffer_size_mb"};

bool IsNumber(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::vector<std::string> Split(const std::string& text) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == '/') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// A JSON value as the text of a driver option.
std::string OptionText(const Json& value, const std::string& where) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number() || value.is_boolean()) return value.dump();
  throw Failure(Exit::kUsage, fmt::format("{}: {} is no text, number or boolean; options are "
                                          "written as {{\"NAME\": \"VALUE\"}}",
                                          where, value.dump()));
}

Setting FromJson(const Json& entry, const std::string& file) {
  if (entry.is_string()) return SettingOf(entry.get<std::string>());
  if (!entry.is_object() || !entry.value("name", Json()).is_string() ||
      !entry.value("options", Json()).is_object()) {
    throw Failure(Exit::kUsage,
                  fmt::format("--sweep '{}': {} is no setting; write \"16/16/400\" or "
                              "{{\"name\": …, \"options\": {{NAME: VALUE}}}}",
                              file, entry.dump()));
  }
  Setting setting{.name = entry["name"], .options = {}};
  for (const auto& [key, value] : entry["options"].items()) {
    setting.options.emplace_back(
        key, OptionText(value, fmt::format("--sweep '{}': {}: {}", file, setting.name, key)));
  }
  return setting;
}

void RequireDistinct(const std::vector<Setting>& settings, const std::string& file) {
  for (size_t i = 0; i < settings.size(); ++i) {
    const bool again = std::any_of(settings.begin(), settings.begin() + static_cast<int>(i),
                                   [&](const Setting& s) { return s.name == settings[i].name; });
    if (again) {
      throw Failure(Exit::kUsage, fmt::format("--sweep '{}': the name {} stands there twice; give "
                                              "each setting a name of its own",
                                              file, settings[i].name));
    }
  }
}

}  // namespace

Setting SettingOf(const std::string& text) {
  if (text == "auto") return {.name = text, .options = {{kShortForm[0], "auto"}}};
  const std::vector<std::string> parts = Split(text);
  if (parts.size() != kShortForm.size() || !std::all_of(parts.begin(), parts.end(), IsNumber)) {
    throw Failure(Exit::kUsage,
                  fmt::format("--sweep: '{}' is no setting; write DOWNLOADS/PREFETCH/MEGABYTES, as "
                              "16/16/400, or auto",
                              text));
  }
  Setting setting{.name = text, .options = {}};
  for (size_t i = 0; i < parts.size(); ++i) setting.options.emplace_back(kShortForm[i], parts[i]);
  return setting;
}

std::vector<Setting> ReadSettings(const std::string& text) {
  if (text.empty()) return {{.name = "ours", .options = {}}};
  std::vector<Setting> settings;
  if (text == "builtin") {
    for (const char* const name : kBuiltIn) settings.push_back(SettingOf(name));
    return settings;
  }
  const Json json = ReadJson(text);
  if (!json.is_array() || json.empty()) {
    throw Failure(Exit::kUsage,
                  fmt::format("--sweep '{}': holds no list of settings; write [\"3/2/200\", "
                              "\"16/16/400\"], or say --sweep builtin",
                              text));
  }
  for (const Json& entry : json) settings.push_back(FromJson(entry, text));
  RequireDistinct(settings, text);
  return settings;
}

}  // namespace dbx::cli
