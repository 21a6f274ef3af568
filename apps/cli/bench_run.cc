// SPDX-License-Identifier: Apache-2.0
#include "bench_run.h"

#include <sys/resource.h>

#include <algorithm>

#include "failure.h"
#include "interrupt.h"
#include "memory.h"
#include "query.h"

namespace dbx::cli {
namespace {

double Seconds(const timeval& from, const timeval& to) {
  return static_cast<double>(to.tv_sec - from.tv_sec) +
         static_cast<double>(to.tv_usec - from.tv_usec) / 1e6;
}

std::optional<int64_t> Number(const Json& statistics, const char* name) {
  if (!statistics.is_object()) return std::nullopt;
  const auto found = statistics.find(name);
  return found != statistics.end() && found->is_number() ? std::optional(found->get<int64_t>())
                                                         : std::nullopt;
}

/// The most that the driver's buffers held, in the widest count that it gives.
int64_t BufferBytes(const Json& statistics) {
  for (const char* const name : {"peak_pool_bytes", "peak_charged_bytes"}) {
    if (const std::optional<int64_t> bytes = Number(statistics, name)) return *bytes;
  }
  return 0;
}

ConnectionOptions WithSetting(ConnectionOptions connection, const Setting& setting) {
  connection.options.insert(connection.options.end(), setting.options.begin(),
                            setting.options.end());
  return connection;
}

/// Pulls every row and works on it as long as `delay` says.
void Consume(RowStream& rows, const ConsumerDelay& delay, BenchRun& run) {
  run.columns = rows.schema()->n_children;
  std::chrono::nanoseconds delayed{0};
  while (true) {
    nanoarrow::UniqueArray batch;
    if (!rows.Next(batch.get())) break;
    WaitFor(delay, batch->length);
    delayed += DelayOf(delay, batch->length);
  }
  run.delay_seconds = std::chrono::duration<double>(delayed).count();
}

void TakeFigures(const ReadFigures& figures, BenchRun& run) {
  run.rows = figures.counts.rows;
  run.batches = figures.counts.batches;
  run.decoded_bytes = figures.counts.bytes;
  run.seconds = figures.seconds;
  run.first_batch = figures.first_batch_seconds;
  run.statistics = Json::parse(figures.driver_statistics, nullptr, /*allow_exceptions=*/false);
  if (run.statistics.is_discarded()) run.statistics = nullptr;
  if (Number(run.statistics, "chunks_total").value_or(0) > 0)
    run.wire_bytes = Number(run.statistics, "bytes_downloaded");
  run.allocated_bytes += BufferBytes(run.statistics);
}

void Measure(const BenchTask& task, const Setting& setting, BenchRun& run) {
  Connection connection(WithSetting(task.connection, setting));
  Statement statement(connection, task.sql);
  ResetPeakMemory();
  const int64_t heap_before = HeapBytes();
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  const ReadFigures figures = ReadResult(
      statement, /*limit=*/-1, task.show_progress, /*rows_affected=*/nullptr, [&](RowStream& rows) {
        Consume(rows, task.delay, run);
        run.allocated_bytes = std::max<int64_t>(0, HeapBytes() - heap_before);
      });
  getrusage(RUSAGE_SELF, &after);
  run.peak_bytes = PeakMemory();
  run.cpu_user = Seconds(before.ru_utime, after.ru_utime);
  run.cpu_system = Seconds(before.ru_stime, after.ru_stime);
  run.minor_faults = after.ru_minflt - before.ru_minflt;
  TakeFigures(figures, run);
}

}  // namespace

BenchRun MeasureRun(const BenchTask& task, const Setting& setting) {
  BenchRun run;
  try {
    Measure(task, setting, run);
  } catch (const Failure& failure) {
    if (Interrupt::Requested()) throw Failure(Exit::kInterrupted, "interrupted");
    if (failure.exit() == Exit::kUsage) throw;
    run.error = failure.what();
  }
  return run;
}

}  // namespace dbx::cli
