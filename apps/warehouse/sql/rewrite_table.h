// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace dbx::local {

/// Calls that need more than a template.
enum class SpecialCall : uint8_t {
  kNone,
  kCast,
  kTryCast,
  kMap,
  kNamedStruct,
  kStruct,
  kCount,
  kDateFormat,
  kToDate,
  kToTimestamp,
  kFromUnixtime,
  kDateAdd,
  kDateDiff,
  kFromJson,
  kVariantGet,
  kDecode,
  kSequence,
  kRange,
  kWindowInteger,
  kConcat,
  kIdentifier,
};

/// One row of the table of functions: what a call in the service's dialect becomes for the engine.
struct FunctionRewrite {
  std::string_view name;  ///< upper case
  int8_t min_arguments;
  int8_t max_arguments;  ///< -1: any number
  /// $1 … $9: an argument; $*: all of them; $c, $s, $u, $z: the session's catalog, schema, user,
  /// time zone as string literals. Empty when `special` does it.
  std::string_view replacement;
  SpecialCall special = SpecialCall::kNone;
};

/// The row for `name` (any case) with `num_arguments` arguments, or nullptr: the call stays as it
/// is.
const FunctionRewrite* FindFunction(std::string_view name, size_t num_arguments);

/// All rows, for SHOW FUNCTIONS and the docs.
std::span<const FunctionRewrite> FunctionRewrites();

/// A word that the service lets stand alone where the engine wants a call, such as CURRENT_USER;
/// nullptr if none.
const FunctionRewrite* FindBareWord(std::string_view word);

/// Statements that make the engine's own functions where a template would evaluate an argument
/// twice.
std::span<const std::string_view> MacroStatements();

}  // namespace dbx::local
