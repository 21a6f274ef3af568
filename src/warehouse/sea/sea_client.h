// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/cancellation.h"
#include "base/status.h"
#include "http/http_client.h"
#include "warehouse/service_channel.h"
#include "warehouse/session.h"
#include "wire/sea_messages.h"

namespace dbx::sea {

/// The calls of the Statement Execution API, one request each, sent as ServiceChannel does. Methods
/// from any thread; `cancellation` may be null. Errors: those of the channel and of reading the
/// reply; `ToStatus` of an HTTP answer that is no success, with SQLSTATE and error class where its
/// text has them. What the context points to outlives this.
class SeaClient {
 public:
  explicit SeaClient(const SessionContext& context);

  /// The new session's id.
  Result<std::string> OpenSession(const OpenRequest& request, Cancellation* cancellation);
  Status DeleteSession(const std::string& session_id, Cancellation* cancellation);

  /// Never sent again unless it surely did not run. Errors also: kInvalidState with session_lost()
  /// for a session that the service does not know any more.
  Result<StatementReply> Execute(const ExecuteRequest& request, Cancellation* cancellation);
  Result<StatementReply> Get(const std::string& statement_id, Cancellation* cancellation);
  /// A Get that tries little.
  Result<StatementReply> Heartbeat(const std::string& statement_id, Cancellation* cancellation);
  Result<ResultMessage> Chunk(const std::string& statement_id, int64_t chunk_index,
                              Cancellation* cancellation);
  /// The chunks behind an internal link; only its path and query count. Errors also: kInvalidData
  /// for a path that is not a statement's.
  Result<ResultMessage> ChunkAt(std::string_view internal_link, Cancellation* cancellation);
  Status CancelStatement(const std::string& statement_id, Cancellation* cancellation);
  Status CloseStatement(const std::string& statement_id, Cancellation* cancellation);

 private:
  Result<std::string> Call(const CallRules& rules, HttpMethod method, std::string_view path,
                           std::string body, Cancellation* cancellation);

  ServiceChannel channel_;
  const EndpointConfig endpoint_;
};

}  // namespace dbx::sea
