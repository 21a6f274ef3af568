// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bench_delay.h"
#include "bench_settings.h"
#include "connection.h"
#include "json_file.h"

namespace dbx::cli {

/// One reading of one result, from the statement to its last row.
struct BenchRun {
  std::string error = {};  ///< why it ended early
  std::string wrong = {};  ///< what its answer lacks: such a run has no time
  int64_t rows = 0, batches = 0, columns = 0;
  int64_t decoded_bytes = 0;                 ///< of Arrow buffers
  std::optional<int64_t> wire_bytes = {};    ///< of chunks as they were stored
  double seconds = 0, first_batch = 0;       ///< since the statement was sent
  double delay_seconds = 0;                  ///< of these, how long the reader worked on its rows
  double cpu_user = 0, cpu_system = 0;       ///< seconds of this process
  int64_t minor_faults = 0, peak_bytes = 0;  ///< peak: resident
  int64_t allocated_bytes = 0;  ///< growth of the heap and the driver's own buffers at their most
  Json statistics = nullptr;    ///< the driver's

  bool good() const { return error.empty() && wrong.empty(); }
};

/// What is read, and how.
struct BenchTask {
  ConnectionOptions connection;
  std::string sql;
  ConsumerDelay delay;
  bool show_progress = false;
};

/// Reads the result through a connection of its own, which is opened before and closed after what
/// is timed: no run finds the memory or the connections of another. An error of the driver ends in
/// `error`; an interrupt is thrown as Failure(kInterrupted).
BenchRun MeasureRun(const BenchTask& task, const Setting& setting);

}  // namespace dbx::cli
