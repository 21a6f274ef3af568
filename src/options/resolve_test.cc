// SPDX-License-Identifier: Apache-2.0
#include "options/resolve.h"

#include <gtest/gtest.h>

#include <map>

#include "base/str_cat.h"

namespace dbx {
namespace {

class ResolveTest : public testing::Test {
 protected:
  Result<Config> Resolve() {
    OptionSources sources;
    sources.environment = [this](const std::string& name) -> std::optional<std::string> {
      const auto found = environment_.find(name);
      return found == environment_.end() ? std::nullopt : std::optional(found->second);
    };
    sources.read_file = [this](const std::string& path) -> Result<std::string> {
      const auto found = files_.find(path);
      if (found == files_.end()) return Status::InvalidArgument(StrCat("no file ", path));
      return found->second;
    };
    const OptionSet* const sets[] = {&database_, &connection_, &statement_};
    return ResolveConfig(sets, sources);
  }

  OptionSet database_{OptionScope::kDatabase};
  OptionSet connection_{OptionScope::kConnection, &database_};
  OptionSet statement_{OptionScope::kStatement, &connection_};
  std::map<std::string, std::string> environment_;
  std::map<std::string, std::string> files_;
};

TEST_F(ResolveTest, ReadsAUriWithOptions) {
  ASSERT_TRUE(
      database_
          .Set("uri",
               "databricks://token:t@h.example:8443/sql/1.0/warehouses/ab?o=7&catalog=main&"
               "databricks.cloudfetch.parallel_downloads=4&databricks.session.ansi_mode=true")
          .ok());
  const Result<Config> config = Resolve();
  ASSERT_TRUE(config.ok()) << config.status().ToString();
  EXPECT_EQ(config->endpoint.host, "h.example");
  EXPECT_EQ(config->endpoint.port, 8443);
  EXPECT_EQ(config->endpoint.http_path, "/sql/1.0/warehouses/ab");
  EXPECT_EQ(config->endpoint.warehouse_id, "ab");
  EXPECT_EQ(config->endpoint.org_id, "7");
  EXPECT_EQ(config->auth.access_token.Reveal(), "t");
  EXPECT_EQ(config->session.catalog, "main");
  EXPECT_EQ(config->cloudfetch.parallel_downloads, 4);
  EXPECT_EQ(config->session.settings.at("ansi_mode"), "true");
}

TEST_F(ResolveTest, PrefersExplicitThenUriThenEnvironmentThenProfile) {
  environment_ = {{"HOME", "/home/u"},
                  {"DATABRICKS_HOST", "https://env.example"},
                  {"DATABRICKS_TOKEN", "env"},
                  {"DATABRICKS_WAREHOUSE_ID", "env"},
                  {"DATABRICKS_CONFIG_PROFILE", "p"}};
  files_["/home/u/.databrickscfg"] =
      "[p]\nhost=https://profile.example\ntoken=profile\nclient_id=c\noauth_client_id=id\n";
  Result<Config> config = Resolve();
  ASSERT_TRUE(config.ok()) << config.status().ToString();
  EXPECT_EQ(config->endpoint.host, "env.example");
  EXPECT_EQ(config->auth.client_id, "id");
  ASSERT_TRUE(database_.Set("uri", "databricks://uri.example/sql/1.0/warehouses/uri").ok());
  EXPECT_EQ(Resolve()->endpoint.host, "uri.example");
  EXPECT_EQ(Resolve()->auth.access_token.Reveal(), "env");
  ASSERT_TRUE(database_.Set("databricks.server_hostname", "explicit.example").ok());
  EXPECT_EQ(Resolve()->endpoint.host, "explicit.example");
}

TEST_F(ResolveTest, PrefersTheInnermostHandle) {
  ASSERT_TRUE(database_.Set("uri", "databricks://token:t@h/sql/1.0/warehouses/ab").ok());
  ASSERT_TRUE(database_.Set("databricks.cloudfetch.prefetch_count", "2").ok());
  ASSERT_TRUE(statement_.Set("databricks.cloudfetch.prefetch_count", "8").ok());
  EXPECT_EQ(Resolve()->cloudfetch.prefetch_count, 8);
}

TEST_F(ResolveTest, TakesHostsWithSchemeAndPort) {
  ASSERT_TRUE(database_.Set("databricks.server_hostname", "http://127.0.0.1:5000/").ok());
  ASSERT_TRUE(database_.Set("databricks.warehouse_id", "ab").ok());
  const Result<Config> config = Resolve();
  ASSERT_TRUE(config.ok()) << config.status().ToString();
  EXPECT_FALSE(config->endpoint.tls);
  EXPECT_EQ(config->endpoint.port, 5000);
  EXPECT_EQ(config->endpoint.host, "127.0.0.1");
}

TEST_F(ResolveTest, KnowsClusters) {
  ASSERT_TRUE(database_.Set("uri", "https://h/sql/protocolv1/o/123/0-1-x").ok());
  EXPECT_TRUE(Resolve()->endpoint.is_cluster());
  EXPECT_EQ(Resolve()->endpoint.org_id, "123");
}

TEST_F(ResolveTest, SaysWhatIsMissing) {
  EXPECT_NE(Resolve().status().message().find("databricks.server_hostname"), std::string::npos);
  ASSERT_TRUE(database_.Set("databricks.server_hostname", "h").ok());
  EXPECT_NE(Resolve().status().message().find("databricks.warehouse_id"), std::string::npos);
}

TEST_F(ResolveTest, RefusesContradictionsAndUnknownUriParameters) {
  ASSERT_TRUE(database_.Set("uri", "databricks://h/sql/1.0/warehouses/ab?warehouse_id=cd").ok());
  EXPECT_NE(Resolve().status().message().find("contradicts"), std::string::npos);
  ASSERT_TRUE(database_.Set("uri", "databricks://h/sql/1.0/warehouses/ab?catalgo=main").ok());
  EXPECT_NE(Resolve().status().message().find("catalgo"), std::string::npos);
}

TEST_F(ResolveTest, LetsPlaintextGoToTheLoopbackOnly) {
  ASSERT_TRUE(database_.Set("uri", "http://token:t@h.example/sql/1.0/warehouses/ab").ok());
  EXPECT_EQ(Resolve().status().code(), StatusCode::kInvalidArgument);
  ASSERT_TRUE(database_.Set("databricks.http.allow_plaintext", "true").ok());
  EXPECT_TRUE(Resolve().ok());
}

}  // namespace
}  // namespace dbx
