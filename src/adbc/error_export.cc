// SPDX-License-Identifier: Apache-2.0
#include "adbc/error_export.h"

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/str_cat.h"

namespace dbx {
namespace {

/// What an error of ADBC 1.1 owns through its private_data.
struct ErrorContent {
  std::string message;
  std::vector<std::pair<std::string, std::string>> details;
};

void ReleaseWide(AdbcError* error) {
  delete static_cast<ErrorContent*>(error->private_data);
  std::memset(error, 0, ADBC_ERROR_1_1_0_SIZE);
}

void ReleaseNarrow(AdbcError* error) {
  delete[] error->message;
  std::memset(error, 0, ADBC_ERROR_1_0_0_SIZE);
}

bool IsWide(const AdbcError* error) {
  return error->vendor_code == ADBC_ERROR_VENDOR_CODE_PRIVATE_DATA;
}

std::vector<std::pair<std::string, std::string>> DetailsOf(const Status& status) {
  std::vector<std::pair<std::string, std::string>> details;
  auto add = [&details](const char* key, std::string value) {
    if (!value.empty()) details.emplace_back(key, std::move(value));
  };
  add("databricks.error_class", status.error_class());
  add("databricks.statement_id", status.statement_id());
  if (status.http_status() != 0) add("databricks.http_status", StrCat(status.http_status()));
  if (status.vendor_code() != 0) add("databricks.error_code", StrCat(status.vendor_code()));
  if (status.session_lost()) add("databricks.session_lost", "true");
  return details;
}

void FillSqlstate(const Status& status, AdbcError* error) {
  std::memset(error->sqlstate, 0, sizeof(error->sqlstate));
  if (status.sqlstate().size() != sizeof(error->sqlstate)) return;
  std::memcpy(error->sqlstate, status.sqlstate().data(), sizeof(error->sqlstate));
}

void FillWide(const Status& status, AdbcError* error) {
  auto content =
      std::make_unique<ErrorContent>(ErrorContent{MessageForPeople(status), DetailsOf(status)});
  error->message = content->message.data();
  error->vendor_code = ADBC_ERROR_VENDOR_CODE_PRIVATE_DATA;
  FillSqlstate(status, error);
  error->release = ReleaseWide;
  error->private_data = content.release();
}

void FillNarrow(const Status& status, AdbcError* error) {
  const std::string message = MessageForPeople(status);
  error->message = new char[message.size() + 1];
  std::memcpy(error->message, message.c_str(), message.size() + 1);
  error->vendor_code = status.vendor_code();
  FillSqlstate(status, error);
  error->release = ReleaseNarrow;
}

const ErrorContent* ContentOf(const AdbcError* error) {
  if (error == nullptr || !IsWide(error) || error->release != ReleaseWide) return nullptr;
  return static_cast<const ErrorContent*>(error->private_data);
}

}  // namespace

AdbcStatusCode ToAdbcStatus(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return ADBC_STATUS_OK;
    case StatusCode::kCancelled:
      return ADBC_STATUS_CANCELLED;
    case StatusCode::kInvalidArgument:
      return ADBC_STATUS_INVALID_ARGUMENT;
    case StatusCode::kInvalidState:
      return ADBC_STATUS_INVALID_STATE;
    case StatusCode::kInvalidData:
      return ADBC_STATUS_INVALID_DATA;
    case StatusCode::kNotFound:
      return ADBC_STATUS_NOT_FOUND;
    case StatusCode::kAlreadyExists:
      return ADBC_STATUS_ALREADY_EXISTS;
    case StatusCode::kUnauthenticated:
      return ADBC_STATUS_UNAUTHENTICATED;
    case StatusCode::kUnauthorized:
      return ADBC_STATUS_UNAUTHORIZED;
    case StatusCode::kTimeout:
      return ADBC_STATUS_TIMEOUT;
    case StatusCode::kUnavailable:
    case StatusCode::kIo:
      return ADBC_STATUS_IO;
    case StatusCode::kIntegrity:
      return ADBC_STATUS_INTEGRITY;
    case StatusCode::kNotImplemented:
      return ADBC_STATUS_NOT_IMPLEMENTED;
    case StatusCode::kInternal:
      return ADBC_STATUS_INTERNAL;
  }
  return ADBC_STATUS_UNKNOWN;
}

int ToErrno(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return 0;
    case StatusCode::kCancelled:
      return ECANCELED;
    case StatusCode::kInvalidArgument:
    case StatusCode::kInvalidState:
      return EINVAL;
    case StatusCode::kNotFound:
      return ENOENT;
    case StatusCode::kAlreadyExists:
      return EEXIST;
    case StatusCode::kUnauthenticated:
    case StatusCode::kUnauthorized:
      return EACCES;
    case StatusCode::kTimeout:
      return ETIMEDOUT;
    case StatusCode::kNotImplemented:
      return ENOTSUP;
    case StatusCode::kInvalidData:
    case StatusCode::kUnavailable:
    case StatusCode::kIo:
    case StatusCode::kIntegrity:
    case StatusCode::kInternal:
      return EIO;
  }
  return EIO;
}

std::string MessageForPeople(const Status& status) {
  const std::string& id = status.statement_id();
  const bool name_it = !id.empty() && status.message().find(id) == std::string::npos;
  return StrCat("[databricks] ", status.message(),
                name_it ? StrCat(" (statement ", id, ")") : std::string());
}

AdbcStatusCode ExportError(const Status& status, AdbcError* error) {
  const AdbcStatusCode code = ToAdbcStatus(status.code());
  if (status.ok() || error == nullptr) return code;
  // Before the release, which wipes the mark.
  const bool wide = IsWide(error);
  if (error->release != nullptr) error->release(error);
  if (wide) {
    FillWide(status, error);
  } else {
    FillNarrow(status, error);
  }
  return code;
}

int CountErrorDetails(const AdbcError* error) {
  const ErrorContent* const content = ContentOf(error);
  return content == nullptr ? 0 : static_cast<int>(content->details.size());
}

AdbcErrorDetail GetErrorDetail(const AdbcError* error, int index) {
  if (index < 0 || index >= CountErrorDetails(error)) return {};
  const auto& [key, value] = ContentOf(error)->details[static_cast<size_t>(index)];
  return {key.c_str(), reinterpret_cast<const uint8_t*>(value.data()), value.size()};
}

}  // namespace dbx
