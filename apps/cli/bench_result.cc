// SPDX-License-Identifier: Apache-2.0
#include "bench_result.h"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <ctime>
#include <fstream>

#include "failure.h"

namespace dbx::cli {
namespace {

constexpr int kFormat = 1;

std::string Processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

double MemoryGib() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<double>(sysconf(_SC_PAGE_SIZE)) / (1 << 30);
}

std::string Kernel() {
  utsname name{};
  return uname(&name) == 0 ? name.release : "unknown";
}

Json Machine() {
  return {{"processor", Processor()},
          {"cores", sysconf(_SC_NPROCESSORS_ONLN)},
          {"memory_gib", MemoryGib()},
          {"kernel", Kernel()}};
}

std::string Now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  const size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S+00:00", &utc);
  return {text.data(), length};
}

Json ToJson(const BenchRun& run) {
  if (!run.error.empty()) return {{"error", run.error}};
  Json json{{"rows", run.rows},
            {"batches", run.batches},
            {"columns", run.columns},
            {"decoded_bytes", run.decoded_bytes},
            {"seconds", run.seconds},
            {"first_batch", run.first_batch},
            {"delay_seconds", run.delay_seconds},
            {"cpu_user", run.cpu_user},
            {"cpu_system", run.cpu_system},
            {"minor_faults", run.minor_faults},
            {"peak_kib", run.peak_bytes >> 10},
            {"allocated_bytes", run.allocated_bytes},
            {"statistics", run.statistics}};
  if (run.wire_bytes) json["wire_bytes"] = *run.wire_bytes;
  if (!run.wrong.empty()) json["wrong"] = run.wrong;
  return json;
}

Json ToJson(const ConsumerDelay& delay) {
  if (delay.length.count() == 0) return nullptr;
  return {{"milliseconds", static_cast<double>(delay.length.count()) / 1e6},
          {"rows", delay.rows},
          {"integer_rule", delay.rule == DelayRule::kInteger}};
}

/// What the good runs say of the result itself; 0 without one.
int64_t Known(const BenchCase& one, int64_t BenchRun::* figure) {
  for (const std::vector<BenchRun>& runs : one.runs) {
    for (const BenchRun* const run : GoodRuns(runs)) return run->*figure;
  }
  return 0;
}

Json ToJson(const BenchCase& one, const BenchResult& result) {
  Json json{
      {"name", one.name},
      {"dataset",
       {{"name", one.name}, {"rows", one.counted}, {"columns", Known(one, &BenchRun::columns)}}},
      {"decoded_bytes", Known(one, &BenchRun::decoded_bytes)},
      {"delay", ToJson(result.delay)},
      {"knobs", Json::object()},
      {"records", Json::object()}};
  for (size_t i = 0; i < result.settings.size(); ++i) {
    const Setting& setting = result.settings[i];
    json["knobs"][setting.name] = Json::object();
    for (const auto& [key, value] : setting.options) json["knobs"][setting.name][key] = value;
    Json& records = json["records"][setting.name] = Json::array();
    for (const BenchRun& run : one.runs[i]) records.push_back(ToJson(run));
  }
  return json;
}

bool Counts(const Json& record) {
  return record.is_object() && !record.contains("error") && !record.contains("wrong");
}

}  // namespace

std::vector<const BenchRun*> GoodRuns(const std::vector<BenchRun>& runs) {
  std::vector<const BenchRun*> good;
  for (const BenchRun& run : runs) {
    if (run.good()) good.push_back(&run);
  }
  return good;
}

std::vector<std::optional<double>> Times(const std::vector<BenchRun>& runs) {
  std::vector<std::optional<double>> times;
  times.reserve(runs.size());
  for (const BenchRun& run : runs)
    times.push_back(run.good() ? std::optional(run.seconds) : std::nullopt);
  return times;
}

std::string MachineLine() {
  return fmt::format("{} cores {}, {:.1f} GiB, Linux {}", sysconf(_SC_NPROCESSORS_ONLN),
                     Processor(), MemoryGib(), Kernel());
}

Json ToJson(const BenchResult& result) {
  Json json{{"format", kFormat},
            {"scenario", "workspace"},
            {"title", "cloudfetch bench"},
            {"version", CLOUDFETCH_VERSION},
            {"time", Now()},
            {"machine", Machine()},
            {"runs", result.num_runs},
            {"warm_up", result.num_warm_up},
            {"cases", Json::array()}};
  for (const BenchCase& one : result.cases) json["cases"].push_back(ToJson(one, result));
  return json;
}

Baseline::Baseline(const std::string& path) : json_(ReadJson(path)) {
  if (json_.is_object() && json_.value("format", Json()) == kFormat &&
      json_.value("cases", Json()).is_array()) {
    return;
  }
  throw Failure(
      Exit::kUsage,
      fmt::format("--baseline '{}': holds no result of format {}; give a file that --json "
                  "wrote, or one of bench/results/",
                  path, kFormat));
}

std::string Baseline::Date() const {
  const Json time = empty() ? Json() : json_.value("time", Json());
  return time.is_string() ? time.get<std::string>().substr(0, 10) : "";
}

std::vector<double> Baseline::Values(const std::string& query, const std::string& setting,
                                     const std::string& figure) const {
  std::vector<double> values;
  if (empty()) return values;
  for (const Json& one : json_["cases"]) {
    if (!one.is_object() || one.value("name", Json()) != query) continue;
    const Json records = one.value("records", Json::object()).value(setting, Json::array());
    for (const Json& record : records) {
      if (Counts(record) && record.value(figure, Json()).is_number())
        values.push_back(record[figure].get<double>());
    }
  }
  return values;
}

}  // namespace dbx::cli
