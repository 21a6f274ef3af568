// SPDX-License-Identifier: Apache-2.0
#include "meter.h"

#include <fstream>
#include <stdexcept>
#include <string_view>
#include <thread>

namespace dbx::bench {
namespace {

double Seconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

double Seconds(const timeval& from, const timeval& to) {
  return static_cast<double>(to.tv_sec - from.tv_sec) +
         static_cast<double>(to.tv_usec - from.tv_usec) / 1e6;
}

int64_t BytesOf(const ArrowArrayView& view) {
  int64_t bytes = 0;
  for (const ArrowBufferView& buffer : view.buffer_views) bytes += buffer.size_bytes;
  for (int64_t i = 0; i < view.n_children; ++i) bytes += BytesOf(*view.children[i]);
  return bytes;
}

int64_t PeakKib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stoll(line.substr(6));
  }
  return 0;
}

uint64_t CellOf(const ArrowArrayView& column, int64_t row) {
  if (ArrowArrayViewIsNull(&column, row) != 0) return 1;
  switch (column.storage_type) {
    case NANOARROW_TYPE_STRING:
    case NANOARROW_TYPE_BINARY:
    case NANOARROW_TYPE_DECIMAL128: {
      const ArrowBufferView value = ArrowArrayViewGetBytesUnsafe(&column, row);
      return value.size_bytes == 0 ? 0 : value.data.as_uint8[0];
    }
    case NANOARROW_TYPE_FLOAT:
    case NANOARROW_TYPE_DOUBLE:
      return static_cast<uint64_t>(ArrowArrayViewGetDoubleUnsafe(&column, row));
    default:
      return static_cast<uint64_t>(ArrowArrayViewGetIntUnsafe(&column, row));
  }
}

}  // namespace

void Meter::Start() {
  ::getrusage(RUSAGE_SELF, &usage_at_start_);
  started_ = Clock::now();
}

void Meter::SetSchema(const ArrowSchema* schema) {
  if (ArrowArrayViewInitFromSchema(view_.get(), schema, nullptr) != NANOARROW_OK) {
    throw std::runtime_error("a schema that cannot be viewed");
  }
  sums_.assign(options_.check_columns.size(), 0);
  ordered_sums_.assign(options_.check_columns.size(), 0);
}

void Meter::Add(const ArrowArray& batch) {
  if (!first_batch_ && batch.length > 0) first_batch_ = Clock::now() - started_;
  const Clock::time_point began = Clock::now();
  if (ArrowArrayViewSetArray(view_.get(), &batch, nullptr) != NANOARROW_OK) {
    throw std::runtime_error("a batch that does not fit its schema");
  }
  bytes_ += BytesOf(*view_.get());
  Check(batch);
  checking_ += Clock::now() - began;
  if (options_.cell_by_cell) LookAtCells(batch);
  rows_ += batch.length;
  ++batches_;
  if (options_.delay.milliseconds > 0) Delay(batch.length);
}

void Meter::Check(const ArrowArray& batch) {
  for (size_t i = 0; i < options_.check_columns.size(); ++i) {
    const ArrowArrayView& column = *view_->children[options_.check_columns[i]];
    uint64_t sum = 0, ordered = 0;
    for (int64_t row = 0; row < batch.length; ++row) {
      if (ArrowArrayViewIsNull(&column, row) != 0) continue;
      const auto value = static_cast<uint64_t>(ArrowArrayViewGetIntUnsafe(&column, row));
      sum += value;
      ordered += value * static_cast<uint64_t>(rows_ + row + 1);
    }
    sums_[i] += sum;
    ordered_sums_[i] += ordered;
  }
}

void Meter::LookAtCells(const ArrowArray& batch) {
  for (int64_t row = 0; row < batch.length; ++row) {
    for (int64_t i = 0; i < view_->n_children; ++i) cells_ += CellOf(*view_->children[i], row);
  }
}

void Meter::Delay(int64_t rows) {
  const Clock::time_point began = Clock::now();
  const double milliseconds = static_cast<double>(rows) / 10'000 * options_.delay.milliseconds;
  if (options_.delay.integer_rule) {
    const std::chrono::milliseconds whole(static_cast<int64_t>(milliseconds));
    delaying_ += whole;
    std::this_thread::sleep_for(whole);
    return;
  }
  const auto exact = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double, std::milli>(milliseconds));
  delaying_ += exact;
  // A sleep ends late by some tenth of a millisecond: the rest is waited for awake.
  std::this_thread::sleep_until(began + exact - std::chrono::microseconds(300));
  while (Clock::now() < began + exact) {
  }
}

void Meter::Stop() {
  stopped_ = Clock::now();
  ::getrusage(RUSAGE_SELF, &usage_at_stop_);
}

nlohmann::json Meter::Report() const {
  const double checking = Seconds(checking_);
  return {{"rows", rows_},
          {"batches", batches_},
          {"columns", view_->n_children},
          {"decoded_bytes", bytes_},
          {"sums", sums_},
          {"ordered_sums", ordered_sums_},
          {"seconds", Seconds(stopped_ - started_) - checking},
          {"check_seconds", checking},
          {"first_batch", first_batch_ ? Seconds(*first_batch_) : 0},
          {"delay_seconds", Seconds(delaying_)},
          {"cpu_user", Seconds(usage_at_start_.ru_utime, usage_at_stop_.ru_utime) - checking},
          {"cpu_system", Seconds(usage_at_start_.ru_stime, usage_at_stop_.ru_stime)},
          {"minor_faults", usage_at_stop_.ru_minflt - usage_at_start_.ru_minflt},
          {"peak_kib", PeakKib()}};
}

}  // namespace dbx::bench
