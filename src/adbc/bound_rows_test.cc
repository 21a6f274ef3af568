// SPDX-License-Identifier: Apache-2.0
#include "adbc/bound_rows.h"

#include <gtest/gtest.h>

namespace dbx {
namespace {

BoundValue Parameter(std::string type, std::string value) {
  return {.parameter = {std::move(type), std::move(value)}, .literal = {}};
}

BoundValue Literal(std::string text) {
  return {.parameter = {}, .literal = std::move(text)};
}

Status Bind(std::string_view sql, const std::vector<std::string>& names,
            std::vector<BoundValue> values, StatementRequest* request) {
  return BindRowByName(sql, FindParameterMarkers(sql), names, std::move(values), request);
}

TEST(BindRowByName, NamesParametersAndPutsLiteralsInPlace) {
  StatementRequest request;
  ASSERT_TRUE(Bind("SELECT :a, :blob, ':blob', :a + 1, :blob", {"blob", "a"},
                   {Literal("X'00'"), Parameter("INT", "6")}, &request)
                  .ok());
  EXPECT_EQ(request.sql, "SELECT :a, X'00', ':blob', :a + 1, X'00'");
  ASSERT_EQ(request.parameters.size(), 1U);
  EXPECT_EQ(request.parameters[0].name, "a");
  EXPECT_EQ(request.parameters[0].type, "INT");
  EXPECT_EQ(request.parameters[0].value, "6");
}

TEST(BindRowByName, SaysWhichNameHasNoPartner) {
  StatementRequest request;
  const Status no_column = Bind("SELECT :a, :b", {"a"}, {Parameter("INT", "1")}, &request);
  EXPECT_EQ(no_column.code(), StatusCode::kInvalidArgument);
  EXPECT_NE(no_column.message().find(":b"), std::string::npos);
  const Status no_marker =
      Bind("SELECT :a", {"a", "c"}, {Parameter("INT", "1"), Parameter("INT", "2")}, &request);
  EXPECT_NE(no_marker.message().find(":c"), std::string::npos);
  EXPECT_FALSE(
      Bind("SELECT :a", {"a", "a"}, {Parameter("INT", "1"), Parameter("INT", "2")}, &request).ok());
  EXPECT_TRUE(request.parameters.empty());
}

}  // namespace
}  // namespace dbx
