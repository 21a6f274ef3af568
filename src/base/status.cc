// SPDX-License-Identifier: Apache-2.0
#include "base/status.h"

#include "base/str_cat.h"

namespace dbx {
namespace {

const std::string& EmptyText() {
  static const std::string empty;
  return empty;
}

}  // namespace

std::string_view ToString(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return "ok";
    case StatusCode::kCancelled:
      return "cancelled";
    case StatusCode::kInvalidArgument:
      return "invalid argument";
    case StatusCode::kInvalidState:
      return "invalid state";
    case StatusCode::kInvalidData:
      return "invalid data";
    case StatusCode::kNotFound:
      return "not found";
    case StatusCode::kAlreadyExists:
      return "already exists";
    case StatusCode::kUnauthenticated:
      return "unauthenticated";
    case StatusCode::kUnauthorized:
      return "unauthorized";
    case StatusCode::kTimeout:
      return "timeout";
    case StatusCode::kUnavailable:
      return "unavailable";
    case StatusCode::kIo:
      return "input/output error";
    case StatusCode::kIntegrity:
      return "integrity error";
    case StatusCode::kNotImplemented:
      return "not implemented";
    case StatusCode::kInternal:
      return "internal error";
  }
  return "unknown";
}

Status::Status(StatusCode code, std::string message) {
  if (code == StatusCode::kOk) return;
  auto state = std::make_shared<State>();
  state->code = code;
  state->message = std::move(message);
  state_ = std::move(state);
}

const std::string& Status::message() const {
  return state_ ? state_->message : EmptyText();
}
const std::string& Status::sqlstate() const {
  return state_ ? state_->sqlstate : EmptyText();
}
const std::string& Status::error_class() const {
  return state_ ? state_->error_class : EmptyText();
}
const std::string& Status::statement_id() const {
  return state_ ? state_->statement_id : EmptyText();
}

template <typename Change>
Status Status::Changed(Change change) const {
  if (ok()) return *this;
  auto state = std::make_shared<State>(*state_);
  change(*state);
  Status changed;
  changed.state_ = std::move(state);
  return changed;
}

Status Status::WithContext(std::string_view where) const {
  return Changed([&](State& state) { state.message = StrCat(where, ": ", state.message); });
}

Status Status::WithCode(StatusCode code) const {
  return Changed([&](State& state) { state.code = code; });
}

Status Status::WithSqlstate(std::string sqlstate) const {
  return Changed([&](State& state) { state.sqlstate = std::move(sqlstate); });
}

Status Status::WithErrorClass(std::string error_class) const {
  return Changed([&](State& state) { state.error_class = std::move(error_class); });
}

Status Status::WithStatementId(std::string statement_id) const {
  return Changed([&](State& state) { state.statement_id = std::move(statement_id); });
}

Status Status::WithVendorCode(int32_t vendor_code) const {
  return Changed([&](State& state) { state.vendor_code = vendor_code; });
}

Status Status::WithHttpStatus(int32_t http_status) const {
  return Changed([&](State& state) { state.http_status = http_status; });
}

Status Status::WithSessionLost() const {
  return Changed([](State& state) { state.session_lost = true; });
}

std::string Status::ToString() const {
  return ok() ? "ok" : StrCat(dbx::ToString(code()), ": ", message());
}

}  // namespace dbx
