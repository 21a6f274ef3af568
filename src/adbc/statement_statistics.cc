// SPDX-License-Identifier: Apache-2.0
#include "adbc/statement_statistics.h"

#include <chrono>
#include <utility>
#include <vector>

#include "base/str_cat.h"

namespace dbx {
namespace {

double Seconds(std::chrono::nanoseconds length) {
  return std::chrono::duration<double>(length).count();
}

std::vector<std::pair<std::string_view, TypedValue>> AllOf(const StatementStatistics& s) {
  return {
      {"source", std::string(s.through_cloudfetch ? "cloudfetch" : "inline")},
      {"rows", s.rows},
      {"batches", s.batches},
      {"chunks", s.chunks},
      {"chunks_total", s.chunks_total},
      {"bytes_downloaded", s.bytes_downloaded},
      {"bytes_decoded", s.bytes_decoded},
      {"retries", s.retries},
      {"link_refreshes", s.link_refreshes},
      {"resumed_bytes", s.resumed_bytes},
      {"misaligned_copies", s.misaligned_copies},
      {"second_gets", s.second_gets},
      {"second_gets_joined", s.second_gets_joined},
      {"download_limit", s.download_limit},
      {"read_ahead_bytes", s.read_ahead_bytes},
      {"peak_charged_bytes", s.peak_charged_bytes},
      {"peak_downloads", s.peak_downloads},
      {"reader_waited_seconds", Seconds(s.reader_waited)},
      {"budget_waited_seconds", Seconds(s.budget_waited)},
      {"links_waited_seconds", Seconds(s.links_waited)},
      {"decode_seconds", Seconds(s.decode_time)},
      {"time_to_first_batch_seconds", Seconds(s.time_to_first_batch)},
  };
}

std::string ToJson(const StatementStatistics& statistics) {
  std::string json;
  for (const auto& [name, value] : AllOf(statistics)) {
    const char* const quote = std::holds_alternative<std::string>(value) ? "\"" : "";
    json = StrCat(json, json.empty() ? "{" : ",", "\"", name, "\":", quote, TextOf(value), quote);
  }
  return StrCat(json, "}");
}

}  // namespace

std::optional<TypedValue> StatisticByName(const StatementStatistics& statistics,
                                          std::string_view name) {
  if (name == "json") return TypedValue(ToJson(statistics));
  for (auto& [known, value] : AllOf(statistics)) {
    if (known == name) return std::move(value);
  }
  return std::nullopt;
}

}  // namespace dbx
