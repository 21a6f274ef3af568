// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "base/status.h"
#include "options/config.h"
#include "options/option_set.h"

namespace dbx {

/// A value as one of ADBC's setters gave it or one of its getters will; bytes count as text.
/// monostate: nothing, which clears an option.
using TypedValue = std::variant<std::monostate, std::string, int64_t, double>;

/// What a getter wants.
enum class ValueType : uint8_t { kText, kInt, kDouble };

/// Conversions; each fails with kInvalidArgument, naming `name`, when the value would not survive
/// it.
std::string TextOf(const TypedValue& value);
Result<int64_t> IntOf(std::string_view name, const TypedValue& value);
Result<double> DoubleOf(std::string_view name, const TypedValue& value);

/// Sets or clears `name` in `options`.
Status SetIn(OptionSet& options, std::string_view name, const TypedValue& value);
/// Puts what `options` set for statements on top of `config`. Errors: none for values that an
/// OptionSet took.
Status ApplyStatementOptions(const OptionSet& options, Config& config);
/// What `options` say of `name`, in the type that is wanted.
Result<TypedValue> GetFrom(const OptionSet& options, std::string_view name, ValueType type);

}  // namespace dbx
