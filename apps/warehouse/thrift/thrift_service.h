// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "base/clock.h"
#include "net/faults.h"
#include "net/http_server.h"
#include "net/spool.h"
#include "result/result_cache.h"
#include "sql/engine.h"

namespace dbx::local {

struct ThriftOptions {
  int64_t inline_limit_bytes = 5 << 20;  ///< larger results go to links when the client allows
  int64_t chunk_bytes = 20 << 20;        ///< raw size at which a file is closed
  int32_t links_per_page = 32;
  std::chrono::seconds link_lifetime{900};
  /// Identical query text is served from the spool; one cache for all services, to be
  /// dropped before the spool. Null: never.
  std::shared_ptr<ResultCache> cache = {};
  uint16_t storage_port = 0;
  bool storage_tls = false;
  std::chrono::milliseconds long_poll{5000};
  bool dead_session_as_http_400 = true;  ///< else HTTP 200 with ERROR_STATUS
  std::chrono::seconds idle_timeout{
      3600};                     ///< a statement without calls for so long is closed; 0: never
  int statement_threads = 16;    ///< statements that run at once; others wait as PENDING
  const Clock* clock = nullptr;  ///< for idle times and expiries; null: the machine's
};

/// Counters that /__warehouse__/stats shows.
struct ThriftCounters {
  int64_t sessions_opened = 0, sessions_open = 0, statements_run = 0, operations_open = 0,
          links_given = 0;
};

/// Faults by name (`more` of a FaultAction), beside its own fields:
///
///     thrift   after                 the replacing reply comes after the call has been carried out
///              server_version        the highest protocol version of this OpenSession, a number
///     result   stale_names           files bear other column names than the query
///              absent_batch_list     an empty list of inline batches is left out
///              inline_rowcount_zero  inline batches say that they hold no rows
///              empty_pages           so many first pages (1 … 9) are empty and say that more comes
///
/// The Thrift side of the warehouse: bytes of one CALL in, bytes of one REPLY out. Thread-safe;
/// Handle may block (long polls, synchronous statements).
class ThriftService {
 public:
  virtual ~ThriftService() = default;  ///< interrupts and ends all statements
  static std::unique_ptr<ThriftService> Make(Engine* engine, Spool* spool, const LinkSigner* signer,
                                             FaultScript* faults, ThriftOptions options);

  /// `request` has passed the bearer check. Its path chooses warehouse or cluster manners (dead
  /// sessions).
  virtual HttpReply Handle(const HttpRequest& request) = 0;
  virtual ThriftCounters counters() const = 0;
  /// Wakes every waiting call; later calls fail.
  virtual void Shutdown() = 0;
};

}  // namespace dbx::local
