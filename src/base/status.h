// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace dbx {

/// What kind of failure a `Status` tells of. The ADBC surface maps each to one ADBC status code.
enum class StatusCode : uint8_t {
  kOk,
  kCancelled,        ///< someone asked for the work to stop
  kInvalidArgument,  ///< the caller's value is wrong; calling again cannot help
  kInvalidState,     ///< right call, wrong moment
  kInvalidData,      ///< bytes from outside are not what their format promises
  kNotFound,
  kAlreadyExists,
  kUnauthenticated,  ///< no or refused credentials
  kUnauthorized,     ///< known, but not allowed
  kTimeout,
  kUnavailable,  ///< the other side is not there or busy; retries are spent
  kIo,           ///< network or file failure that is none of the above
  kIntegrity,    ///< rows or bytes are missing or too many
  kNotImplemented,
  kInternal,
};

/// The word for `code` in messages and logs, such as "cancelled".
std::string_view ToString(StatusCode code);

/// Success, or one failure with all that the caller of the driver may want to know of it. Cheap to
/// copy; immutable once shared, so copies may be read on any thread.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(StatusCode code, std::string message);

  static Status Ok() { return {}; }
  static Status Cancelled(std::string message) {
    return {StatusCode::kCancelled, std::move(message)};
  }
  static Status InvalidArgument(std::string message) {
    return {StatusCode::kInvalidArgument, std::move(message)};
  }
  static Status InvalidState(std::string message) {
    return {StatusCode::kInvalidState, std::move(message)};
  }
  static Status InvalidData(std::string message) {
    return {StatusCode::kInvalidData, std::move(message)};
  }
  static Status NotFound(std::string message) {
    return {StatusCode::kNotFound, std::move(message)};
  }
  static Status AlreadyExists(std::string message) {
    return {StatusCode::kAlreadyExists, std::move(message)};
  }
  static Status Unauthenticated(std::string message) {
    return {StatusCode::kUnauthenticated, std::move(message)};
  }
  static Status Unauthorized(std::string message) {
    return {StatusCode::kUnauthorized, std::move(message)};
  }
  static Status Timeout(std::string message) { return {StatusCode::kTimeout, std::move(message)}; }
  static Status Unavailable(std::string message) {
    return {StatusCode::kUnavailable, std::move(message)};
  }
  static Status Io(std::string message) { return {StatusCode::kIo, std::move(message)}; }
  static Status Integrity(std::string message) {
    return {StatusCode::kIntegrity, std::move(message)};
  }
  static Status NotImplemented(std::string message) {
    return {StatusCode::kNotImplemented, std::move(message)};
  }
  static Status Internal(std::string message) {
    return {StatusCode::kInternal, std::move(message)};
  }

  bool ok() const { return state_ == nullptr; }
  StatusCode code() const { return state_ ? state_->code : StatusCode::kOk; }
  const std::string& message() const;

  /// Five characters as in SQL, or empty when the server gave none.
  const std::string& sqlstate() const;
  /// The service's error class, such as "TABLE_OR_VIEW_NOT_FOUND"; empty when unknown.
  const std::string& error_class() const;
  /// The statement's id as people find it in the service's query history; empty when there is none.
  const std::string& statement_id() const;
  /// The service's numeric code, 0 when there is none.
  int32_t vendor_code() const { return state_ ? state_->vendor_code : 0; }
  /// HTTP status that caused this, 0 when none did.
  int32_t http_status() const { return state_ ? state_->http_status : 0; }
  /// True when the session is gone on the server: no further call on it can succeed.
  bool session_lost() const { return state_ && state_->session_lost; }

  /// The same failure with "<where>: " before its message. Success stays success.
  Status WithContext(std::string_view where) const;
  Status WithCode(StatusCode code) const;
  Status WithSqlstate(std::string sqlstate) const;
  Status WithErrorClass(std::string error_class) const;
  Status WithStatementId(std::string statement_id) const;
  Status WithVendorCode(int32_t vendor_code) const;
  Status WithHttpStatus(int32_t http_status) const;
  Status WithSessionLost() const;

  /// "<code>: <message>", or "ok".
  std::string ToString() const;

 private:
  struct State {
    StatusCode code = StatusCode::kInternal;
    bool session_lost = false;
    int32_t vendor_code = 0;
    int32_t http_status = 0;
    std::string message;
    std::string sqlstate;
    std::string error_class;
    std::string statement_id;
  };

  template <typename Change>
  Status Changed(Change change) const;

  std::shared_ptr<const State> state_;
};

/// A value or the reason why there is none. `value()` may be asked for only when `ok()`.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}  // NOLINT(google-explicit-constructor): reads as T
  Result(Status status) : status_(std::move(status)) {  // NOLINT(google-explicit-constructor)
    if (status_.ok()) status_ = Status::Internal("a result was made of a success without a value");
  }

  bool ok() const { return value_.has_value(); }
  const Status& status() const { return status_; }

  T& value() & { return *value_; }
  const T& value() const& { return *value_; }
  T&& value() && { return std::move(*value_); }
  T& operator*() & { return *value_; }
  const T& operator*() const& { return *value_; }
  T&& operator*() && { return std::move(*value_); }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }

 private:
  Status status_;
  std::optional<T> value_;
};

}  // namespace dbx

#define DBX_CONCAT_INNER(a, b) a##b
#define DBX_CONCAT(a, b) DBX_CONCAT_INNER(a, b)

/// Leaves the function with the failure of `expression`, which gives a Status.
#define RETURN_IF_ERROR(expression)                                                   \
  do {                                                                                \
    if (::dbx::Status dbx_status = (expression); !dbx_status.ok()) return dbx_status; \
  } while (false)

/// Declares or assigns `target` from a Result, or leaves the function with its failure.
#define ASSIGN_OR_RETURN(target, expression) \
  DBX_ASSIGN_OR_RETURN(DBX_CONCAT(dbx_result_, __LINE__), target, expression)
#define DBX_ASSIGN_OR_RETURN(result, target, expression) \
  auto result = (expression);                            \
  if (!result.ok()) return result.status();              \
  target = std::move(result).value()
