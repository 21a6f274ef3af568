// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "arrow/slab_pool.h"
#include "base/clock.h"
#include "base/log.h"
#include "http/http_client.h"
#include "http/retry.h"
#include "result/link_source.h"
#include "result/result_manifest.h"
#include "result/result_stream.h"

namespace dbx {

struct CloudFetchOptions {
  int32_t parallel_downloads = 0;  ///< GETs in flight at once; 0: as many as pay off
  int32_t chunks_ahead = 32;       ///< in order ahead of the reader: 2 × prefetch count; more when
                                   ///< more downloads than half of it pay off
  int64_t memory_limit_bytes = 400 << 20;  ///< compressed and decoded bytes that really exist
  int32_t link_prefetch_window = 128;      ///< links known ahead of the reader
  std::chrono::milliseconds file_timeout{900'000};
  std::chrono::milliseconds stall_timeout{5'000};
  RetryPolicy retry{.budget = std::chrono::milliseconds{300'000}};
  std::chrono::seconds expiry_margin{
      60};  ///< a link this near its end is asked for anew before use
  bool range_resume = true;
  bool hedge = true;       ///< a file that is late is asked for a second time; needs range_resume
  int64_t batch_rows = 0;  ///< join small batches up to this many rows; 0: as the server cut them
  int32_t decode_threads = 2;
};

/// Counters of one stream; readable while it runs.
struct CloudFetchStatistics {
  int64_t bytes_downloaded = 0, bytes_decoded = 0;
  int64_t chunks = 0, chunks_total = -1;  ///< delivered whole; known so far, or -1
  int64_t batches = 0, rows = 0;
  int64_t retries = 0, link_refreshes = 0, resumed_bytes = 0, misaligned_copies = 0;
  int64_t second_gets = 0;         ///< hedges and halves of last files that were asked for
  int64_t second_gets_joined = 0;  ///< that took the place of the first GET
  int64_t peak_charged_bytes = 0, peak_downloads = 0;
  int64_t read_ahead_bytes = 0;  ///< that may be ready ahead of the reader, as it is now
  int64_t download_limit = 0;    ///< downloads that may run at once, as it is now
  std::chrono::nanoseconds reader_waited{0}, budget_waited{0}, links_waited{0}, decode_time{0},
      time_to_first_batch{0};
};

class CloudFetchStream : public ResultStream {
 public:
  virtual CloudFetchStatistics statistics() const = 0;
};

/// The stream over `links`: 16 GETs in flight straight from storage, decoded off the reader's
/// thread, delivered in order. Starts to work at once. `http` and `pool` outlive it (the pool is
/// shared with batches that outlive the stream).
std::unique_ptr<CloudFetchStream> MakeCloudFetchStream(ResultManifest manifest,
                                                       std::unique_ptr<LinkSource> links,
                                                       HttpClient* http,
                                                       std::shared_ptr<SlabPool> pool,
                                                       const CloudFetchOptions& options, Log log,
                                                       const Clock& clock = Clock::Real());

}  // namespace dbx
