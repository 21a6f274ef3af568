// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <nanoarrow/nanoarrow.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace dbx::bench {

/// A reader that works on each batch for a while: `milliseconds` for 10,000 rows.
struct ConsumerDelay {
  double milliseconds = 0;  ///< 0: none
  /// True: whole milliseconds a batch, slept by the system's clock, as the benchmark of the C#
  /// driver does.
  bool integer_rule = false;
};

/// What one result must be measured for.
struct MeterOptions {
  std::vector<int64_t> check_columns =
      {};  ///< whole numbers, summed with and without their row's number
  ConsumerDelay delay = {};
  bool cell_by_cell = false;  ///< look at every value, as a reader of rows does
};

/// Counts and checks the batches of one result and knows how long everything but that took. One
/// thread.
class Meter {
 public:
  explicit Meter(MeterOptions options) : options_(std::move(options)) {}

  void Start();
  /// The schema must outlive this.
  void SetSchema(const ArrowSchema* schema);
  void Add(const ArrowArray& batch);
  void Stop();

  /// rows, batches, decoded_bytes, sums, seconds (without the checks and before the last call),
  /// check_seconds, first_batch, delay_seconds, CPU time, page faults, peak memory of the process.
  nlohmann::json Report() const;

 private:
  using Clock = std::chrono::steady_clock;

  void Check(const ArrowArray& batch);
  void LookAtCells(const ArrowArray& batch);
  void Delay(int64_t rows);

  const MeterOptions options_;
  nanoarrow::UniqueArrayView view_;
  Clock::time_point started_, stopped_;
  rusage usage_at_start_{}, usage_at_stop_{};
  std::optional<Clock::duration> first_batch_;
  Clock::duration checking_{0}, delaying_{0};
  int64_t rows_ = 0, batches_ = 0, bytes_ = 0;
  std::vector<uint64_t> sums_, ordered_sums_;
  uint64_t cells_ = 0;
};

}  // namespace dbx::bench
