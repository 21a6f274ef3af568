// SPDX-License-Identifier: Apache-2.0
#include "named_queries.h"

#include <fmt/format.h>

#include <algorithm>

#include "failure.h"
#include "json_file.h"

namespace dbx::cli {
namespace {

NamedQuery ToQuery(const Json& entry, const std::string& file) {
  if (!entry.is_object() || !entry.value("name", Json()).is_string() ||
      !entry.value("sql", Json()).is_string()) {
    throw Failure(Exit::kUsage, fmt::format("'{}': every query needs a name and sql", file));
  }
  return {entry["name"], entry["sql"]};
}

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void RequireAll(const std::vector<std::string>& only, const std::vector<std::string>& known,
                const std::string& file) {
  for (const std::string& name : only) {
    if (Contains(known, name)) continue;
    throw Failure(Exit::kUsage, fmt::format("--only {}: '{}' has no such query; it has {}", name,
                                            file, fmt::join(known, ", ")));
  }
}

}  // namespace

std::vector<NamedQuery> ReadNamedQueries(const QueryChoice& choice) {
  const Json json = ReadJson(choice.file);
  if (!json.is_array())
    throw Failure(Exit::kUsage, fmt::format("'{}' holds no list of queries", choice.file));
  std::vector<NamedQuery> queries;
  std::vector<std::string> known;
  for (const Json& entry : json) {
    NamedQuery query = ToQuery(entry, choice.file);
    known.push_back(query.name);
    const Json scale = entry.value("scale", Json());
    if (choice.scale != 0 && scale.is_number_integer() && scale != choice.scale) continue;
    if (choice.only.empty() || Contains(choice.only, query.name))
      queries.push_back(std::move(query));
  }
  RequireAll(choice.only, known, choice.file);
  if (queries.empty()) throw Failure(Exit::kUsage, "no query is left: see --only and --scale");
  return queries;
}

}  // namespace dbx::cli
