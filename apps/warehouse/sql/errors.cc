// SPDX-License-Identifier: Apache-2.0
#include "sql/errors.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/str_cat.h"
#include "sql/sql_text.h"

namespace dbx::local {
namespace {

struct Place {
  size_t line = 1;      ///< 1-based
  size_t position = 0;  ///< 0-based, in bytes
  size_t line_end = 0;  ///< offset in the statement
};

Place FindPlace(std::string_view sql, size_t offset) {
  offset = std::min(offset, sql.size());
  Place place;
  size_t line_start = 0;
  for (size_t i = 0; i < offset; ++i) {
    if (sql[i] != '\n') continue;
    place.line += 1;
    line_start = i + 1;
  }
  place.position = offset - line_start;
  place.line_end = std::min(sql.find('\n', offset), sql.size());
  return place;
}

std::string Marked(std::string_view sql, const Place& place) {
  std::string text = StrCat("\n\n== SQL ==\n", sql.substr(0, place.line_end), "\n",
                            std::string(place.position, '-'), "^^^\n");
  if (place.line_end < sql.size()) text += sql.substr(place.line_end + 1);
  return text;
}

/// The text between the first `open` and the `close` behind it; empty when there is none.
std::string Between(std::string_view text, std::string_view open, std::string_view close) {
  const size_t start = text.find(open);
  if (start == std::string_view::npos) return {};
  const size_t from = start + open.size();
  const size_t end = text.find(close, from);
  if (end == std::string_view::npos) return {};
  return std::string(text.substr(from, end - from));
}

/// Names of the engine as the client knows them: catalogs without the prefix that they have inside.
std::string ClientNames(std::string text) {
  for (size_t at = text.find("c_"); at != std::string::npos; at = text.find("c_", at)) {
    const bool starts_word = at == 0 || text[at - 1] == '"' || text[at - 1] == ' ';
    if (starts_word &&
        (text.compare(at, 6, "c_main") == 0 || text.compare(at, 16, "c_hive_metastore") == 0 ||
         text.compare(at, 8, "c_system") == 0)) {
      text.erase(at, 2);
    } else {
      at += 2;
    }
  }
  return text;
}

/// The engine's text without its own excerpt of the statement and without its kind of error.
std::string Sentence(std::string_view text) {
  const size_t excerpt = text.find("\n\nLINE ");
  text = text.substr(0, excerpt);
  const size_t colon = text.find(": ");
  if (colon != std::string_view::npos &&
      text.substr(0, colon).find("Error") != std::string_view::npos) {
    text.remove_prefix(colon + 2);
  }
  while (!text.empty() && (text.back() == '\n' || text.back() == '.' || text.back() == '!'))
    text.remove_suffix(1);
  return ClientNames(std::string(text));
}

struct Excerpt {
  std::string text;
  size_t caret = 0;  ///< in `text`
};

/// The engine shows at most a piece of the line, after "LINE n: " and perhaps "...".
std::optional<Excerpt> FindExcerpt(std::string_view text) {
  const size_t start = text.rfind("LINE ");
  if (start == std::string_view::npos) return std::nullopt;
  const size_t line_end = text.find('\n', start);
  const size_t colon = text.find(": ", start);
  if (line_end == std::string_view::npos || colon == std::string_view::npos) return std::nullopt;
  const size_t caret = text.find('^', line_end);
  if (caret == std::string_view::npos) return std::nullopt;
  size_t from = colon + 2;
  const size_t column = caret - line_end - 1 + start;
  if (text.substr(from, 3) == "...") from += 3;
  size_t end = line_end;
  if (text.substr(end - 3, 3) == "...") end -= 3;
  if (column < from || end < from) return std::nullopt;
  return Excerpt{std::string(text.substr(from, end - from)), column - from};
}

std::optional<size_t> EngineOffset(std::string_view text, std::string_view engine_sql) {
  const std::optional<Excerpt> excerpt = FindExcerpt(text);
  if (!excerpt) return std::nullopt;
  const size_t at = engine_sql.find(excerpt->text);
  if (at == std::string_view::npos) return std::nullopt;
  return at + excerpt->caret;
}

struct Translated {
  StatusCode code;
  std::string_view error_class;
  std::string_view sqlstate;
  std::string text;
};

std::string Suggestions(std::string_view text) {
  const size_t start = text.find("Candidate bindings: ");
  if (start == std::string_view::npos) return {};
  std::string list(text.substr(start + 20, text.find('\n', start) - start - 20));
  std::replace(list.begin(), list.end(), '"', '`');
  return list;
}

Translated UnresolvedColumn(std::string_view text) {
  std::string name = Between(text, "column \"", "\"");
  if (name.empty()) name = Between(text, "named \"", "\"");
  std::string message = StrCat("A column, variable, or function parameter with name ",
                               BacktickIdentifier(name), " cannot be resolved");
  const std::string suggestions = Suggestions(text);
  if (suggestions.empty()) {
    return {StatusCode::kInvalidArgument, "UNRESOLVED_COLUMN.WITHOUT_SUGGESTION", "42703", message};
  }
  return {StatusCode::kInvalidArgument, "UNRESOLVED_COLUMN.WITH_SUGGESTION", "42703",
          StrCat(message, ". Did you mean one of the following? [", suggestions, "]")};
}

Translated MissingTable(std::string_view text) {
  std::string name = Between(text, "Table with name \"", "\"");
  if (name.empty()) name = Between(text, "Table with name ", " does not exist");
  if (name.empty()) name = Between(text, "View with name ", " does not exist");
  return {StatusCode::kNotFound, "TABLE_OR_VIEW_NOT_FOUND", "42P01",
          StrCat("The table or view ", BacktickIdentifier(ClientNames(name)), " cannot be found")};
}

Translated ExistingTable(std::string_view text) {
  return {StatusCode::kAlreadyExists, "TABLE_OR_VIEW_ALREADY_EXISTS", "42P07",
          StrCat("Cannot create table or view ",
                 BacktickIdentifier(Between(text, "with name \"", "\"")),
                 " because it already exists")};
}

Translated ExistingSchema(std::string_view text) {
  return {StatusCode::kAlreadyExists, "SCHEMA_ALREADY_EXISTS", "42P06",
          StrCat("Cannot create schema ", BacktickIdentifier(Between(text, "with name \"", "\"")),
                 " because it already exists")};
}

Translated MissingSchema(std::string_view text) {
  std::string name = Between(text, "Schema with name ", " does not exist");
  if (name.empty()) name = Between(text, "schema \"", "\"");
  std::erase(name, '"');
  return {StatusCode::kNotFound, "SCHEMA_NOT_FOUND", "42704",
          StrCat("The schema ", BacktickIdentifier(name), " cannot be found")};
}

Translated MissingFunction(std::string_view text) {
  return {StatusCode::kInvalidArgument, "UNRESOLVED_ROUTINE", "42883",
          StrCat("Cannot resolve routine ",
                 BacktickIdentifier(Between(text, "with name ", " does not exist")))};
}

Translated InvalidCast(std::string_view text) {
  const std::string value = Between(text, "string '", "'");
  return {StatusCode::kInvalidArgument, "CAST_INVALID_INPUT", "22018",
          value.empty() ? Sentence(text)
                        : StrCat("The value '", value, "' cannot be cast: it is malformed. ",
                                 "Use `try_cast` to tolerate it and get NULL instead")};
}

Translated NotNullViolated(std::string_view text) {
  std::string column = Between(text, "constraint failed: ", "\n");
  if (column.empty())
    column = std::string(text.substr(std::min(text.size(), text.rfind(": ") + 2)));
  return {
      StatusCode::kInvalidArgument, "DELTA_NOT_NULL_CONSTRAINT_VIOLATED", "23502",
      StrCat("NOT NULL constraint violated for column: ", column.substr(column.rfind('.') + 1))};
}

using Describe = Translated (*)(std::string_view text);

struct Rule {
  std::string_view contains;
  std::string_view also;  ///< empty: nothing more is needed
  Describe describe;      ///< nullptr: the engine's sentence under the class and state of this row
  StatusCode code = StatusCode::kInvalidArgument;
  std::string_view error_class = {};
  std::string_view sqlstate = {};
};

/// The first row that fits decides.
constexpr std::array kRules = {
    Rule{"not found in FROM clause", "", UnresolvedColumn},
    Rule{"does not have a column named", "", UnresolvedColumn},
    Rule{"Table \"", "not found", nullptr, StatusCode::kInvalidArgument,
         "UNRESOLVED_COLUMN.WITHOUT_SUGGESTION", "42703"},
    Rule{"Catalog \"", "does not exist", nullptr, StatusCode::kNotFound,
         "NO_SUCH_CATALOG_EXCEPTION", "42704"},
    Rule{"Table with name", "because schema", MissingTable},
    Rule{"Table with name", "does not exist", MissingTable},
    Rule{"View with name", "does not exist", MissingTable},
    Rule{"Schema with name", "does not exist", MissingSchema},
    Rule{"Table with name", "already exists", ExistingTable},
    Rule{"View with name", "already exists", ExistingTable},
    Rule{"Schema with name", "already exists", ExistingSchema},
    Rule{"Existing object", "trying to drop type", nullptr, StatusCode::kInvalidArgument,
         "EXPECT_TABLE_NOT_VIEW", "42809"},
    Rule{"Existing object", "trying to replace", nullptr, StatusCode::kAlreadyExists,
         "TABLE_OR_VIEW_ALREADY_EXISTS", "42P07"},
    Rule{"Cannot drop", "depend", nullptr, StatusCode::kInvalidArgument, "SCHEMA_NOT_EMPTY",
         "2BP01"},
    Rule{"Function with name", "does not exist", MissingFunction},
    Rule{"Division by zero", "", nullptr, StatusCode::kInvalidArgument, "DIVIDE_BY_ZERO", "22012"},
    Rule{"NOT NULL constraint failed", "", NotNullViolated},
    Rule{"Out of Range Error", "", nullptr, StatusCode::kInvalidArgument,
         "NUMERIC_VALUE_OUT_OF_RANGE", "22003"},
    Rule{"out of range for the destination type", "", nullptr, StatusCode::kInvalidArgument,
         "CAST_OVERFLOW", "22003"},
    Rule{"Conversion Error", "ould not convert string", InvalidCast},
    Rule{"Conversion Error", "", InvalidCast},
    Rule{"Ambiguous reference", "", nullptr, StatusCode::kInvalidArgument, "AMBIGUOUS_REFERENCE",
         "42704"},
    Rule{"must appear in the GROUP BY", "", nullptr, StatusCode::kInvalidArgument,
         "MISSING_AGGREGATION", "42803"},
    Rule{"values were supplied", "", nullptr, StatusCode::kInvalidArgument,
         "INSERT_COLUMN_ARITY_MISMATCH", "21S01"},
    Rule{"same number of result columns", "", nullptr, StatusCode::kInvalidArgument,
         "NUM_COLUMNS_MISMATCH", "42826"},
    Rule{"More than one row returned by a subquery", "", nullptr, StatusCode::kInvalidArgument,
         "SCALAR_SUBQUERY_TOO_MANY_ROWS", "21000"},
    Rule{"No function matches", "", nullptr, StatusCode::kInvalidArgument,
         "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "42K09"},
    Rule{"Cannot compare values of type", "", nullptr, StatusCode::kInvalidArgument,
         "DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES", "42K09"},
    Rule{"Cannot mix values of type", "", nullptr, StatusCode::kInvalidArgument,
         "DATATYPE_MISMATCH.DATA_DIFF_TYPES", "42K09"},
    Rule{"attached in read-only mode", "", nullptr, StatusCode::kUnauthorized,
         "INSUFFICIENT_PERMISSIONS", "42501"},
    Rule{"MERGE", "matched", nullptr, StatusCode::kInvalidArgument,
         "DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE", "21506"},
    Rule{"external access", "", nullptr, StatusCode::kUnauthorized, "INSUFFICIENT_PERMISSIONS",
         "42501"},
    Rule{"aggregates", "WHERE clause", nullptr, StatusCode::kInvalidArgument,
         "INVALID_WHERE_CONDITION", "42903"},
    Rule{"Not implemented Error", "", nullptr, StatusCode::kNotImplemented, "UNSUPPORTED_FEATURE",
         "0A000"},
    Rule{"Out of Memory Error", "", nullptr, StatusCode::kUnavailable, "OUT_OF_MEMORY", "53200"},
};

bool Fits(const Rule& rule, std::string_view text) {
  return text.find(rule.contains) != std::string_view::npos &&
         (rule.also.empty() || text.find(rule.also) != std::string_view::npos);
}

Translated Translate(std::string_view text) {
  const auto rule =
      std::find_if(kRules.begin(), kRules.end(), [&](const Rule& r) { return Fits(r, text); });
  if (rule == kRules.end())
    return {StatusCode::kInternal, "INTERNAL_ERROR", "XX000", Sentence(text)};
  if (rule->describe != nullptr) return rule->describe(text);
  return {rule->code, rule->error_class, rule->sqlstate, Sentence(text)};
}

std::string_view WordAt(std::string_view sql, size_t offset) {
  if (offset >= sql.size()) return {};
  const auto is_word = [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c & 0x80) != 0;
  };
  size_t end = offset;
  while (end < sql.size() && is_word(sql[end])) end += 1;
  return sql.substr(offset, std::max<size_t>(end - offset, 1));
}

}  // namespace

Status SqlError(StatusCode code, std::string_view error_class, std::string_view sqlstate,
                std::string_view text) {
  return Status(code, StrCat("[", error_class, "] ", text, ". SQLSTATE: ", sqlstate))
      .WithErrorClass(std::string(error_class))
      .WithSqlstate(std::string(sqlstate));
}

Status SqlErrorAt(StatusCode code, std::string_view error_class, std::string_view sqlstate,
                  std::string_view text, std::string_view sql, size_t offset) {
  const Place place = FindPlace(sql, offset);
  return Status(code, StrCat("[", error_class, "] ", text, ". SQLSTATE: ", sqlstate, " (line ",
                             place.line, ", pos ", place.position, ")", Marked(sql, place)))
      .WithErrorClass(std::string(error_class))
      .WithSqlstate(std::string(sqlstate));
}

Status SyntaxError(std::string_view sql, size_t offset, std::string_view near) {
  const std::string what = near.empty() ? "end of input" : StrCat("'", near, "'");
  return SqlErrorAt(StatusCode::kInvalidArgument, "PARSE_SYNTAX_ERROR", "42601",
                    StrCat("Syntax error at or near ", what), sql, offset);
}

Status Unsupported(std::string_view what) {
  return SqlError(StatusCode::kNotImplemented, "UNSUPPORTED_FEATURE", "0A000",
                  StrCat("This warehouse does not have ", what));
}

Status CatalogNotFound(std::string_view catalog) {
  return SqlError(StatusCode::kNotFound, "NO_SUCH_CATALOG_EXCEPTION", "42704",
                  StrCat("Catalog ", BacktickIdentifier(catalog), " was not found"));
}

Status SchemaNotFound(std::string_view catalog, std::string_view schema) {
  return SqlError(StatusCode::kNotFound, "SCHEMA_NOT_FOUND", "42704",
                  StrCat("The schema ", BacktickIdentifier(catalog), ".",
                         BacktickIdentifier(schema), " cannot be found"));
}

Status TableNotFound(std::string_view name) {
  return SqlError(StatusCode::kNotFound, "TABLE_OR_VIEW_NOT_FOUND", "42P01",
                  StrCat("The table or view ", name, " cannot be found"));
}

Status TableAlreadyExists(std::string_view name) {
  return SqlError(StatusCode::kAlreadyExists, "TABLE_OR_VIEW_ALREADY_EXISTS", "42P07",
                  StrCat("Cannot create table or view ", name, " because it already exists"));
}

Status FromEngineError(std::string_view engine_text, std::string_view client_sql,
                       std::string_view engine_sql, const SourcePosition& position) {
  if (engine_text.find("INTERRUPT") != std::string_view::npos) {
    return SqlError(StatusCode::kCancelled, "OPERATION_CANCELED", "HY008",
                    "The statement was cancelled");
  }
  const std::optional<size_t> engine_offset = EngineOffset(engine_text, engine_sql);
  const bool syntax = engine_text.find("Parser Error") != std::string_view::npos;
  if (syntax && !engine_offset) return SyntaxError(client_sql, client_sql.size(), {});
  if (syntax) {
    const size_t offset = position(*engine_offset);
    return SyntaxError(client_sql, offset, WordAt(client_sql, offset));
  }
  const Translated translated = Translate(engine_text);
  if (!engine_offset) {
    return SqlError(translated.code, translated.error_class, translated.sqlstate, translated.text);
  }
  const Place place = FindPlace(client_sql, position(*engine_offset));
  return Status(translated.code, StrCat("[", translated.error_class, "] ", translated.text,
                                        ". SQLSTATE: ", translated.sqlstate, "; line ", place.line,
                                        " pos ", place.position))
      .WithErrorClass(std::string(translated.error_class))
      .WithSqlstate(std::string(translated.sqlstate));
}

}  // namespace dbx::local
