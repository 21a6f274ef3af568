// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace dbx::cli {

/// One way to set the driver, of those that a sweep compares.
struct Setting {
  std::string name;
  std::vector<std::pair<std::string, std::string>> options = {};  ///< of the driver
};

/// What `text` asks for:
///   ""         the driver as --option leaves it, under the name "ours"
///   "builtin"  3/2/200, 16/16/400, 16/32/400, 16/16/200, 10/16/400, 16/20/400 and auto
///   a file     JSON: a list of such texts, or of {"name", "options": {NAME: VALUE}}
/// "16/32/400" is parallel downloads, prefetch count (the result queue holds twice as many) and
/// memory buffer in MB; "auto" leaves all three to the driver. Throws Failure(kUsage) that names
/// the field.
std::vector<Setting> ReadSettings(const std::string& text);

/// The setting that a short form like "16/32/400" or "auto" stands for. Throws Failure(kUsage).
Setting SettingOf(const std::string& text);

}  // namespace dbx::cli
