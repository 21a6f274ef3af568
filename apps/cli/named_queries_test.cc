// SPDX-License-Identifier: Apache-2.0
#include "named_queries.h"

#include <gtest/gtest.h>

#include <fstream>

#include "failure.h"

namespace dbx::cli {
namespace {

std::string FileWith(const std::string& text) {
  const std::string path = testing::TempDir() + "queries_" +
                           testing::UnitTest::GetInstance()->current_test_info()->name();
  std::ofstream(path) << text;
  return path;
}

constexpr const char* kThree = R"([{"name": "a", "sql": "SELECT 1", "scale": 1},
    {"name": "b", "sql": "SELECT 2", "scale": 10}, {"name": "c", "sql": "SELECT 3"}])";

std::vector<std::string> Names(const QueryChoice& choice) {
  std::vector<std::string> names;
  for (const NamedQuery& query : ReadNamedQueries(choice)) names.push_back(query.name);
  return names;
}

std::string Refusal(const QueryChoice& choice) {
  try {
    ReadNamedQueries(choice);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit(), Exit::kUsage);
    return failure.what();
  }
  return "";
}

TEST(NamedQueries, ChoosesByNameAndScale) {
  const std::string file = FileWith(kThree);
  using Texts = std::vector<std::string>;
  EXPECT_EQ(Names({.file = file}), (Texts{"a", "b", "c"}));
  EXPECT_EQ(Names({.file = file, .only = {"c", "a"}}), (Texts{"a", "c"}));
  EXPECT_EQ(Names({.file = file, .scale = 10}), (Texts{"b", "c"}));
  EXPECT_EQ(ReadNamedQueries({.file = file}).front().sql, "SELECT 1");
}

TEST(NamedQueries, SaysWhatIsWrongWithTheFileOrTheChoice) {
  const std::string file = FileWith(kThree);
  EXPECT_NE(Refusal({.file = file, .only = {"d"}}).find("--only d"), std::string::npos);
  EXPECT_NE(Refusal({.file = file, .only = {"a"}, .scale = 10}).find("no query is left"),
            std::string::npos);
  EXPECT_NE(Refusal({.file = "/nowhere/q.json"}).find("cannot read"), std::string::npos);
  EXPECT_NE(Refusal({.file = FileWith("{")}).find("not JSON"), std::string::npos);
  EXPECT_NE(Refusal({.file = FileWith(R"([{"name": "a"}])")}).find("name and sql"),
            std::string::npos);
}

}  // namespace
}  // namespace dbx::cli
