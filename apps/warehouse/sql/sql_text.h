// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace dbx::local {

/// ASCII case only, as identifiers of the service fold.
std::string ToLower(std::string_view text);
std::string ToUpper(std::string_view text);
bool EqualsIgnoreCase(std::string_view left, std::string_view right);

/// True for the names by which clients mean whatever the default catalog is: none, or "SPARK".
bool IsDefaultCatalogAlias(std::string_view name);

/// `name` between double quotes, for the engine.
std::string QuoteIdentifier(std::string_view name);
/// `text` between single quotes, for the engine.
std::string QuoteString(std::string_view text);
/// `name` between back-ticks, as the service prints it.
std::string BacktickIdentifier(std::string_view name);

/// LIKE of the metadata calls: `_` one character, `%` any run, `\` before `_`, `%`, `\` takes it
/// literally. Compares without regard to case.
bool MatchesLike(std::string_view text, std::string_view pattern);
/// Patterns of SHOW …: `*` any run, `.` one character, `|` alternatives; also `%`. Without regard
/// to case.
bool MatchesShowPattern(std::string_view text, std::string_view pattern);

}  // namespace dbx::local
