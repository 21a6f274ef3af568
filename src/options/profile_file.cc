// SPDX-License-Identifier: Apache-2.0
#include "options/profile_file.h"

#include "base/str_cat.h"

namespace dbx {
namespace {

std::string_view Trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

}  // namespace

Result<std::map<std::string, std::string>> ReadProfile(std::string_view text,
                                                       std::string_view profile) {
  std::map<std::string, std::string> values;
  bool found = false;
  bool inside = false;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = Trim(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    if (line.front() == '[') {
      inside = Trim(line.substr(1, line.find(']') - 1)) == profile;
      found = found || inside;
      continue;
    }
    const size_t equals = line.find('=');
    if (!inside || equals == std::string_view::npos) continue;
    values[std::string(Trim(line.substr(0, equals)))] = std::string(Trim(line.substr(equals + 1)));
  }
  if (!found) return Status::NotFound(StrCat("the profile file has no section [", profile, "]"));
  return values;
}

}  // namespace dbx
