// SPDX-License-Identifier: Apache-2.0
#include "warehouse/thrift/thrift_status.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/str_cat.h"

namespace dbx::thrift {
namespace {

constexpr size_t kMaxTextBytes = 8192;

/// The texts of one failure, from wherever the service put them.
struct Failure {
  std::string_view display_message;
  std::string_view error_message;
  std::string_view info_message;
  std::string sqlstate;
  int32_t vendor_code = 0;
};

bool IsClassLetter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

/// "TABLE_OR_VIEW_NOT_FOUND" of "… [TABLE_OR_VIEW_NOT_FOUND] The table …".
std::string FindErrorClass(std::string_view text) {
  for (size_t open = text.find('['); open != std::string_view::npos;
       open = text.find('[', open + 1)) {
    size_t end = open + 1;
    while (end < text.size() && IsClassLetter(text[end])) ++end;
    const bool starts_well =
        open + 1 < text.size() && text[open + 1] >= 'A' && text[open + 1] <= 'Z';
    if (starts_well && end < text.size() && text[end] == ']' && end > open + 3) {
      return std::string(text.substr(open + 1, end - open - 1));
    }
  }
  return {};
}

std::string FindSqlstate(std::string_view text) {
  constexpr std::string_view kMark = "SQLSTATE: ";
  const size_t mark = text.find(kMark);
  if (mark == std::string_view::npos) return {};
  const std::string_view state = text.substr(mark + kMark.size(), 5);
  const bool whole = state.size() == 5 && std::all_of(state.begin(), state.end(), [](char c) {
                       return IsClassLetter(c) && c != '_' && c != '.';
                     });
  return whole ? std::string(state) : std::string();
}

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string_view BestText(const Failure& failure) {
  for (const std::string_view text :
       {Trim(failure.display_message), Trim(failure.error_message), Trim(failure.info_message)}) {
    if (!text.empty()) return text.substr(0, kMaxTextBytes);
  }
  return "the service gave no message";
}

StatusCode CodeOf(std::string_view sqlstate) {
  constexpr std::pair<std::string_view, StatusCode> kExact[] = {
      {"42501", StatusCode::kUnauthorized},  {"42P01", StatusCode::kNotFound},
      {"42704", StatusCode::kNotFound},      {"42703", StatusCode::kNotFound},
      {"42P07", StatusCode::kAlreadyExists}, {"42710", StatusCode::kAlreadyExists},
      {"HY008", StatusCode::kCancelled},     {"57014", StatusCode::kCancelled},
      {"HYT00", StatusCode::kTimeout},       {"HYT01", StatusCode::kTimeout},
  };
  for (const auto& [state, code] : kExact) {
    if (sqlstate == state) return code;
  }
  constexpr std::pair<std::string_view, StatusCode> kClasses[] = {
      {"42", StatusCode::kInvalidArgument}, {"22", StatusCode::kInvalidArgument},
      {"21", StatusCode::kInvalidArgument}, {"07", StatusCode::kInvalidArgument},
      {"23", StatusCode::kIntegrity},       {"0A", StatusCode::kNotImplemented},
      {"28", StatusCode::kUnauthenticated}, {"08", StatusCode::kIo},
      {"57", StatusCode::kUnavailable},     {"53", StatusCode::kUnavailable},
  };
  for (const auto& [state_class, code] : kClasses) {
    if (sqlstate.starts_with(state_class)) return code;
  }
  return StatusCode::kInternal;
}

/// A session that expired, or that went with its compute, in any of the service's wordings.
bool TellsOfLostSession(std::string_view text) {
  if (text.find("Invalid SessionHandle") != std::string_view::npos) return true;
  return text.find("Session handle: ") != std::string_view::npos &&
         text.find("has not been initialized or had already closed") != std::string_view::npos;
}

Status MakeStatus(const Failure& failure) {
  const std::string_view text = BestText(failure);
  std::string sqlstate = failure.sqlstate;
  if (sqlstate.empty()) sqlstate = FindSqlstate(text);
  if (sqlstate.empty()) sqlstate = FindSqlstate(failure.error_message);
  std::string error_class = FindErrorClass(text);
  if (error_class.empty()) error_class = FindErrorClass(failure.error_message);
  const bool lost = TellsOfLostSession(text) || TellsOfLostSession(failure.error_message);
  if (lost && error_class.empty()) error_class = "INVALID_SESSION";
  const Status status = Status(CodeOf(sqlstate), std::string(text))
                            .WithSqlstate(std::move(sqlstate))
                            .WithErrorClass(std::move(error_class))
                            .WithVendorCode(failure.vendor_code);
  return lost ? status.WithSessionLost() : status;
}

Failure FailureOf(const TGetOperationStatusResp& operation) {
  return {.display_message = operation.displayMessage,
          .error_message = operation.errorMessage,
          .info_message = {},
          .sqlstate = operation.sqlState,
          .vendor_code = operation.errorCode};
}

/// For ends that often come without a text of the service's.
Status EndStatus(const TGetOperationStatusResp& operation, StatusCode code,
                 std::string_view meaning) {
  const Failure failure = FailureOf(operation);
  const bool silent = failure.display_message.empty() && failure.error_message.empty();
  const std::string text = silent ? std::string(meaning) : StrCat(meaning, ": ", BestText(failure));
  return Status(code, text).WithSqlstate(failure.sqlstate).WithVendorCode(failure.vendor_code);
}

}  // namespace

Status ToStatus(const TStatus& status) {
  switch (status.statusCode) {
    case TStatusCode::SUCCESS_STATUS:
    case TStatusCode::SUCCESS_WITH_INFO_STATUS:
    case TStatusCode::STILL_EXECUTING_STATUS:
      return Status::Ok();
    default:
      break;
  }
  const std::string_view info =
      status.infoMessages.empty() ? std::string_view() : status.infoMessages.front();
  const Status failure = MakeStatus({.display_message = status.displayMessage,
                                     .error_message = status.errorMessage,
                                     .info_message = info,
                                     .sqlstate = status.sqlState,
                                     .vendor_code = status.errorCode});
  if (status.statusCode != TStatusCode::INVALID_HANDLE_STATUS) return failure;
  return failure.WithContext("the service does not know the handle");
}

bool IsTerminal(const TGetOperationStatusResp& operation) {
  if (!operation.__isset.operationState) return false;
  switch (operation.operationState) {
    case TOperationState::INITIALIZED_STATE:
    case TOperationState::PENDING_STATE:
    case TOperationState::RUNNING_STATE:
      return false;
    default:
      return true;
  }
}

Status ToStatus(const TGetOperationStatusResp& operation) {
  RETURN_IF_ERROR(ToStatus(operation.status));
  if (!IsTerminal(operation)) return Status::Ok();
  switch (operation.operationState) {
    case TOperationState::FINISHED_STATE:
      return Status::Ok();
    case TOperationState::CANCELED_STATE:
      return EndStatus(operation, StatusCode::kCancelled, "the statement was cancelled");
    case TOperationState::TIMEDOUT_STATE:
      return EndStatus(operation, StatusCode::kTimeout, "the statement's time was up");
    case TOperationState::CLOSED_STATE:
      return EndStatus(
          operation, StatusCode::kInvalidState,
          operation.closeReason == TDBSqlCloseOperationReason::COMMAND_INACTIVITY_TIMEOUT
              ? "the server closed the statement after a time without calls"
              : "the server closed the statement");
    case TOperationState::ERROR_STATE:
      return MakeStatus(FailureOf(operation));
    default:
      return EndStatus(operation, StatusCode::kInternal,
                       StrCat("the statement is in an unknown state (",
                              static_cast<int>(operation.operationState), ")"));
  }
}

std::string ToUuid(const THandleIdentifier& handle) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (handle.guid.size() != 16) return {};
  std::string text;
  for (size_t index = 0; index < 16; ++index) {
    if (index == 4 || index == 6 || index == 8 || index == 10) text.push_back('-');
    const auto byte = static_cast<uint8_t>(handle.guid[index]);
    text.push_back(kDigits[byte >> 4]);
    text.push_back(kDigits[byte & 15]);
  }
  return text;
}

}  // namespace dbx::thrift
