// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <clocale>
#include <cstdio>

#include "bench.h"
#include "failure.h"
#include "interrupt.h"
#include "query.h"
#include "validate.h"

namespace dbx::cli {
namespace {

constexpr const char* kFooter =
    "Without --uri the driver looks into the environment: DATABRICKS_HOST or "
    "DATABRICKS_SERVER_HOSTNAME,\n"
    "DATABRICKS_HTTP_PATH or DATABRICKS_WAREHOUSE_ID, DATABRICKS_TOKEN, DATABRICKS_CONFIG_FILE,\n"
    "DATABRICKS_CONFIG_PROFILE. docs/options.md lists every option for --option.\n"
    "Exit status: 0 done, 1 the query or the network failed, 2 wrong use, 3 validation found a "
    "difference,\n"
    "130 interrupted.";

/// "key=value" into its parts.
std::pair<std::string, std::string> SplitPair(const std::string& option, const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw Failure(Exit::kUsage, fmt::format("{} '{}': must be NAME=VALUE", option, text));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

void AddConnectionOptions(CLI::App& command, ConnectionOptions& connection,
                          std::vector<std::string>& pairs) {
  command.add_option("--uri", connection.uri,
                     "databricks://token:<token>@host/sql/1.0/warehouses/<id>?catalog=…");
  command.add_option("--driver", connection.driver,
                     "path of the driver library, or the name of its manifest");
  command.add_option("--option", pairs, "driver option NAME=VALUE; may be repeated")->take_all();
}

void TakeOptions(const std::vector<std::string>& pairs, ConnectionOptions& connection) {
  for (const std::string& pair : pairs) connection.options.push_back(SplitPair("--option", pair));
}

int64_t ParseRows(const std::string& pair, const std::string& text) {
  int64_t rows = -1;
  const char* const first = text.data();
  const char* const last = first + text.size();
  const auto [stop, failure] = std::from_chars(first, last, rows);
  if (failure == std::errc() && stop == last && rows >= 0) return rows;
  throw Failure(Exit::kUsage, fmt::format("--expect '{}': rows must be a number", pair));
}

/// The options that choose queries of a file.
void AddQueryChoice(CLI::App& command, QueryChoice& choice) {
  choice.file = "bench/queries.json";
  command.add_option("--queries", choice.file, "JSON file: [{\"name\", \"sql\", \"scale\"}]")
      ->capture_default_str();
  command.add_option("--only", choice.only, "names of queries to take; may be repeated")
      ->take_all();
  command.add_option("--scale", choice.scale, "queries of this scale only");
}

CLI::App& AddBench(CLI::App& app, BenchOptions& bench, std::vector<std::string>& pairs) {
  CLI::App& command = *app.add_subcommand(
      "bench", "read results to the end, several times, and say how long it took");
  AddConnectionOptions(command, bench.connection, pairs);
  AddQueryChoice(command, bench.queries);
  command.add_option("--sweep", bench.sweep,
                     "settings of the driver to compare: builtin, or a JSON file: [\"16/16/400\", "
                     "{\"name\", \"options\"}]");
  command.add_option("--runs", bench.num_runs, "runs that count, of each query and setting")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command.add_option("--warm-up", bench.num_warm_up, "runs before them that do not")
      ->check(CLI::Range(0, 100))
      ->capture_default_str();
  command.add_option("--consumer-delay", bench.consumer_delay,
                     "work on the rows for a while: TIME/ROWS, as 5ms/10000");
  command
      .add_option("--consumer-rule", bench.consumer_rule,
                  "exact: fractions count; integer: whole milliseconds a batch")
      ->check(CLI::IsMember({"exact", "integer"}))
      ->capture_default_str();
  command.add_option("--json", bench.json_file, "write every run here");
  command.add_option("--markdown", bench.markdown_file, "write the tables here");
  command.add_option("--baseline", bench.baseline_file,
                     "compare with this file of --json, or of bench/results/");
  command.add_flag("-q,--quiet", bench.quiet, "no progress");
  command.footer(kFooter);
  return command;
}

Exit Run(int argc, char** argv) {
  CLI::App app("cloudfetch: results of Databricks SQL, as fast as the network brings them");
  app.set_version_flag("--version", "cloudfetch " CLOUDFETCH_VERSION);
  app.require_subcommand(1);
  app.footer(kFooter);

  QueryOptions query;
  std::vector<std::string> query_pairs;
  CLI::App& query_command = *app.add_subcommand("query", "run a statement and write its rows");
  query_command.add_option("sql", query.sql, "the statement")->required();
  AddConnectionOptions(query_command, query.connection, query_pairs);
  query_command.add_option(
      "-o,--output", query.output,
      "F.parquet, F.arrow, F.arrows, F.csv, F.jsonl, or - for standard output");
  query_command.add_option("--format", query.format,
                           "table, parquet, arrow, arrows, csv or jsonl, whatever the ending says");
  query_command.add_option("--limit", query.limit, "stop after so many rows")
      ->check(CLI::NonNegativeNumber);
  query_command.add_option("--max-rows", query.max_rows, "rows that the terminal shows")
      ->check(CLI::PositiveNumber);
  query_command
      .add_option("--param", query.parameters,
                  "text for the next ? of the statement; may be repeated")
      ->allow_extra_args(false);
  query_command.add_flag("--stats", query.stats, "figures at the end, on standard error");
  query_command.add_flag("-q,--quiet", query.quiet, "no progress and no remarks");
  query_command.footer(kFooter);

  ValidateOptions validate;
  std::vector<std::string> validate_pairs;
  std::vector<std::string> expected;
  CLI::App& validate_command = *app.add_subcommand(
      "validate", "read results to the end and compare them with the server's counts");
  AddConnectionOptions(validate_command, validate.connection, validate_pairs);
  AddQueryChoice(validate_command, validate.queries);
  validate_command.add_option("--expect", expected, "NAME=ROWS; may be repeated")->take_all();
  validate_command.add_option("--save", validate.save_file, "write rows and checksums here");
  validate_command.add_option("--compare", validate.compare_file,
                              "compare with rows and checksums saved before");
  validate_command.add_flag("-q,--quiet", validate.quiet, "no progress");
  validate_command.footer(kFooter);

  BenchOptions bench;
  std::vector<std::string> bench_pairs;
  const CLI::App& bench_command = AddBench(app, bench, bench_pairs);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? Exit::kOk : Exit::kUsage;
  }
  if (query_command.parsed()) {
    TakeOptions(query_pairs, query.connection);
    return RunQuery(query);
  }
  if (bench_command.parsed()) {
    TakeOptions(bench_pairs, bench.connection);
    return RunBench(bench);
  }
  TakeOptions(validate_pairs, validate.connection);
  for (const std::string& pair : expected) {
    const auto [name, rows] = SplitPair("--expect", pair);
    validate.expected[name] = ParseRows(pair, rows);
  }
  return RunValidate(validate);
}

}  // namespace
}  // namespace dbx::cli

int main(int argc, char** argv) {
  using dbx::cli::Exit;
  std::setlocale(LC_CTYPE, "");
  if (MB_CUR_MAX == 1) std::setlocale(LC_CTYPE, "C.UTF-8");
  const dbx::cli::Interrupt interrupt;
  try {
    return static_cast<int>(dbx::cli::Run(argc, argv));
  } catch (const dbx::cli::Failure& failure) {
    const bool interrupted = dbx::cli::Interrupt::Requested();
    fmt::print(stderr, "cloudfetch: {}\n", interrupted ? "interrupted" : failure.what());
    return static_cast<int>(interrupted ? Exit::kInterrupted : failure.exit());
  } catch (const std::exception& failure) {
    fmt::print(stderr, "cloudfetch: {}\n", failure.what());
    return static_cast<int>(Exit::kFailed);
  }
}
