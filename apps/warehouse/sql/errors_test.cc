// SPDX-License-Identifier: Apache-2.0
#include "sql/errors.h"

#include <gtest/gtest.h>

namespace dbx::local {
namespace {

Status FromEngine(std::string_view text, std::string_view client = "SELECT x",
                  std::string_view engine = "SELECT x") {
  return FromEngineError(text, client, engine, [](size_t offset) { return offset; });
}

TEST(Errors, SyntaxErrorsShowTheStatementAndThePlace) {
  const Status error = SyntaxError("SELECT 1,\n  FRM t\nx", 12, "FRM");
  EXPECT_EQ(
      error.message(),
      "[PARSE_SYNTAX_ERROR] Syntax error at or near 'FRM'. SQLSTATE: 42601 (line 2, pos 2)\n\n"
      "== SQL ==\nSELECT 1,\n  FRM t\n--^^^\nx");
  EXPECT_EQ(error.sqlstate(), "42601");
  EXPECT_EQ(error.error_class(), "PARSE_SYNTAX_ERROR");
  EXPECT_EQ(error.code(), StatusCode::kInvalidArgument);
}

TEST(Errors, EngineSyntaxErrorsPointToTheClientsWord) {
  const Status error = FromEngine(
      "Parser Error: syntax error at or near \"x\"\n\nLINE 1: SELECT x\n               ^");
  EXPECT_NE(error.message().find("near 'x'. SQLSTATE: 42601 (line 1, pos 7)"), std::string::npos)
      << error.message();
}

TEST(Errors, KnowTheirClassAndState) {
  struct Known {
    std::string_view text, error_class, sqlstate;
    StatusCode code;
  };
  const Known known[] = {
      {"Catalog Error: Table with name t does not exist!", "TABLE_OR_VIEW_NOT_FOUND", "42P01",
       StatusCode::kNotFound},
      {"Binder Error: Referenced column \"a\" not found in FROM clause!\nCandidate bindings: \"b\"",
       "UNRESOLVED_COLUMN.WITH_SUGGESTION", "42703", StatusCode::kInvalidArgument},
      {"Binder Error: Referenced column \"a\" not found in FROM clause!",
       "UNRESOLVED_COLUMN.WITHOUT_SUGGESTION", "42703", StatusCode::kInvalidArgument},
      {"Catalog Error: Schema with name u does not exist!", "SCHEMA_NOT_FOUND", "42704",
       StatusCode::kNotFound},
      {"Binder Error: Catalog \"n\" does not exist!", "NO_SUCH_CATALOG_EXCEPTION", "42704",
       StatusCode::kNotFound},
      {"Catalog Error: Table with name \"t\" already exists!", "TABLE_OR_VIEW_ALREADY_EXISTS",
       "42P07", StatusCode::kAlreadyExists},
      {"Conversion Error: Could not convert string 'x' to INT32", "CAST_INVALID_INPUT", "22018",
       StatusCode::kInvalidArgument},
      {"Invalid Input Error: Division by zero", "DIVIDE_BY_ZERO", "22012",
       StatusCode::kInvalidArgument},
      {"Out of Range Error: Overflow in addition", "NUMERIC_VALUE_OUT_OF_RANGE", "22003",
       StatusCode::kInvalidArgument},
      {"Constraint Error: NOT NULL constraint failed: t.id", "DELTA_NOT_NULL_CONSTRAINT_VIOLATED",
       "23502", StatusCode::kInvalidArgument},
      {"Binder Error: No function matches the given name and argument types 'sum(VARCHAR)'.",
       "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "42K09", StatusCode::kInvalidArgument},
      {"INTERRUPT Error: Interrupted!", "OPERATION_CANCELED", "HY008", StatusCode::kCancelled},
      {"Strange Error: whatever", "INTERNAL_ERROR", "XX000", StatusCode::kInternal},
  };
  for (const Known& item : known) {
    const Status error = FromEngine(item.text);
    EXPECT_EQ(error.error_class(), item.error_class) << item.text;
    EXPECT_EQ(error.sqlstate(), item.sqlstate) << item.text;
    EXPECT_EQ(error.code(), item.code) << item.text;
    EXPECT_TRUE(error.message().starts_with("[" + std::string(item.error_class) + "]"))
        << error.message();
  }
}

TEST(Errors, NameNoCatalogOfTheEngine) {
  const Status error = FromEngine("Binder Error: Catalog Error in c_main.default.t");
  EXPECT_EQ(error.message().find("c_main"), std::string::npos) << error.message();
}

TEST(Errors, SurviveExcerptsThatFitNothing) {
  for (const std::string_view text :
       {"Parser Error: x\n\nLINE 1: ...zzz...\n   ^", "Parser Error: x\n\nLINE 1",
        "Parser Error: x\n\nLINE 1: ..\n^", ""}) {
    EXPECT_FALSE(FromEngine(text).ok());
  }
}

}  // namespace
}  // namespace dbx::local
