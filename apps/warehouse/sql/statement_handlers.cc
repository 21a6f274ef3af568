// SPDX-License-Identifier: Apache-2.0
#include "sql/statement_handlers.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace dbx::local {
namespace {

struct FirstWord {
  std::string_view word;
  Result<SqlResult> (*run)(StatementRun& run);
};

constexpr std::array<FirstWord, 34> kFirstWords = {{
    {"SELECT", RunQuery},
    {"WITH", RunQuery},
    {"VALUES", RunQuery},
    {"FROM", RunQuery},
    {"TABLE", RunQuery},
    {"EXPLAIN", RunExplain},
    {"INSERT", RunInsert},
    {"UPDATE", RunUpdateOrDelete},
    {"DELETE", RunUpdateOrDelete},
    {"MERGE", RunMerge},
    {"TRUNCATE", RunTruncate},
    {"CREATE", RunCreate},
    {"REPLACE", RunCreate},
    {"ALTER", RunAlter},
    {"DROP", RunDrop},
    {"COMMENT", RunComment},
    {"OPTIMIZE", RunOptimize},
    {"VACUUM", RunVacuum},
    {"ANALYZE", RunNothing},
    {"REFRESH", RunNothing},
    {"CACHE", RunNothing},
    {"UNCACHE", RunNothing},
    {"CLEAR", RunNothing},
    {"MSCK", RunNothing},
    {"GRANT", RunNothing},
    {"REVOKE", RunNothing},
    {"USE", RunUse},
    {"SET", RunSet},
    {"RESET", RunReset},
    {"SHOW", RunShow},
    {"LIST", RunList},
    {"DESCRIBE", RunDescribe},
    {"DESC", RunDescribe},
    {"COMMIT", RunNothing},
}};

}  // namespace

Result<SqlResult> RunStatement(StatementRun& run) {
  if (run.tokens()[0].IsOperator("(")) return RunQuery(run);
  const auto row = std::find_if(kFirstWords.begin(), kFirstWords.end(),
                                [&](const FirstWord& first) { return run.At(0, first.word); });
  if (row == kFirstWords.end()) return run.SyntaxErrorAt(0);
  return row->run(run);
}

}  // namespace dbx::local
