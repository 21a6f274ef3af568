// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "result/deadline_watch.h"
#include "result/link_terms.h"
#include "result/result_writer.h"
#include "result/statement_pool.h"
#include "sea/execute_request.h"
#include "sea/reply_text.h"
#include "sea/sea_service.h"
#include "sea/statement.h"
#include "sea/statement_table.h"

namespace dbx::local {

/// One request, taken apart.
struct SeaCall {
  enum class Kind : uint8_t {
    kNone,
    kCreateSession,
    kDeleteSession,
    kExecute,
    kGet,
    kGetChunk,
    kCancel,
    kClose,
  };

  Kind kind = Kind::kNone;
  std::string id = {};  ///< of the session or statement
  size_t chunk_index = 0;
  const HttpRequest* http = nullptr;
  std::optional<FaultAction> fault = {};
};

/// Reads method and path; kNone when they name no call.
SeaCall ReadCall(const HttpRequest& request);
/// The call's name, for faults.
std::string_view NameOf(SeaCall::Kind kind);

/// The calls themselves. Thread-safe.
class SeaCalls final : public SeaService {
 public:
  SeaCalls(Engine* engine, Spool* spool, const LinkSigner* signer, FaultScript* faults,
           SeaOptions options);
  ~SeaCalls() override;

  HttpReply Handle(const HttpRequest& request) override;
  SeaCounters counters() const override;
  void Shutdown() override;

 private:
  /// What is left of a statement's execution once its request has been read.
  struct Work {
    std::shared_ptr<SeaStatement> statement = {};
    std::shared_ptr<SqlSession> session = {};
    SqlRequest request = {};
    ResultForm form = {};
    std::string cache_key = {};  ///< empty: not cached
  };

  HttpReply Answer(const HttpRequest& request);
  HttpReply Carry(const SeaCall& call);
  HttpReply CreateSession(const SeaCall& call);
  HttpReply DeleteSession(const SeaCall& call);
  HttpReply Execute(const SeaCall& call);
  HttpReply GetStatement(const SeaCall& call);
  HttpReply GetChunk(const SeaCall& call);
  HttpReply CancelStatement(const SeaCall& call);
  HttpReply CloseStatement(const SeaCall& call);

  /// Meets `forget_session` and `forget_operation` of the call's fault.
  void Forget(const SeaCall& call);
  std::string SqlOf(const SeaCall& call);

  /// The session that a statement runs in. kNotFound: there is none of that id (any more); other
  /// errors are the engine's, of a session made for this statement.
  Result<std::shared_ptr<SqlSession>> SessionFor(const ExecuteRequest& request);
  std::shared_ptr<SeaStatement> Start(ExecuteRequest request, std::shared_ptr<SqlSession> session,
                                      const SeaCall& call);
  ResultForm MakeResultForm(const ExecuteRequest& request, const SqlSession& session,
                            const FaultAction& fault) const;
  void Run(const Work& work);
  Status WriteRows(const Work& work, StoredResult* result, SqlResult rows);

  /// The statement as a script or the truth has it, waiting for `timeout` at most.
  HttpReply Describe(const SeaCall& call, const std::shared_ptr<SeaStatement>& statement,
                     std::chrono::milliseconds timeout, bool cancel_when_late);
  LinkTerms MakeLinkTerms(const SeaCall& call, int32_t max_links) const;

  Engine* const engine_;
  Spool* const spool_;
  const LinkSigner* const signer_;
  FaultScript* const faults_;
  const SeaOptions options_;
  const Clock& clock_;

  StatementTable table_;
  std::atomic<bool> stopping_ = false;
  std::atomic<int64_t> sessions_opened_ = 0;
  std::atomic<int64_t> statements_run_ = 0;
  std::atomic<int64_t> links_given_ = 0;

  StatementPool pool_;  // owns threads that use all of the above: destroyed first
};

}  // namespace dbx::local
