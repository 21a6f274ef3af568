// SPDX-License-Identifier: Apache-2.0
#include "statistics_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "text.h"

namespace dbx::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSeconds = "_seconds";

bool IsBytes(const std::string& name) {
  return name.starts_with("bytes_") || name.find("_bytes") != std::string::npos;
}

std::string ValueText(const std::string& name, const Json& value) {
  if (value.is_string()) return Printable(value.get<std::string>());
  if (!value.is_number()) return value.dump();
  if (name.ends_with(kSeconds)) return fmt::format("{:.1f} ms", value.get<double>() * 1000);
  if (IsBytes(name)) return ByteSize(value.get<double>());
  return value.is_number_integer() ? WithThousands(value.get<int64_t>()) : value.dump();
}

/// "reader_waited_seconds" as "reader waited".
std::string Title(std::string name) {
  if (name.ends_with(kSeconds)) name.resize(name.size() - kSeconds.size());
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

}  // namespace

std::string StatisticsText(const std::string& json) {
  const Json statistics = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!statistics.is_object()) return "";
  size_t width = 0;
  for (const auto& [name, value] : statistics.items()) width = std::max(width, Title(name).size());
  std::string text;
  for (const auto& [name, value] : statistics.items())
    text += fmt::format("  {:<{}}  {}\n", Title(name), width, ValueText(name, value));
  return text;
}

}  // namespace dbx::cli
