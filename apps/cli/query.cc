// SPDX-License-Identifier: Apache-2.0
#include "query.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

#include "interrupt.h"
#include "memory.h"
#include "output.h"
#include "output_file.h"
#include "statistics_text.h"
#include "text.h"

namespace dbx::cli {
namespace {

using SteadyClock = std::chrono::steady_clock;

double SecondsBetween(SteadyClock::time_point from, SteadyClock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

int TerminalWidth() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void PrintStatistics(const ReadFigures& figures) {
  const double seconds = std::max(figures.seconds, 1e-3);
  const auto rows = static_cast<double>(figures.counts.rows);
  const auto bytes = static_cast<double>(figures.counts.bytes);
  fmt::print(stderr, "{} rows in {} batches, {} of Arrow, in {}\n",
             WithThousands(figures.counts.rows), WithThousands(figures.counts.batches),
             ByteSize(bytes), Duration(figures.seconds));
  fmt::print(stderr, "{} rows/s, {}/s, first batch after {}, peak memory {}\n",
             WithThousands(static_cast<int64_t>(rows / seconds)), ByteSize(bytes / seconds),
             Duration(figures.first_batch_seconds), ByteSize(static_cast<double>(PeakMemory())));
  if (!figures.driver_statistics.empty())
    fmt::print(stderr, "the driver counted\n{}", StatisticsText(figures.driver_statistics));
}

struct Destination {
  Format format = Format::kTable;
  bool to_stdout = true;
};

Destination ChooseDestination(const QueryOptions& options) {
  const bool to_stdout = options.output.empty() || options.output == "-";
  if (!to_stdout) return {ChooseFormat(options.format, options.output), false};
  if (!options.format.empty()) return {ChooseFormat(options.format, ""), true};
  return {options.output.empty() && isatty(STDOUT_FILENO) != 0 ? Format::kTable : Format::kCsv,
          true};
}

void Write(RowStream& rows, const QueryOptions& options, const Destination& destination) {
  if (destination.format == Format::kTable)
    return PrintRows(rows, options.max_rows, TerminalWidth());
  if (destination.to_stdout) {
    if (destination.format == Format::kParquet || destination.format == Format::kArrowFile) {
      throw Failure(Exit::kUsage, "this format needs a file: give --output a path");
    }
    if (rows.schema()->n_children > 0) WriteRows(rows, destination.format, "/dev/stdout");
    return;
  }
  OutputFile file(options.output);
  WriteRows(rows, destination.format, file.partial_path());
  if (Interrupt::Requested()) throw Failure(Exit::kInterrupted, "interrupted");
  file.Commit();
}

/// Says on the terminal what a table does not show.
void PrintOutcome(const QueryOptions& options, const Destination& destination,
                  const ReadFigures& figures, int64_t rows_affected) {
  if (options.quiet) return;
  if (rows_affected >= 0 && figures.counts.rows <= 1) {
    fmt::print(stderr, "{} rows affected\n", WithThousands(rows_affected));
  } else if (destination.format == Format::kTable && figures.counts.rows >= options.max_rows) {
    fmt::print(stderr, "(the first {} rows; use --max-rows or --output for more)\n",
               WithThousands(options.max_rows));
  } else if (!destination.to_stdout) {
    fmt::print(stderr, "{}: {} rows, {} of Arrow, {}\n", options.output,
               WithThousands(figures.counts.rows),
               ByteSize(static_cast<double>(figures.counts.bytes)), Duration(figures.seconds));
  }
}

}  // namespace

ReadFigures ReadResult(Statement& statement, int64_t limit, bool show_progress,
                       int64_t* rows_affected, const std::function<void(RowStream&)>& consume,
                       const std::function<void(const ArrowSchema&, const ArrowArray&)>& look) {
  const auto start = SteadyClock::now();
  const Interrupt::Scope scope([&] { statement.Cancel(); });
  Progress progress(show_progress);
  nanoarrow::UniqueArrayStream source;
  statement.Execute(source.get(), rows_affected);
  RowStream* stream = nullptr;
  RowStream rows(std::move(source), limit, [&](const ArrowArray& batch) {
    if (look) look(*stream->schema(), batch);
    if (!progress.Due()) return;
    progress.Draw({.rows = stream->counts().rows,
                   .bytes = stream->counts().bytes,
                   .seconds = SecondsBetween(start, SteadyClock::now()),
                   .chunks = statement.IntOption("databricks.statistics.chunks"),
                   .chunks_total = statement.IntOption("databricks.statistics.chunks_total")});
  });
  stream = &rows;
  consume(rows);
  ReadFigures figures{.counts = rows.counts(),
                      .seconds = SecondsBetween(start, SteadyClock::now())};
  if (figures.counts.first_batch)
    figures.first_batch_seconds = SecondsBetween(start, *figures.counts.first_batch);
  figures.driver_statistics = statement.Option("databricks.statistics.json").value_or("");
  return figures;
}

Exit RunQuery(const QueryOptions& options) {
  const Destination destination = ChooseDestination(options);
  Connection connection(options.connection);
  Statement statement(connection, options.sql);
  if (!options.parameters.empty()) statement.Bind(options.parameters);
  int64_t rows_affected = -1;
  const int64_t limit =
      destination.format == Format::kTable && options.limit < 0 ? options.max_rows : options.limit;
  const ReadFigures figures =
      ReadResult(statement, limit, !options.quiet, &rows_affected,
                 [&](RowStream& rows) { Write(rows, options, destination); });
  PrintOutcome(options, destination, figures, rows_affected);
  if (options.stats) PrintStatistics(figures);
  return Exit::kOk;
}

}  // namespace dbx::cli
