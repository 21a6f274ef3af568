// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/clock.h"
#include "net/faults.h"
#include "net/http_server.h"
#include "net/spool.h"
#include "result/result_cache.h"
#include "sql/engine.h"

namespace dbx::local {

struct SeaOptions {
  int64_t inline_limit_bytes = 5 << 20;  ///< larger hybrid results become links
  int64_t inline_max_bytes = 25 << 20;   ///< a larger INLINE result fails its statement
  int64_t chunk_bytes = 20 << 20;        ///< raw size at which a chunk is closed
  int32_t links_per_page = 32;           ///< in the first answer of a hybrid result
  int32_t links_per_chunk = 1;           ///< in the answer to a request for one chunk
  std::chrono::seconds link_lifetime{900};
  /// Identical query text is served from the spool; one cache for all services, to be
  /// dropped before the spool. Null: never.
  std::shared_ptr<ResultCache> cache = {};
  uint16_t storage_port = 0;
  bool storage_tls = false;
  std::chrono::milliseconds long_poll{5000};        ///< how long a status request is held
  std::chrono::seconds statement_lifetime{3600};    ///< without calls, until it is closed; 0: ever
  std::chrono::seconds closed_lifetime{900};        ///< how long a closed statement is known
  std::chrono::seconds session_lifetime{8 * 3600};  ///< without calls, until it is gone; 0: ever
  int statement_threads = 16;    ///< statements that run at once; others wait as PENDING
  const Clock* clock = nullptr;  ///< for lifetimes and expiries; null: the machine's
};

/// Counters that /__warehouse__/stats shows.
struct SeaCounters {
  int64_t sessions_opened = 0, sessions_open = 0, statements_run = 0, statements_open = 0,
          links_given = 0;
};

/// The Statement Execution API: one JSON request in, one JSON reply out. Thread-safe; Handle may
/// block (waits of the request, held status requests).
///
/// Faults at the point "sea", by `method` (CreateSession, DeleteSession, ExecuteStatement,
/// GetStatement, GetChunk, CancelStatement, CloseStatement): those of HTTP, `forget_session`,
/// `forget_operation`, `expire_link`, `states` (of ExecuteStatement), and by name (`more`):
///
///     sea      after            the replacing reply comes after the call has been carried out
///     result   ignore_lz4       files and attachments are raw and the manifest says nothing of LZ4
///              cut_attachment   an attachment is cut into chunks of one stream, a batch each
///              raw_byte_count   links state the size before compression, as older releases do
///
/// `states` of either point: what the first answers say before the truth is told.
class SeaService {
 public:
  virtual ~SeaService() = default;  ///< interrupts and ends all statements
  static std::unique_ptr<SeaService> Make(Engine* engine, Spool* spool, const LinkSigner* signer,
                                          FaultScript* faults, SeaOptions options);

  /// True for paths that are answered here.
  static bool Answers(std::string_view path);

  /// `request` has passed the bearer check.
  virtual HttpReply Handle(const HttpRequest& request) = 0;
  virtual SeaCounters counters() const = 0;
  /// Wakes every waiting call; later calls fail.
  virtual void Shutdown() = 0;
};

}  // namespace dbx::local
