// SPDX-License-Identifier: Apache-2.0
#include "validate.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <optional>

#include "checksum.h"
#include "json_file.h"
#include "query.h"
#include "table.h"
#include "text.h"

namespace dbx::cli {
namespace {

struct Outcome {
  NamedQuery query;
  int64_t counted = 0;  ///< by the server
  ReadFigures figures = {};
  int64_t num_columns = 0;
  Json checksums = Json::object();
  std::string total = {};
  std::vector<std::string> differences = {};
};

void Drain(RowStream& rows) {
  while (true) {
    nanoarrow::UniqueArray batch;
    if (!rows.Next(batch.get())) return;
  }
}

Outcome ReadOne(Connection& connection, const NamedQuery& query, bool show_progress) {
  Outcome outcome{.query = query};
  outcome.counted = QueryNumber(connection, fmt::format("SELECT count(*) FROM ({})", query.sql));
  Statement statement(connection, query.sql);
  std::unique_ptr<ColumnChecksums> checksums;
  outcome.figures = ReadResult(statement, -1, show_progress, nullptr, Drain,
                               [&](const ArrowSchema& schema, const ArrowArray& batch) {
                                 if (!checksums)
                                   checksums = std::make_unique<ColumnChecksums>(&schema);
                                 checksums->Add(batch);
                               });
  if (!checksums) return outcome;
  outcome.num_columns = static_cast<int64_t>(checksums->columns().size());
  outcome.total = fmt::format("{:016x}", checksums->Total());
  for (const ColumnChecksums::Column& column : checksums->columns()) {
    outcome.checksums[column.name] = {{"sum", fmt::format("{:016x}", column.sum)},
                                      {"nulls", column.nulls}};
  }
  return outcome;
}

void Compare(Outcome& outcome, const ValidateOptions& options, const Json& saved) {
  const int64_t rows = outcome.figures.counts.rows;
  if (rows != outcome.counted) {
    outcome.differences.push_back(
        fmt::format("{} rows came, the server counts {}", rows, outcome.counted));
  }
  if (const auto stated = options.expected.find(outcome.query.name);
      stated != options.expected.end() && stated->second != rows) {
    outcome.differences.push_back(
        fmt::format("{} rows came, {} were stated", rows, stated->second));
  }
  const auto before = saved.find(outcome.query.name);
  if (before == saved.end()) return;
  if ((*before)["rows"] != rows) {
    outcome.differences.push_back(
        fmt::format("{} rows came, {} are saved", rows, (*before)["rows"].dump()));
  }
  for (const auto& [column, checksum] : (*before)["columns"].items()) {
    if (!outcome.checksums.contains(column) || outcome.checksums[column] != checksum) {
      outcome.differences.push_back(fmt::format("column {} differs from what is saved", column));
    }
  }
}

std::vector<std::string> Row(const Outcome& outcome, const ValidateOptions& options) {
  const ReadFigures& figures = outcome.figures;
  const double seconds = std::max(figures.seconds, 1e-3);
  const auto stated = options.expected.find(outcome.query.name);
  return {outcome.query.name,
          WithThousands(figures.counts.rows),
          WithThousands(outcome.counted),
          stated == options.expected.end() ? "" : WithThousands(stated->second),
          std::to_string(outcome.num_columns),
          Duration(figures.seconds),
          WithThousands(static_cast<int64_t>(static_cast<double>(figures.counts.rows) / seconds)),
          ByteSize(static_cast<double>(figures.counts.bytes)),
          outcome.total,
          outcome.differences.empty() ? "ok" : "DIFFERS"};
}

void Save(const std::string& path, const std::vector<Outcome>& outcomes) {
  Json json = Json::object();
  for (const Outcome& outcome : outcomes) {
    json[outcome.query.name] = {{"rows", outcome.figures.counts.rows},
                                {"columns", outcome.checksums}};
  }
  WriteJson(json, path);
}

}  // namespace

Exit RunValidate(const ValidateOptions& options) {
  const std::vector<NamedQuery> queries = ReadNamedQueries(options.queries);
  const Json saved = options.compare_file.empty() ? Json::object() : ReadJson(options.compare_file);
  Connection connection(options.connection);
  Table table{.headings = {"query", "rows", "server's count", "stated", "columns", "time", "rows/s",
                           "Arrow", "checksum", ""},
              .right_aligned = {false, true, true, true, true, true, true, true, true, false},
              .rows = {}};
  std::vector<Outcome> outcomes;
  for (const NamedQuery& query : queries) {
    outcomes.push_back(ReadOne(connection, query, !options.quiet));
    Compare(outcomes.back(), options, saved);
    table.rows.push_back(Row(outcomes.back(), options));
    if (!options.quiet) fmt::print(stderr, "{}: {}\n", query.name, table.rows.back().back());
  }
  fmt::print("{}", RenderTable(table, 0));
  bool differs = false;
  for (const Outcome& outcome : outcomes) {
    for (const std::string& difference : outcome.differences) {
      fmt::print("{}: {}\n", outcome.query.name, difference);
      differs = true;
    }
  }
  if (!options.save_file.empty()) Save(options.save_file, outcomes);
  return differs ? Exit::kDifference : Exit::kOk;
}

}  // namespace dbx::cli
