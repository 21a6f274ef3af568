// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace dbx {

/// What the stages of one stream count; any thread adds, any thread reads. Times in nanoseconds.
struct StreamCounters {
  std::atomic<int64_t> bytes_downloaded{0};
  std::atomic<int64_t> bytes_decoded{0};
  std::atomic<int64_t> chunks{0};
  std::atomic<int64_t> batches{0};
  std::atomic<int64_t> rows{0};
  std::atomic<int64_t> retries{0};
  std::atomic<int64_t> link_refreshes{0};
  std::atomic<int64_t> resumed_bytes{0};
  std::atomic<int64_t> misaligned_copies{0};
  std::atomic<int64_t> sides_asked{0};
  std::atomic<int64_t> sides_joined{0};
  std::atomic<int64_t> peak_downloads{0};
  std::atomic<int64_t> download_limit{0};
  std::atomic<int64_t> read_ahead_bytes{0};
  std::atomic<int64_t> links_known{0};
  std::atomic<bool> all_links_known{false};
  std::atomic<int64_t> reader_waited{0};
  std::atomic<int64_t> budget_waited{0};
  std::atomic<int64_t> links_waited{0};
  std::atomic<int64_t> decode_time{0};
  std::atomic<int64_t> time_to_first_batch{0};
};

}  // namespace dbx
