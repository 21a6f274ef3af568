// SPDX-License-Identifier: Apache-2.0
#include "table.h"

#include <gtest/gtest.h>

#include <clocale>
#include <sstream>

#include "text.h"

namespace dbx::cli {
namespace {

class TableTest : public testing::Test {
 protected:
  void SetUp() override { std::setlocale(LC_CTYPE, "C.UTF-8"); }
};

TEST_F(TableTest, AlignsColumns) {
  const Table table{{"name", "rows"}, {false, true}, {{"a", "1"}, {"größe", "1,000"}}};
  EXPECT_EQ(RenderTable(table, 0),
            "name  │  rows\n"
            "──────┼──────\n"
            "a     │     1\n"
            "größe │ 1,000\n");
}

TEST_F(TableTest, CutsToTheTerminal) {
  Table table;
  for (int i = 0; i < 30; ++i) table.headings.push_back("column_" + std::to_string(i));
  table.rows.emplace_back(30, std::string(50, 'x'));
  std::istringstream lines(RenderTable(table, 80));
  std::string line;
  std::string last;
  while (std::getline(lines, line)) {
    EXPECT_LE(DisplayWidth(line), 80) << line;
    last = line;
  }
  EXPECT_NE(last.find("more columns do not fit"), std::string::npos);
}

}  // namespace
}  // namespace dbx::cli
