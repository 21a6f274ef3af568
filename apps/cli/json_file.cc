// SPDX-License-Identifier: Apache-2.0
#include "json_file.h"

#include <fmt/format.h>

#include <fstream>

#include "failure.h"
#include "output_file.h"

namespace dbx::cli {

Json ReadJson(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Failure(Exit::kUsage, fmt::format("cannot read '{}'", path));
  Json json = Json::parse(file, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) throw Failure(Exit::kUsage, fmt::format("'{}' is not JSON", path));
  return json;
}

void WriteText(const std::string& text, const std::string& path) {
  OutputFile output(path);
  std::ofstream file(output.partial_path());
  file << text;
  if (!file.flush()) throw Failure(Exit::kFailed, fmt::format("cannot write '{}'", path));
  output.Commit();
}

void WriteJson(const Json& json, const std::string& path) {
  WriteText(json.dump(1) + "\n", path);
}

}  // namespace dbx::cli
