// SPDX-License-Identifier: Apache-2.0
#include "warehouse/thrift/thrift_status.h"

#include <string_view>
#include <utility>

#include "base/str_cat.h"
#include "warehouse/service_error.h"

namespace dbx::thrift {
namespace {

ServiceFailure FailureOf(const TGetOperationStatusResp& operation) {
  return {.display_message = operation.displayMessage,
          .error_message = operation.errorMessage,
          .info_message = {},
          .sqlstate = operation.sqlState,
          .vendor_code = operation.errorCode};
}

/// For ends that often come without a text of the service's.
Status EndStatus(const TGetOperationStatusResp& operation, StatusCode code,
                 std::string_view meaning) {
  const ServiceFailure failure = FailureOf(operation);
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
  Status failure = MakeServiceStatus({.display_message = status.displayMessage,
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
      return MakeServiceStatus(FailureOf(operation));
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
