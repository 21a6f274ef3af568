// SPDX-License-Identifier: Apache-2.0
#include "options/option_set.h"

#include <gtest/gtest.h>

namespace dbx {
namespace {

TEST(OptionSet, RefusesAnUnknownKeyAndNamesTheNearest) {
  OptionSet options(OptionScope::kDatabase);
  const Status status = options.Set("databricks.cloudfetch.paralel_downloads", "8");
  EXPECT_EQ(status.code(), StatusCode::kNotImplemented);
  EXPECT_NE(status.message().find("databricks.cloudfetch.parallel_downloads"), std::string::npos);
  EXPECT_EQ(options.Get("no.such.key").status().code(), StatusCode::kNotFound);
  EXPECT_EQ(options.GetInt("no.such.key").status().code(), StatusCode::kNotFound);
  EXPECT_EQ(options.SetInt("no.such.key", 1).code(), StatusCode::kNotImplemented);
  EXPECT_EQ(options.SetDouble("no.such.key", 1).code(), StatusCode::kNotImplemented);
  EXPECT_EQ(options.Unset("no.such.key").code(), StatusCode::kNotImplemented);
}

TEST(OptionSet, GivesBackWhatWasSetInAnyType) {
  OptionSet options(OptionScope::kDatabase);
  ASSERT_TRUE(options.SetInt("databricks.port", 8443).ok());
  EXPECT_EQ(*options.Get("databricks.port"), "8443");
  EXPECT_EQ(*options.GetInt("adbc.spark.port"), 8443);
  EXPECT_EQ(*options.GetDouble("port"), 8443.0);
  ASSERT_TRUE(options.SetDouble("databricks.port", 443.0).ok());
  EXPECT_EQ(*options.GetInt("databricks.port"), 443);
  EXPECT_EQ(options.SetDouble("databricks.port", 443.5).code(), StatusCode::kInvalidArgument);
}

TEST(OptionSet, AnswersWithTheDefaultUntilSet) {
  OptionSet options(OptionScope::kDatabase);
  EXPECT_EQ(*options.Get("databricks.cloudfetch.parallel_downloads"), "auto");
  EXPECT_EQ(*options.GetInt("databricks.cloudfetch.memory_buffer_size_mb"), 400);
  EXPECT_EQ(options.Get("databricks.catalog").status().code(), StatusCode::kNotFound);
  ASSERT_TRUE(options.Set("databricks.cloudfetch.memory_buffer_size_mb", "64").ok());
  EXPECT_EQ(*options.GetInt("databricks.cloudfetch.memory_buffer_size_mb"), 64);
  ASSERT_TRUE(options.Unset("databricks.cloudfetch.memory_buffer_size_mb").ok());
  EXPECT_EQ(*options.GetInt("databricks.cloudfetch.memory_buffer_size_mb"), 400);
}

TEST(OptionSet, NeverGivesASecretOut) {
  OptionSet options(OptionScope::kDatabase);
  ASSERT_TRUE(options.Set("databricks.access_token", "dapi-secret").ok());
  EXPECT_EQ(options.Get("databricks.access_token").status().code(), StatusCode::kNotFound);
  EXPECT_EQ(options.Get("password").status().message().find("dapi-secret"), std::string::npos);
  ASSERT_TRUE(options.Set("uri", "databricks://token:dapi-secret@h:443/p?clientSecret=x").ok());
  EXPECT_EQ(*options.Get("uri"), "databricks://h:443/p?[redacted]");
}

TEST(OptionSet, AsksItsParentForWhatIsNotSet) {
  OptionSet database(OptionScope::kDatabase);
  OptionSet statement(OptionScope::kStatement, &database);
  ASSERT_TRUE(database.Set("databricks.cloudfetch.prefetch_count", "4").ok());
  EXPECT_EQ(*statement.GetInt("databricks.cloudfetch.prefetch_count"), 4);
  ASSERT_TRUE(statement.Set("databricks.cloudfetch.prefetch_count", "8").ok());
  EXPECT_EQ(*statement.GetInt("databricks.cloudfetch.prefetch_count"), 8);
  EXPECT_EQ(*database.GetInt("databricks.cloudfetch.prefetch_count"), 4);
}

TEST(OptionSet, RefusesDatabaseOptionsOnLowerHandles) {
  OptionSet statement(OptionScope::kStatement);
  EXPECT_EQ(statement.Set("databricks.port", "443").code(), StatusCode::kNotImplemented);
  EXPECT_EQ(statement.Set("databricks.session.ansi_mode", "true").code(),
            StatusCode::kNotImplemented);
  OptionSet connection(OptionScope::kConnection);
  EXPECT_TRUE(connection.Set("databricks.session.ansi_mode", "true").ok());
  EXPECT_TRUE(connection.Set("adbc.connection.catalog", "main").ok());
}

TEST(OptionSet, KeepsSessionSettingsUnderOneName) {
  OptionSet options(OptionScope::kDatabase);
  ASSERT_TRUE(options.Set("adbc.databricks.ssp_timezone", "UTC").ok());
  EXPECT_EQ(*options.Get("databricks.session.timezone"), "UTC");
}

}  // namespace
}  // namespace dbx
