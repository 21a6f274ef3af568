// SPDX-License-Identifier: Apache-2.0
#include "warehouse/sea/sea_status.h"

#include <string_view>
#include <utility>

#include "base/str_cat.h"
#include "warehouse/service_error.h"

namespace dbx::sea {
namespace {

StatusCode CodeOf(std::string_view error_code) {
  constexpr std::pair<std::string_view, StatusCode> kCodes[] = {
      {"CANCELLED", StatusCode::kCancelled},
      {"ABORTED", StatusCode::kCancelled},
      {"ALREADY_EXISTS", StatusCode::kAlreadyExists},
      {"BAD_REQUEST", StatusCode::kInvalidArgument},
      {"DEADLINE_EXCEEDED", StatusCode::kTimeout},
      {"IO_ERROR", StatusCode::kIo},
      {"NOT_FOUND", StatusCode::kNotFound},
      {"RESOURCE_EXHAUSTED", StatusCode::kUnavailable},
      {"SERVICE_UNDER_MAINTENANCE", StatusCode::kUnavailable},
      {"TEMPORARILY_UNAVAILABLE", StatusCode::kUnavailable},
      {"WORKSPACE_TEMPORARILY_UNAVAILABLE", StatusCode::kUnavailable},
      {"UNAUTHENTICATED", StatusCode::kUnauthenticated},
  };
  for (const auto& [name, code] : kCodes) {
    if (name == error_code) return code;
  }
  return StatusCode::kInternal;
}

Status Failed(const ErrorMessage& error) {
  const std::string_view text =
      error.message.empty() ? std::string_view(error.error_code) : std::string_view(error.message);
  const Status status = MakeServiceStatus({.display_message = text,
                                           .error_message = {},
                                           .info_message = {},
                                           .sqlstate = error.sql_state});
  return status.sqlstate().empty() ? status.WithCode(CodeOf(error.error_code)) : status;
}

/// For ends that often come without a text of the service's.
Status Ended(const StatementReply& reply, StatusCode code, std::string_view meaning) {
  const ServiceFailure failure{.display_message = reply.error.message,
                               .error_message = {},
                               .info_message = {},
                               .sqlstate = {}};
  const std::string text =
      reply.error.message.empty() ? std::string(meaning) : StrCat(meaning, ": ", BestText(failure));
  return Status(code, text).WithSqlstate(reply.error.sql_state);
}

Status StatusOf(const StatementReply& reply) {
  switch (reply.state) {
    case State::kPending:
    case State::kRunning:
    case State::kSucceeded:
      return Status::Ok();
    case State::kFailed:
      return Failed(reply.error);
    case State::kCanceled:
      return Ended(reply, StatusCode::kCancelled, "the statement was cancelled");
    case State::kClosed:
      if (reply.manifest) return Status::Ok();
      return Ended(reply, StatusCode::kInvalidState, "the server closed the statement");
    case State::kOther:
      break;
  }
  return Ended(reply, StatusCode::kInternal,
               StrCat("the statement is in an unknown state (", reply.state_text, ")"));
}

}  // namespace

bool IsTerminal(const StatementReply& reply) {
  return reply.state != State::kPending && reply.state != State::kRunning;
}

Status ToStatus(const StatementReply& reply) {
  return StatusOf(reply).WithStatementId(reply.statement_id);
}

}  // namespace dbx::sea
