// SPDX-License-Identifier: Apache-2.0
#include "metadata/table_schema.h"

#include <gtest/gtest.h>

#include "metadata/testing/fake_session.h"

namespace dbx {
namespace {

class TableSchemaTest : public testing::Test {
 protected:
  std::string LastSql() const {
    MutexLock lock(record_->mutex);
    return record_->requests.back().sql;
  }

  const std::shared_ptr<FakeSessionRecord> record_ = std::make_shared<FakeSessionRecord>();
  Status failure_;
  FakeSession session_{[this](const StatementRequest&, Cancellation*) -> Result<Execution> {
                         if (!failure_.ok()) return failure_;
                         return Int64Result("id", {});
                       },
                       record_};
};

TEST_F(TableSchemaTest, AsksForNoRowsOfTheQuotedName) {
  const auto schema = FetchTableSchema(session_, {"main", "s", "a`b"}, nullptr);
  ASSERT_TRUE(schema.ok());
  EXPECT_EQ((*schema)->column_name(0), "id");
  EXPECT_EQ(LastSql(), "SELECT * FROM `main`.`s`.`a``b` LIMIT 0");
}

TEST_F(TableSchemaTest, LeavesOutWhatIsNotGiven) {
  EXPECT_EQ(QuoteTableName({"", "", "t"}, session_), "`t`");
  EXPECT_EQ(QuoteTableName({"", "s", "t"}, session_), "`s`.`t`");
}

TEST_F(TableSchemaTest, TakesTheSessionsSchemaForACatalogAlone) {
  EXPECT_EQ(QuoteTableName({"main", "", "t"}, session_), "`main`.`default`.`t`");
}

TEST_F(TableSchemaTest, KeepsCodeAndSqlstateOfAMissingTable) {
  failure_ = Status::NotFound("no table").WithSqlstate("42P01");
  const Status status = FetchTableSchema(session_, {"", "", "t"}, nullptr).status();
  EXPECT_EQ(status.code(), StatusCode::kNotFound);
  EXPECT_EQ(status.sqlstate(), "42P01");
}

TEST_F(TableSchemaTest, WantsATable) {
  EXPECT_EQ(FetchTableSchema(session_, {"main", "s", ""}, nullptr).status().code(),
            StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace dbx
