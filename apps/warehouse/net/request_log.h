// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "net/http_server.h"

namespace dbx::local {

/// What was asked of the warehouse: a ring of the last requests, counters, and a line of JSON for
/// each in a file.
///
/// Queries of URLs and the values of credential headers are never kept. Thread-safe.
class RequestLog final : public ExchangeObserver {
 public:
  static constexpr size_t kRingSize = 10'000;

  RequestLog() = default;
  /// Appends a line to `path` for each request that is over, with the values of `header_names` if
  /// sent.
  Status WriteTo(const std::string& path, std::vector<std::string> header_names) EXCLUDES(mutex_);

  void Answered(const HttpRequest& request, const HttpReply& reply) override EXCLUDES(mutex_);
  void Finished(uint64_t request_id, const ExchangeEnd& end) override EXCLUDES(mutex_);

  /// JSON {"next": N, "requests": […]}: requests with numbers from `since` on, in the order of
  /// their replies. Numbers begin with 0; a later call continues at `next`. `outcome` is "sending"
  /// until the reply is over.
  std::string Requests(uint64_t since) const EXCLUDES(mutex_);
  /// Requests by kind.
  std::map<std::string, int64_t> counts() const EXCLUDES(mutex_);

 private:
  struct Record {
    uint64_t number = 0;
    uint64_t request_id = 0;
    WallTime time = {};
    SteadyTime began = {};
    std::string kind = {}, method = {}, path = {}, scheme = {};
    HeaderList headers = {};
    uint64_t connection_id = 0;
    uint64_t body_bytes_received = 0;
    int status = 0;
    std::string outcome = "sending";
    uint64_t bytes_sent = 0;
    double milliseconds = 0;
  };

  Record* Find(uint64_t request_id) REQUIRES(mutex_);
  static std::string Line(const Record& record, const std::vector<std::string>* header_names);

  mutable Mutex mutex_;
  std::vector<Record> ring_ GUARDED_BY(mutex_);  // record n lies at n % kRingSize
  uint64_t next_number_ GUARDED_BY(mutex_) = 0;
  std::map<uint64_t, uint64_t> unfinished_ GUARDED_BY(mutex_);  // request id to number
  std::map<std::string, int64_t> counts_ GUARDED_BY(mutex_);
  std::ofstream file_ GUARDED_BY(mutex_);
  std::vector<std::string> header_names_ GUARDED_BY(mutex_);
};

}  // namespace dbx::local
