// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace dbx::local {

/// "[CLASS] text. SQLSTATE: xxxxx", with class and state also in the status. `text` has no full
/// stop at its end.
Status SqlError(StatusCode code, std::string_view error_class, std::string_view sqlstate,
                std::string_view text);

/// The same with "(line n, pos m)", the statement, and a mark under `offset` of it.
Status SqlErrorAt(StatusCode code, std::string_view error_class, std::string_view sqlstate,
                  std::string_view text, std::string_view sql, size_t offset);

/// PARSE_SYNTAX_ERROR, 42601. `near` is the word at `offset`; empty means the end of the statement.
Status SyntaxError(std::string_view sql, size_t offset, std::string_view near);

/// A thing of the dialect that this warehouse does not have: UNSUPPORTED_FEATURE, 0A000.
Status Unsupported(std::string_view what);

Status CatalogNotFound(std::string_view catalog);
Status SchemaNotFound(std::string_view catalog, std::string_view schema);
Status TableNotFound(std::string_view name);
Status TableAlreadyExists(std::string_view name);

/// Where a byte of the engine's statement comes from in the client's statement.
using SourcePosition = std::function<size_t(size_t engine_offset)>;

/// What an error text of the engine says in the service's form. `engine_sql` is what the engine was
/// given; a syntax error points to the client's word through `position`.
Status FromEngineError(std::string_view engine_text, std::string_view client_sql,
                       std::string_view engine_sql, const SourcePosition& position);

}  // namespace dbx::local
