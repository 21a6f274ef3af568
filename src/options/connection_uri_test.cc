// SPDX-License-Identifier: Apache-2.0
#include "options/connection_uri.h"

#include <gtest/gtest.h>

#include <map>

namespace dbx {
namespace {

std::map<std::string, std::string> Options(const ConnectionUri& uri) {
  return {uri.options.begin(), uri.options.end()};
}

TEST(ConnectionUri, TakesTheUsualFormApart) {
  const Result<ConnectionUri> uri = ParseConnectionUri(
      "databricks://token:dapi%2F1@h.example:8443/sql/1.0/warehouses/ab?catalog=main&schema=a+b");
  ASSERT_TRUE(uri.ok());
  EXPECT_TRUE(uri->tls);
  const std::map<std::string, std::string> expected{
      {"databricks.access_token", "dapi/1"},
      {"databricks.server_hostname", "h.example"},
      {"databricks.port", "8443"},
      {"databricks.http_path", "/sql/1.0/warehouses/ab"},
      {"catalog", "main"},
      {"schema", "a b"}};
  EXPECT_EQ(Options(*uri), expected);
}

TEST(ConnectionUri, KnowsPlainHttp) {
  const Result<ConnectionUri> uri =
      ParseConnectionUri("http://127.0.0.1:5000/sql/1.0/warehouses/ab");
  ASSERT_TRUE(uri.ok());
  EXPECT_FALSE(uri->tls);
  EXPECT_EQ(Options(*uri).at("databricks.port"), "5000");
  EXPECT_FALSE(ParseConnectionUri("databricks+http://localhost:1/x")->tls);
  EXPECT_FALSE(ParseConnectionUri("databricks:http://localhost:1/x")->tls);
  EXPECT_EQ(Options(*ParseConnectionUri("http://localhost/x")).at("databricks.port"), "80");
}

TEST(ConnectionUri, TakesIpv6HostsAndMissingSchemes) {
  EXPECT_EQ(Options(*ParseConnectionUri("https://[::1]:8443/p")).at("databricks.server_hostname"),
            "[::1]");
  EXPECT_EQ(Options(*ParseConnectionUri("h.example:443/p")).at("databricks.port"), "443");
  EXPECT_EQ(Options(*ParseConnectionUri("databricks:h.example/p")).at("databricks.server_hostname"),
            "h.example");
}

TEST(ConnectionUri, TakesJdbcUrls) {
  const Result<ConnectionUri> uri = ParseConnectionUri(
      "jdbc:databricks://h.example:443/default;transportMode=http;ssl=1;httpPath=/sql/1.0/"
      "warehouses/ab;AuthMech=3;PWD=t");
  ASSERT_TRUE(uri.ok());
  EXPECT_EQ(Options(*uri).at("databricks.http_path"), "/sql/1.0/warehouses/ab");
  EXPECT_EQ(Options(*uri).at("databricks.access_token"), "t");
  EXPECT_EQ(Options(*uri).at("databricks.schema"), "default");
}

TEST(ConnectionUri, NeverRepeatsItselfInAnError) {
  for (const char* const text :
       {"ftp://token:dapi-secret@h/p", "databricks://admin:dapi-secret@h/p",
        "databricks://token:dapi-secret@:443/p", "databricks://token:dapi-secret@h:99999/p",
        "databricks://token:dapi-secret@h/p?=x", "databricks://"}) {
    const Result<ConnectionUri> uri = ParseConnectionUri(text);
    ASSERT_FALSE(uri.ok()) << text;
    EXPECT_EQ(uri.status().code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(uri.status().message().find("dapi-secret"), std::string::npos)
        << uri.status().message();
  }
}

}  // namespace
}  // namespace dbx
