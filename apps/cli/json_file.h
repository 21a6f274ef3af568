// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace dbx::cli {

/// Members stay in the order in which they were written.
using Json = nlohmann::ordered_json;

/// What the file `path` holds. Throws Failure(kUsage) when it cannot be read or is not JSON.
Json ReadJson(const std::string& path);

/// Writes `json` to the file `path`, which is there whole or not at all. Throws Failure.
void WriteJson(const Json& json, const std::string& path);

/// The same for a text.
void WriteText(const std::string& text, const std::string& path);

}  // namespace dbx::cli
