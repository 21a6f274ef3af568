// SPDX-License-Identifier: Apache-2.0
#include "adbc/parameter_markers.h"

#include <gtest/gtest.h>

namespace dbx {
namespace {

size_t Count(std::string_view sql) {
  return FindParameterMarkers(sql).offsets.size();
}

TEST(ParameterMarkers, StandInCodeAlone) {
  EXPECT_EQ(Count("SELECT ?, ?"), 2U);
  EXPECT_EQ(Count("SELECT '?', \"?\", `?`, ?"), 1U);
  EXPECT_EQ(Count("SELECT 'it''s ?', 'a\\'?', ?"), 1U);
  EXPECT_EQ(Count("SELECT ? -- ?\n, ?"), 2U);
  EXPECT_EQ(Count("SELECT /* ? /* ? */ ? */ ?"), 1U);
  EXPECT_EQ(Count("SELECT '? unfinished"), 0U);
  EXPECT_EQ(Count("SELECT 1 /* ?"), 0U);
  EXPECT_EQ(Count("SELECT `a``?`, ?"), 1U);
  EXPECT_EQ(Count(""), 0U);
}

TEST(ParameterMarkers, HaveTheirPlace) {
  EXPECT_EQ(FindParameterMarkers("a ? 'é' ?").offsets, (std::vector<size_t>{2, 9}));
}

TEST(ParameterMarkers, AreUncertainBeforeTwoColons) {
  EXPECT_TRUE(FindParameterMarkers("SELECT a?::INT").uncertain);
  EXPECT_FALSE(FindParameterMarkers("SELECT '?::', ?").uncertain);
}

TEST(ParameterMarkers, MayHaveNames) {
  const auto names = [](std::string_view sql) {
    std::string text;
    for (const auto& marker : FindParameterMarkers(sql).named) {
      EXPECT_EQ(sql[marker.offset], ':');
      text += marker.name + " ";
    }
    return text;
  };
  EXPECT_EQ(names("SELECT :a, (:b_2),:a"), "a b_2 a ");
  EXPECT_EQ(names("SELECT v:field, v[0]:field, f(v):field, x::INT, ':no', -- :no\n :yes"), "yes ");
  EXPECT_EQ(names("SELECT :1, : a, :"), "");
}

TEST(StatementEnd, LosesSemicolonsAndWhiteSpace) {
  EXPECT_EQ(TrimStatementEnd("SELECT 1;; ;\n"), "SELECT 1");
  EXPECT_EQ(TrimStatementEnd("SELECT ';'"), "SELECT ';'");
  EXPECT_EQ(TrimStatementEnd(" ; "), " ; ");
}

TEST(LooksLikeQuery, GoesByTheFirstWord) {
  EXPECT_TRUE(LooksLikeQuery("select 1"));
  EXPECT_TRUE(LooksLikeQuery(" -- note\n/* x */ ((SELECT 1))"));
  EXPECT_TRUE(LooksLikeQuery("WITH a AS (SELECT 1) SELECT * FROM a"));
  EXPECT_TRUE(LooksLikeQuery("SHOW TABLES"));
  EXPECT_FALSE(LooksLikeQuery("INSERT INTO t VALUES (?)"));
  EXPECT_FALSE(LooksLikeQuery("selected"));
  EXPECT_FALSE(LooksLikeQuery(""));
  EXPECT_FALSE(LooksLikeQuery("-- nothing"));
}

}  // namespace
}  // namespace dbx
