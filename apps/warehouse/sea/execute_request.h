// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "result/limited_rows.h"
#include "sql/engine.h"

namespace dbx::local {

enum class Disposition : uint8_t { kInline, kExternalLinks, kHybrid };
enum class RowFormat : uint8_t { kJsonArray, kArrowStream, kCsv };

std::string_view ToText(RowFormat format);

/// What a client wants to have executed, with the service's defaults where it says nothing.
struct ExecuteRequest {
  std::string statement = {};
  std::optional<std::string> session_id = {};  ///< nullopt: a session of this statement alone
  std::optional<std::string> catalog = {}, schema = {};
  Disposition disposition = Disposition::kInline;
  RowFormat format = RowFormat::kJsonArray;
  bool lz4 = false;
  std::chrono::seconds wait_timeout{10};
  bool cancel_when_late = false;
  RowLimits limits = {};
  std::vector<SqlParameter> parameters = {};  ///< positional ones in the order of their ordinals
};

/// What a client wants its session to be like.
struct SessionRequest {
  std::optional<std::string> catalog = {}, schema = {};
  std::map<std::string, std::string> confs = {};  ///< of the engine: others are left out
};

/// Both ignore what they do not know. Errors: kInvalidArgument, the service's error code in
/// `error_class()`.
Result<ExecuteRequest> ParseExecuteRequest(std::string_view body);
Result<SessionRequest> ParseSessionRequest(std::string_view body);

}  // namespace dbx::local
