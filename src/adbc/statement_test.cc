// SPDX-License-Identifier: Apache-2.0
#include "adbc/statement.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "adbc/testing/fake_application.h"
#include "metadata/ready_stream.h"

namespace dbx {
namespace {

/// Echoes its parameter as a row, as `SELECT ?` would; INSERT changes one row.
Result<Execution> Echo(const StatementRequest& request, Cancellation*) {
  if (request.parameters.empty()) return Int64Result("n", {{1, 2}, {3}});
  const int64_t value = std::stoll(request.parameters[0].value.value_or("0"));
  Execution execution = Int64Result("n", {{value}});
  execution.statement_id = "id-" + std::to_string(value);
  if (request.sql.starts_with("INSERT")) execution.rows_affected = 1;
  return execution;
}

class StatementTest : public testing::Test {
 protected:
  explicit StatementTest(FakeSession::Handler handler = Echo) : app_(std::move(handler)) {
    EXPECT_EQ(app_.OpenAll(), ADBC_STATUS_OK) << app_.error.text();
  }

  void SetSql(const char* sql) {
    ASSERT_EQ(app_.driver.StatementSetSqlQuery(&app_.statement, sql, &app_.error), 0);
  }
  AdbcStatusCode Execute(ArrowArrayStream* out) {
    return app_.driver.StatementExecuteQuery(&app_.statement, out, &rows_, &app_.error);
  }
  void Bind(const std::vector<int64_t>& values) {
    BoundBatch bound = Int64Parameters(values);
    ASSERT_EQ(app_.driver.StatementBind(&app_.statement, bound.array.get(), bound.schema.get(),
                                        &app_.error),
              0);
    EXPECT_EQ(bound.array->release, nullptr) << "moved";
    EXPECT_EQ(bound.schema->release, nullptr) << "moved";
  }
  int64_t Statistic(const std::string& name) {
    int64_t value = -99;
    app_.driver.StatementGetOptionInt(&app_.statement, name.c_str(), &value, nullptr);
    return value;
  }
  double Progress() {
    double value = -99;
    app_.driver.StatementGetOptionDouble(&app_.statement, ADBC_STATEMENT_OPTION_PROGRESS, &value,
                                         nullptr);
    return value;
  }

  FakeApplication app_;
  int64_t rows_ = -99;
  nanoarrow::UniqueArrayStream stream_;
};

TEST_F(StatementTest, GivesRowsInOrder) {
  SetSql("SELECT n FROM t");
  ASSERT_EQ(Execute(stream_.get()), ADBC_STATUS_OK);
  EXPECT_EQ(ReadInt64s(stream_.get()), (std::vector<int64_t>{1, 2, 3}));
  EXPECT_EQ(rows_, -1);
}

TEST_F(StatementTest, RunsAgain) {
  SetSql("SELECT n FROM t");
  ASSERT_EQ(Execute(stream_.get()), ADBC_STATUS_OK);
  nanoarrow::UniqueArrayStream second;
  ASSERT_EQ(Execute(second.get()), ADBC_STATUS_OK);
  EXPECT_EQ(ReadInt64s(second.get()).size(), 3U);
  EXPECT_EQ(ReadInt64s(stream_.get()).size(), 3U) << "the first result is not disturbed";
}

TEST_F(StatementTest, RunsWithoutAnybodyWhoReads) {
  SetSql("SELECT n FROM t");
  EXPECT_EQ(app_.driver.StatementExecuteQuery(&app_.statement, nullptr, nullptr, nullptr), 0);
  EXPECT_EQ(app_.requests().size(), 1U);
}

TEST_F(StatementTest, WantsAText) {
  EXPECT_EQ(Execute(stream_.get()), ADBC_STATUS_INVALID_STATE);
  EXPECT_EQ(app_.driver.StatementPrepare(&app_.statement, nullptr), ADBC_STATUS_INVALID_STATE);
  EXPECT_EQ(app_.driver.StatementSetSqlQuery(&app_.statement, nullptr, nullptr),
            ADBC_STATUS_INVALID_ARGUMENT);
}

TEST_F(StatementTest, SendsNoSemicolonsAtTheEnd) {
  SetSql("SELECT current_date;;;");
  ASSERT_EQ(Execute(nullptr), ADBC_STATUS_OK);
  EXPECT_EQ(app_.LastSql(), "SELECT current_date");
}

TEST_F(StatementTest, PreparesAnyTextWithoutAskingTheService) {
  SetSql("this is not a query");
  EXPECT_EQ(app_.driver.StatementPrepare(&app_.statement, nullptr), ADBC_STATUS_OK);
  EXPECT_TRUE(app_.requests().empty());
}

TEST_F(StatementTest, DescribesParametersOnceItIsPrepared) {
  nanoarrow::UniqueSchema schema;
  SetSql("SELECT ?, '?', ?");
  EXPECT_EQ(app_.driver.StatementGetParameterSchema(&app_.statement, schema.get(), nullptr),
            ADBC_STATUS_INVALID_STATE);
  ASSERT_EQ(app_.driver.StatementPrepare(&app_.statement, nullptr), ADBC_STATUS_OK);
  ASSERT_EQ(app_.driver.StatementGetParameterSchema(&app_.statement, schema.get(), nullptr),
            ADBC_STATUS_OK);
  ASSERT_EQ(schema->n_children, 2);
  EXPECT_STREQ(schema->children[1]->format, "n");
  EXPECT_STREQ(schema->children[1]->name, "");
}

TEST_F(StatementTest, RunsAQueryOnceForEachBoundRowWhenItIsReadThere) {
  SetSql("SELECT ?");
  Bind({42, -42, 7});
  ASSERT_EQ(Execute(stream_.get()), ADBC_STATUS_OK);
  EXPECT_EQ(app_.requests().size(), 1U);
  EXPECT_EQ(ReadInt64s(stream_.get()), (std::vector<int64_t>{42, -42, 7}));
  ASSERT_EQ(app_.requests().size(), 3U);
  EXPECT_EQ(app_.requests()[1].parameters[0].type, "BIGINT");
}

TEST_F(StatementTest, RunsAChangeForAllRowsWhetherItIsReadOrNot) {
  SetSql("INSERT INTO t VALUES (?)");
  Bind({1, 2, 3});
  ASSERT_EQ(Execute(stream_.get()), ADBC_STATUS_OK);
  EXPECT_EQ(app_.requests().size(), 3U);
  EXPECT_EQ(rows_, 3);
  EXPECT_EQ(ReadInt64s(stream_.get()), (std::vector<int64_t>{1, 2, 3}));
}

TEST_F(StatementTest, AddsUpTheRowsOfAChange) {
  SetSql("INSERT INTO t VALUES (?)");
  Bind({1, 2});
  ASSERT_EQ(Execute(nullptr), ADBC_STATUS_OK);
  EXPECT_EQ(rows_, 2);
}

TEST_F(StatementTest, RunsNothingForNoRows) {
  SetSql("SELECT ?");
  Bind({});
  ASSERT_EQ(Execute(stream_.get()), ADBC_STATUS_OK);
  EXPECT_EQ(rows_, 0);
  EXPECT_TRUE(app_.requests().empty());
  nanoarrow::UniqueSchema schema;
  EXPECT_EQ(stream_->get_schema(stream_.get(), schema.get()), 0);
  nanoarrow::UniqueArray batch;
  EXPECT_EQ(stream_->get_next(stream_.get(), batch.get()), 0);
  EXPECT_EQ(batch->release, nullptr);
}

TEST_F(StatementTest, UsesABindingOnce) {
  SetSql("SELECT ?");
  Bind({5});
  ASSERT_EQ(Execute(nullptr), ADBC_STATUS_OK);
  ASSERT_EQ(Execute(nullptr), ADBC_STATUS_OK);
  EXPECT_EQ(app_.requests()[0].parameters.size(), 1U);
  EXPECT_TRUE(app_.requests()[1].parameters.empty());
}

TEST_F(StatementTest, KeepsABindingWhenItIsPreparedAfterwards) {
  Bind({5});
  SetSql("SELECT ?");
  ASSERT_EQ(app_.driver.StatementPrepare(&app_.statement, nullptr), ADBC_STATUS_OK);
  ASSERT_EQ(Execute(nullptr), ADBC_STATUS_OK);
  EXPECT_EQ(app_.requests()[0].parameters[0].value, "5");
}

TEST_F(StatementTest, TakesAStreamOfRows) {
  std::vector<RecordBatch> batches;
  batches.push_back(Int64Batch({1}));
  batches.push_back(Int64Batch({2, 3}));
  BoundBatch empty = Int64Parameters({});
  nanoarrow::UniqueArrayStream bound;
  ASSERT_EQ(ArrowBasicArrayStreamInit(bound.get(), empty.schema.get(), 3), NANOARROW_OK);
  ArrowBasicArrayStreamSetArray(bound.get(), 0, empty.array.get());
  for (int64_t i = 0; i < 2; ++i) {
    nanoarrow::UniqueArray array;
    batches[static_cast<size_t>(i)].MoveTo(array.get());
    ArrowBasicArrayStreamSetArray(bound.get(), i + 1, array.get());
  }
  SetSql("SELECT ?");
  ASSERT_EQ(app_.driver.StatementBindStream(&app_.statement, bound.get(), nullptr), 0);
  EXPECT_EQ(bound->release, nullptr) << "moved";
  ASSERT_EQ(Execute(stream_.get()), ADBC_STATUS_OK);
  EXPECT_EQ(ReadInt64s(stream_.get()), (std::vector<int64_t>{1, 2, 3}));
}

TEST_F(StatementTest, ReadsSlicesOfBoundRows) {
  BoundBatch bound = Int64Parameters({1, 2, 3, 4});
  bound.array->offset = 1;
  bound.array->length = 2;
  SetSql("SELECT ?");
  ASSERT_EQ(
      app_.driver.StatementBind(&app_.statement, bound.array.get(), bound.schema.get(), nullptr),
      0);
  ASSERT_EQ(Execute(stream_.get()), ADBC_STATUS_OK);
  EXPECT_EQ(ReadInt64s(stream_.get()), (std::vector<int64_t>{2, 3}));
}

TEST_F(StatementTest, RefusesWhatIsNoBinding) {
  ArrowArray array = {};
  ArrowSchema schema = {};
  ArrowArrayStream stream = {};
  EXPECT_EQ(app_.driver.StatementBind(&app_.statement, &array, &schema, nullptr),
            ADBC_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(app_.driver.StatementBind(&app_.statement, nullptr, nullptr, nullptr),
            ADBC_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(app_.driver.StatementBindStream(&app_.statement, &stream, nullptr),
            ADBC_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(app_.driver.StatementBindStream(&app_.statement, nullptr, nullptr),
            ADBC_STATUS_INVALID_ARGUMENT);
}

TEST_F(StatementTest, CountsMarkersAndValues) {
  SetSql("SELECT ?, ?");
  Bind({1});
  EXPECT_EQ(Execute(stream_.get()), ADBC_STATUS_INVALID_ARGUMENT);
  EXPECT_TRUE(app_.requests().empty());
}

TEST_F(StatementTest, TellsWhatReadingTook) {
  EXPECT_EQ(Progress(), 0);
  EXPECT_EQ(Statistic("databricks.statistics.rows"), -99) << "nothing was executed";
  SetSql("SELECT n FROM t");
  ASSERT_EQ(Execute(stream_.get()), ADBC_STATUS_OK);
  EXPECT_EQ(Statistic("databricks.statistics.rows"), 0);
  nanoarrow::UniqueArray batch;
  ASSERT_EQ(stream_->get_next(stream_.get(), batch.get()), 0);
  EXPECT_EQ(Statistic("databricks.statistics.rows"), 2);
  EXPECT_EQ(ReadInt64s(stream_.get()).size(), 1U);
  EXPECT_EQ(Progress(), 1);
  stream_.reset();
  EXPECT_EQ(Statistic("databricks.statistics.rows"), 3);
  EXPECT_EQ(Statistic("databricks.statistics.batches"), 2);
  char json[1024] = {};
  size_t length = sizeof(json);
  ASSERT_EQ(app_.driver.StatementGetOption(&app_.statement, "databricks.statistics.json", json,
                                           &length, nullptr),
            0);
  EXPECT_NE(std::string(json).find("\"rows\":3"), std::string::npos) << json;
  char id[64] = {};
  length = sizeof(id);
  ASSERT_EQ(app_.driver.StatementGetOption(&app_.statement, "databricks.statement_id", id, &length,
                                           nullptr),
            0);
  EXPECT_STREQ(id, "01f0-fake");
}

TEST_F(StatementTest, KeepsItsResultWhenAllHandlesAreGone) {
  SetSql("SELECT n FROM t");
  ASSERT_EQ(Execute(stream_.get()), ADBC_STATUS_OK);
  app_.ReleaseFromTheTop();
  EXPECT_EQ(app_.database.private_data, nullptr);
  {
    MutexLock lock(app_.record->mutex);
    EXPECT_EQ(app_.record->num_closed, 0);
  }
  EXPECT_EQ(ReadInt64s(stream_.get()), (std::vector<int64_t>{1, 2, 3}));
  stream_.reset();
  MutexLock lock(app_.record->mutex);
  EXPECT_EQ(app_.record->num_closed, 1);
}

TEST_F(StatementTest, IsReleasedOnce) {
  EXPECT_EQ(app_.driver.StatementRelease(&app_.statement, nullptr), ADBC_STATUS_OK);
  EXPECT_EQ(app_.driver.StatementRelease(&app_.statement, nullptr), ADBC_STATUS_INVALID_STATE);
}

TEST_F(StatementTest, CannotBeCancelledWhenNothingRuns) {
  EXPECT_EQ(app_.driver.StatementCancel(&app_.statement, nullptr), ADBC_STATUS_INVALID_STATE);
  SetSql("SELECT n FROM t");
  ASSERT_EQ(Execute(stream_.get()), ADBC_STATUS_OK);
  EXPECT_EQ(ReadInt64s(stream_.get()).size(), 3U);
  EXPECT_EQ(app_.driver.StatementCancel(&app_.statement, nullptr), ADBC_STATUS_INVALID_STATE);
  EXPECT_EQ(app_.driver.ConnectionCancel(&app_.connection, nullptr), ADBC_STATUS_INVALID_STATE);
}

TEST_F(StatementTest, EndsAResultThatIsCancelledBeforeItIsRead) {
  SetSql("SELECT n FROM t");
  ASSERT_EQ(Execute(stream_.get()), ADBC_STATUS_OK);
  ASSERT_EQ(app_.driver.StatementCancel(&app_.statement, nullptr), ADBC_STATUS_OK);
  nanoarrow::UniqueArray batch;
  EXPECT_EQ(stream_->get_next(stream_.get(), batch.get()), ECANCELED);
  AdbcStatusCode status = ADBC_STATUS_OK;
  ASSERT_NE(app_.driver.ErrorFromArrayStream(stream_.get(), &status), nullptr);
  EXPECT_EQ(status, ADBC_STATUS_CANCELLED);
  nanoarrow::UniqueArrayStream again;
  ASSERT_EQ(Execute(again.get()), ADBC_STATUS_OK) << "the statement can still be used";
}

/// A service whose statement, or whose rows, come only when somebody cancels.
class BlockedTest : public StatementTest {
 protected:
  BlockedTest()
      : StatementTest(
            [this](const StatementRequest&, Cancellation* cancellation) -> Result<Execution> {
              if (!rows_block_) {
                blocked_.set_value();
                return cancellation->WaitFor(std::chrono::hours(1));
              }
              Execution execution = Int64Result("n", {});
              execution.rows = std::make_unique<BlockedStream>(&blocked_);
              return execution;
            }) {}

  bool rows_block_ = false;
  std::promise<void> blocked_;
};

TEST_F(BlockedTest, StopsExecutingWhenItIsCancelled) {
  SetSql("SELECT forever");
  std::thread canceller([&] {
    blocked_.get_future().wait();
    size_t length = 0;
    EXPECT_EQ(app_.driver.StatementGetOption(&app_.statement, "databricks.result.batch_rows",
                                             nullptr, &length, nullptr),
              0)
        << "getters do not wait for the call";
    EXPECT_EQ(app_.driver.StatementCancel(&app_.statement, nullptr), ADBC_STATUS_OK);
  });
  EXPECT_EQ(Execute(stream_.get()), ADBC_STATUS_CANCELLED);
  canceller.join();
  EXPECT_EQ(app_.error.state(), "57014");
}

TEST_F(BlockedTest, StopsExecutingWhenItsConnectionIsCancelled) {
  SetSql("SELECT forever");
  std::thread canceller([&] {
    blocked_.get_future().wait();
    EXPECT_EQ(app_.driver.ConnectionCancel(&app_.connection, nullptr), ADBC_STATUS_OK);
  });
  EXPECT_EQ(Execute(nullptr), ADBC_STATUS_CANCELLED);
  canceller.join();
}

TEST_F(BlockedTest, StopsReadingWhenItIsCancelled) {
  rows_block_ = true;
  SetSql("SELECT forever");
  ASSERT_EQ(Execute(stream_.get()), ADBC_STATUS_OK);
  std::thread canceller([&] {
    blocked_.get_future().wait();
    EXPECT_EQ(app_.driver.StatementCancel(&app_.statement, nullptr), ADBC_STATUS_OK);
  });
  nanoarrow::UniqueArray batch;
  EXPECT_EQ(stream_->get_next(stream_.get(), batch.get()), ECANCELED);
  canceller.join();
}

}  // namespace
}  // namespace dbx
