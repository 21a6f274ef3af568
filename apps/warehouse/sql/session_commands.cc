// SPDX-License-Identifier: Apache-2.0
// USE, SET and RESET.
#include <algorithm>

#include "base/str_cat.h"
#include "sql/errors.h"
#include "sql/interval.h"
#include "sql/sql_text.h"
#include "sql/statement_handlers.h"

namespace dbx::local {
namespace {

std::vector<ResultColumn> KeyValueColumns() {
  return {TextColumn("key"), TextColumn("value")};
}

/// The text of the tokens [begin, end) as it is written, without quotes around the whole.
std::string WrittenText(const StatementRun& run, size_t begin) {
  const Tokens& tokens = run.tokens();
  if (begin >= run.end()) return {};
  if (begin + 1 == run.end() && !tokens[begin].value.empty() &&
      tokens[begin].kind != TokenKind::kNumber) {
    return tokens[begin].value;
  }
  const Token& last = tokens[run.end() - 1];
  const size_t start = tokens[begin].offset;
  return run.context().sql.substr(start, last.offset + last.text.size() - start);
}

/// The name of a setting, `a.b.c`; moves `*at` behind it.
std::string ReadKey(const StatementRun& run, size_t* at) {
  std::string key;
  const Tokens& tokens = run.tokens();
  while (*at < run.end() &&
         (tokens[*at].IsIdentifier() || tokens[*at].IsOperator(".") ||
          tokens[*at].IsOperator("-") || tokens[*at].kind == TokenKind::kNumber)) {
    key += tokens[*at].value.empty() ? tokens[*at].text : tokens[*at].value;
    *at += 1;
  }
  return key;
}

/// SET TIME ZONE LOCAL | 'zone' | INTERVAL '8' HOUR
Result<SqlResult> SetTimeZone(StatementRun& run, size_t at) {
  std::string zone = run.At(at, "LOCAL") ? "Etc/UTC" : WrittenText(run, at);
  if (run.At(at, "INTERVAL")) {
    const std::optional<IntervalLiteral> offset = ParseInterval(run.tokens(), &at);
    if (!offset) return run.SyntaxErrorAt(at);
    const int64_t minutes = offset->microseconds / 60'000'000;
    const std::string hours = std::to_string(std::abs(minutes) / 60);
    const std::string rest = std::to_string(std::abs(minutes) % 60);
    zone = StrCat(minutes < 0 ? "-" : "+", hours.size() < 2 ? "0" : "", hours, ":",
                  rest.size() < 2 ? "0" : "", rest);
  }
  RETURN_IF_ERROR(run.session().SetConf("timezone", zone));
  return RowsResult(StatementKind::kMetadata, KeyValueColumns(), {{std::string("timezone"), zone}});
}

Result<SqlResult> ListConfs(StatementRun& run) {
  std::vector<Row> rows;
  for (const auto& [key, value] : run.session().confs()) rows.push_back({key, value});
  return RowsResult(StatementKind::kMetadata, KeyValueColumns(), std::move(rows));
}

}  // namespace

/// USE [CATALOG | SCHEMA | DATABASE] x, USE c.s
Result<SqlResult> RunUse(StatementRun& run) {
  size_t at = 1;
  const bool catalog = run.At(at, "CATALOG") && at + 1 < run.end();
  if (catalog || ((run.At(at, "SCHEMA") || run.At(at, "DATABASE")) && at + 1 < run.end())) at += 1;
  std::vector<std::string> parts;
  if (run.tokens()[at].kind == TokenKind::kString && catalog) {
    parts.push_back(run.tokens()[at].value);
    at += 1;
  } else {
    ASSIGN_OR_RETURN(parts, run.ReadName(&at, 2));
  }
  if (at != run.end()) return run.SyntaxErrorAt(at);
  SessionState& session = run.session();
  if (catalog) {
    if (parts.size() != 1) return run.SyntaxErrorAt(2);
    RETURN_IF_ERROR(session.Use(parts[0], "default"));
  } else if (parts.size() == 2) {
    RETURN_IF_ERROR(session.Use(parts[0], parts[1]));
  } else {
    RETURN_IF_ERROR(session.Use(session.catalog(), parts[0]));
  }
  return DoneResult();
}

/// SET, SET k, SET k = v, SET TIME ZONE z, SET CATALOG c
Result<SqlResult> RunSet(StatementRun& run) {
  size_t at = 1;
  if (at == run.end() || run.At(at, "-")) return ListConfs(run);
  if (run.At(1, "TIME") && run.At(2, "ZONE")) return SetTimeZone(run, 3);
  if (run.At(1, "CATALOG") && run.end() == 3) {
    RETURN_IF_ERROR(run.session().Use(run.tokens()[2].value, "default"));
    return DoneResult();
  }
  const std::string key = ReadKey(run, &at);
  if (key.empty() || key == "-v") return ListConfs(run);
  if (at == run.end()) {
    const std::string value = run.session().FindConf(key).value_or("<undefined>");
    return RowsResult(StatementKind::kMetadata, KeyValueColumns(), {{key, value}});
  }
  if (!run.tokens()[at].IsOperator("=")) return run.SyntaxErrorAt(at);
  const std::string value = WrittenText(run, at + 1);
  RETURN_IF_ERROR(run.session().SetConf(key, value));
  return RowsResult(StatementKind::kMetadata, KeyValueColumns(), {{key, value}});
}

Result<SqlResult> RunReset(StatementRun& run) {
  size_t at = 1;
  run.session().ResetConf(ReadKey(run, &at));
  return DoneResult();
}

}  // namespace dbx::local
