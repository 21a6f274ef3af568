// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "sql/engine.h"

namespace dbx::local {

/// `parameter` as an expression of the engine with the parameter's type: "CAST('8' AS INTEGER)".
/// Values are read leniently, like a CAST from text, when the statement runs.
Result<std::string> ParameterLiteral(const SqlParameter& parameter);

/// Finds what a statement's markers stand for. A name is looked up by name, `?` by list order.
class ParameterList {
 public:
  explicit ParameterList(const std::vector<SqlParameter>& parameters) : parameters_(parameters) {}

  /// The next unnamed parameter for "", else the one called `name`. UNBOUND_SQL_PARAMETER when
  /// there is none.
  Result<const SqlParameter*> Take(const std::string& name);

 private:
  const std::vector<SqlParameter>& parameters_;
  size_t next_ = 0;
};

}  // namespace dbx::local
