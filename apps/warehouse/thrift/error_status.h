// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/status.h"
#include "thrift_generated/TCLIService_types.h"

namespace dbx::local {

/// The service's own words for a failure, for both places where a client finds them.
struct ErrorTexts {
  std::string sqlstate;
  std::string error_message;    ///< with Java's class before it
  std::string display_message;  ///< for people
  std::string stack;            ///< a few frames
};

ErrorTexts MakeErrorTexts(const Status& error);

thrift::TStatus Success();

/// ERROR_STATUS for a statement that failed: five fields, as the service fills them.
thrift::TStatus StatementError(const Status& error);
/// ERROR_STATUS for anything else: one text in both messages.
thrift::TStatus CallError(const std::string& message, const std::string& sqlstate);

}  // namespace dbx::local
