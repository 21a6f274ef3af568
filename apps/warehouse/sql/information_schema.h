// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace dbx::local {

/// Statements that make the views behind `<catalog>.information_schema.<view>` in functions.info.
/// Each has the service's columns, and first `catalog_name_of_row`, by which one catalog's rows are
/// picked.
std::span<const std::string_view> InformationSchemaStatements();

}  // namespace dbx::local
