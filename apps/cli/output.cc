// SPDX-License-Identifier: Apache-2.0
#include "output.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "arrow_writer.h"
#include "duckdb_writer.h"
#include "failure.h"

namespace dbx::cli {

Format ChooseFormat(const std::string& name, const std::string& path) {
  static const std::map<std::string, Format> formats{
      {"table", Format::kTable},     {"parquet", Format::kParquet},
      {"arrow", Format::kArrowFile}, {"feather", Format::kArrowFile},
      {"csv", Format::kCsv},         {"arrows", Format::kArrowStream},
      {"jsonl", Format::kJsonLines}, {"ndjson", Format::kJsonLines}};
  std::string wanted = name;
  if (wanted.empty()) wanted = std::filesystem::path(path).extension().string();
  if (!wanted.empty() && wanted.front() == '.') wanted.erase(0, 1);
  const auto found = formats.find(wanted);
  if (found != formats.end()) return found->second;
  throw Failure(
      Exit::kUsage,
      fmt::format(
          "--output {}: the ending names no format; use .parquet, .arrow, .arrows, .csv or .jsonl, "
          "or say it with --format",
          path));
}

void WriteRows(RowStream& rows, Format format, const std::string& path) {
  switch (format) {
    case Format::kArrowFile:
      return WriteArrow(rows, ArrowLayout::kFile, path);
    case Format::kArrowStream:
      return WriteArrow(rows, ArrowLayout::kStream, path);
    case Format::kParquet:
      return WriteByDuckdb(rows, "FORMAT parquet, COMPRESSION zstd", path);
    case Format::kCsv:
      return WriteByDuckdb(rows, "FORMAT csv, HEADER", path);
    case Format::kJsonLines:
      return WriteByDuckdb(rows, "FORMAT json", path);
    case Format::kTable:
      throw Failure(Exit::kUsage, "a table goes to the terminal; give a file another format");
  }
}

}  // namespace dbx::cli
