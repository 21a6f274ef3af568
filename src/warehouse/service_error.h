// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace dbx {

/// The texts of one failed statement or call, from wherever the service put them; all may be empty.
struct ServiceFailure {
  std::string_view display_message;  ///< for people; comes first
  std::string_view error_message;
  std::string_view info_message;
  std::string sqlstate;
  int32_t vendor_code = 0;
};

/// The text of a failure that is for people, trimmed and cut to a sane length.
std::string_view BestText(const ServiceFailure& failure);

/// One status for a failure, whatever the protocol: the code follows the SQLSTATE, which is looked
/// for in the texts when it is not given; so is the error class. Texts that tell of a session that
/// is gone set session_lost().
Status MakeServiceStatus(const ServiceFailure& failure);

}  // namespace dbx
