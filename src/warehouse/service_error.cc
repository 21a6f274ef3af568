// SPDX-License-Identifier: Apache-2.0
#include "warehouse/service_error.h"

#include <algorithm>
#include <utility>

namespace dbx {
namespace {

constexpr size_t kMaxTextBytes = 8192;

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

}  // namespace

std::string_view BestText(const ServiceFailure& failure) {
  for (const std::string_view text :
       {Trim(failure.display_message), Trim(failure.error_message), Trim(failure.info_message)}) {
    if (!text.empty()) return text.substr(0, kMaxTextBytes);
  }
  return "the service gave no message";
}

Status MakeServiceStatus(const ServiceFailure& failure) {
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

}  // namespace dbx
