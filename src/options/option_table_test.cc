// SPDX-License-Identifier: Apache-2.0
#include "options/option_table.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "base/str_cat.h"
#include "options/option_set.h"

namespace dbx {
namespace {

TEST(OptionTable, HasEachNameOnce) {
  std::set<std::string_view> names;
  for (const OptionRow& row : OptionTable()) {
    EXPECT_TRUE(names.insert(row.key).second) << row.key;
    for (const OptionAlias& alias : row.aliases)
      EXPECT_TRUE(names.insert(alias.name).second) << alias.name;
  }
}

TEST(OptionTable, HasAMeaningAndAnEffectForEachRow) {
  for (const OptionRow& row : OptionTable()) {
    EXPECT_FALSE(row.meaning.empty()) << row.key;
    EXPECT_NE(row.apply, nullptr) << row.key;
  }
}

TEST(OptionTable, AcceptsItsOwnDefaultsAndTheyAreThoseOfConfig) {
  Config config;
  for (const OptionRow& row : OptionTable()) {
    if (row.fallback.empty()) continue;
    Result<OptionValue> value = ParseOption(row, nullptr, row.fallback);
    ASSERT_TRUE(value.ok()) << value.status().ToString();
    ASSERT_TRUE(row.apply(*value, config).ok()) << row.key;
  }
  const Config fresh;
  EXPECT_EQ(config.cloudfetch.memory_buffer_bytes, fresh.cloudfetch.memory_buffer_bytes);
  EXPECT_EQ(config.cloudfetch.prefetch_count, fresh.cloudfetch.prefetch_count);
  EXPECT_EQ(config.cloudfetch.parallel_downloads, fresh.cloudfetch.parallel_downloads);
  EXPECT_EQ(config.cloudfetch.stall_timeout, fresh.cloudfetch.stall_timeout);
  EXPECT_EQ(config.cloudfetch.retry_budget, fresh.cloudfetch.retry_budget);
  EXPECT_EQ(config.statement.page_rows, fresh.statement.page_rows);
  EXPECT_EQ(config.statement.page_bytes, fresh.statement.page_bytes);
  EXPECT_EQ(config.statement.direct_result_rows, fresh.statement.direct_result_rows);
  EXPECT_EQ(config.statement.heartbeat_interval, fresh.statement.heartbeat_interval);
  EXPECT_EQ(config.retry.budget, fresh.retry.budget);
  EXPECT_EQ(config.http.request_timeout, fresh.http.request_timeout);
  EXPECT_EQ(config.http.tls_verify, fresh.http.tls_verify);
}

TEST(OptionTable, FindsAliasesOfOtherDrivers) {
  for (const std::string_view name :
       {"adbc.spark.host", "databricks.server_hostname",
        "adbc.databricks.cloudfetch.parallel_downloads",
        "databricks.cloudfetch.max_chunks_in_memory", "databricks.download_thread_count",
        "adbc.spark.access_token", "adbc.connection.catalog", "databricks.ssl_root_cert",
        "adbc.apache.statement.polltime_ms"}) {
    EXPECT_NE(FindOption(name), nullptr) << name;
  }
}

TEST(OptionTable, CountsAnAliasInItsOwnUnit) {
  const OptionAlias* alias = nullptr;
  const OptionRow* row = FindOption("adbc.databricks.cloudfetch.timeout_minutes", &alias);
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(ParseOption(*row, alias, "5")->number, 300'000);
  row = FindOption("adbc.databricks.http_request_timeout", &alias);
  EXPECT_EQ(ParseOption(*row, alias, "20")->number, 20'000);
}

TEST(OptionTable, KnowsTheNearestKey) {
  EXPECT_EQ(NearestOption("databricks.cloudfetch.paralel_downloads"),
            "databricks.cloudfetch.parallel_downloads");
  EXPECT_EQ(NearestOption("databricks.acces_token"), "databricks.access_token");
  EXPECT_EQ(NearestOption("completely.different.and.very.long.name"), "");
}

TEST(OptionTable, PageNamesEveryOption) {
  const std::string page = OptionsPage();
  for (const OptionRow& row : OptionTable())
    EXPECT_NE(page.find(StrCat("## `", row.key, "`")), std::string::npos);
}

TEST(OptionTable, PageInTheDocumentationIsThisOne) {
  std::ifstream file(OPTIONS_PAGE);
  ASSERT_TRUE(file) << OPTIONS_PAGE;
  std::ostringstream page;
  page << file.rdbuf();
  EXPECT_EQ(page.str(), OptionsPage()) << "write it anew by `make docs`";
}

TEST(OptionTable, ReadsQueryTagsWithEscapes) {
  Config config;
  const OptionRow* row = FindOption("databricks.query_tags");
  ASSERT_TRUE(row->apply(*ParseOption(*row, nullptr, "team:data,job:a\\:b\\,c,flag"), config).ok());
  const std::map<std::string, std::string> expected{
      {"team", "data"}, {"job", "a:b,c"}, {"flag", ""}};
  EXPECT_EQ(config.session.query_tags, expected);
}

TEST(OptionTable, TakesAProxyUrlApart) {
  Config config;
  const OptionRow* row = FindOption("databricks.http.proxy.url");
  ASSERT_TRUE(
      row->apply(*ParseOption(*row, nullptr, "http://me:p%40ss@proxy.example:3128/"), config).ok());
  EXPECT_EQ(config.http.proxy_host, "proxy.example");
  EXPECT_EQ(config.http.proxy_port, 3128);
  EXPECT_EQ(config.http.proxy_user, "me");
  EXPECT_EQ(config.http.proxy_password.Reveal(), "p@ss");
  EXPECT_FALSE(row->apply(*ParseOption(*row, nullptr, "proxy.example"), config).ok());
}

}  // namespace
}  // namespace dbx
