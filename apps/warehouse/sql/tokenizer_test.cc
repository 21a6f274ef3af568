// SPDX-License-Identifier: Apache-2.0
#include "sql/tokenizer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dbx::local {
namespace {

std::vector<std::string> Values(std::string_view sql) {
  const Result<Tokens> tokens = Tokenize(sql);
  if (!tokens.ok()) return {tokens.status().error_class()};
  std::vector<std::string> values;
  for (const Token& token : *tokens) {
    if (token.kind == TokenKind::kEnd) break;
    values.push_back(token.value.empty() ? token.text : token.value);
  }
  return values;
}

TEST(Tokenizer, SkipsCommentsOfBothKindsAlsoNested) {
  EXPECT_EQ(Values("-- one\nSELECT /* a /* b */ c */ 1 --end"),
            (std::vector<std::string>{"SELECT", "1"}));
}

TEST(Tokenizer, DecodesStrings) {
  EXPECT_EQ(Values(R"('it\'s')"), std::vector<std::string>{"it's"});
  EXPECT_EQ(Values("'it''s'"), std::vector<std::string>{"it's"});
  EXPECT_EQ(Values(R"("double 'quoted'")"), std::vector<std::string>{"double 'quoted'"});
  EXPECT_EQ(Values(R"('a\nb\u00e9')"), std::vector<std::string>{"a\nb\xC3\xA9"});
  EXPECT_EQ(Values(R"(r'a\nb')"), std::vector<std::string>{"a\\nb"});
  EXPECT_EQ(Values(R"('50\%')"), std::vector<std::string>{"50\\%"});
}

TEST(Tokenizer, ReadsIdentifiersInBackticks) {
  const Result<Tokens> tokens = Tokenize("`a``b`.`select`");
  ASSERT_TRUE(tokens.ok());
  EXPECT_EQ((*tokens)[0].value, "a`b");
  EXPECT_EQ((*tokens)[0].kind, TokenKind::kQuotedWord);
  EXPECT_FALSE((*tokens)[2].Is("SELECT"));
}

TEST(Tokenizer, ReadsNumbersWithSuffixes) {
  const Result<Tokens> tokens = Tokenize("1L 1.5BD .5 2e-3D 1.x 3..4");
  ASSERT_TRUE(tokens.ok());
  EXPECT_EQ((*tokens)[0].text, "1L");
  EXPECT_EQ((*tokens)[0].value, "1");
  EXPECT_EQ((*tokens)[1].value, "1.5");
  EXPECT_EQ((*tokens)[2].value, ".5");
  EXPECT_EQ((*tokens)[3].value, "2e-3");
  EXPECT_EQ((*tokens)[4].value, "1");
}

TEST(Tokenizer, TellsMarkersFromPaths) {
  const Result<Tokens> tokens = Tokenize("? :name :`a b` v:path x::int");
  ASSERT_TRUE(tokens.ok());
  EXPECT_EQ((*tokens)[0].kind, TokenKind::kMarker);
  EXPECT_EQ((*tokens)[1].value, "name");
  EXPECT_EQ((*tokens)[2].value, "a b");
  EXPECT_TRUE((*tokens)[4].IsOperator(":"));
  EXPECT_TRUE((*tokens)[7].IsOperator("::"));
}

TEST(Tokenizer, ReadsBinaryLiterals) {
  const Result<Tokens> tokens = Tokenize("X'0Fa'");
  ASSERT_TRUE(tokens.ok());
  EXPECT_EQ((*tokens)[0].value, "00Fa");
}

TEST(Tokenizer, ClosesTypeArgumentsOneByOne) {
  EXPECT_EQ(Values("ARRAY<ARRAY<INT>>"),
            (std::vector<std::string>{"ARRAY", "<", "ARRAY", "<", "INT", ">", ">"}));
}

TEST(Tokenizer, RefusesWhatDoesNotEnd) {
  for (const std::string_view sql :
       {"SELECT 'abc", "SELECT `abc", "SELECT /* abc", "SELECT X'0", "SELECT \x01"}) {
    EXPECT_EQ(Values(sql), std::vector<std::string>{"PARSE_SYNTAX_ERROR"}) << sql;
  }
}

TEST(Tokenizer, FindsTheClosingBracket) {
  const Result<Tokens> tokens = Tokenize("(a(b)[c]) d");
  ASSERT_TRUE(tokens.ok());
  EXPECT_EQ(FindClosing(*tokens, 0), 8U);
  const Result<Tokens> open = Tokenize("(a(b)");
  EXPECT_EQ(FindClosing(*open, 0), open->size() - 1);
}

}  // namespace
}  // namespace dbx::local
