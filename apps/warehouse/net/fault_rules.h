// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "net/faults.h"

namespace dbx::local {

/// A whole number of an action that is drawn anew for each use, both ends included.
struct RandomField {
  void (*set)(FaultAction& action, int64_t value) = nullptr;
  int64_t low = 0;
  int64_t high = 0;
};

/// One rule as it was written. Empty texts and absent numbers match everything.
struct FaultRule {
  FaultPoint point = FaultPoint::kHttp;
  std::string http_method = {};
  std::string path = {};  ///< a part of the path
  std::string sql = {};   ///< a part of the text
  std::string thrift_method = {};
  std::optional<int64_t> chunk = {};
  std::optional<int64_t> nth = {};
  std::optional<int64_t> times = {};
  std::optional<int64_t> attempt = {};
  double probability = 1;
  FaultAction action = {};
  std::vector<RandomField> random_fields = {};
  std::string text = {};  ///< the rule in JSON, for people
};

struct FaultRules {
  uint64_t seed = 0;
  std::vector<FaultRule> rules = {};
};

/// Reads the script described at FaultScript::Load. Errors: kInvalidArgument, naming the rule and
/// the key.
Result<FaultRules> ParseFaultRules(std::string_view text);

}  // namespace dbx::local
