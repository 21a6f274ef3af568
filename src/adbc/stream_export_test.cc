// SPDX-License-Identifier: Apache-2.0
#include "adbc/stream_export.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <optional>
#include <string>
#include <utility>

#include "adbc/error_export.h"
#include "adbc/testing/fake_application.h"
#include "metadata/ready_stream.h"

namespace dbx {
namespace {

/// One batch, then a failure.
class FailingStream : public ResultStream {
 public:
  explicit FailingStream(Status failure) : failure_(std::move(failure)) {}
  const std::shared_ptr<const Schema>& schema() const override { return schema_; }
  Result<std::optional<RecordBatch>> Next() override {
    if (num_calls_++ > 0) return failure_;
    return std::optional<RecordBatch>(Int64Batch({1}));
  }
  void Cancel(Status) override {}

 private:
  const Status failure_;
  const std::shared_ptr<const Schema> schema_ = Int64Schema({"n"});
  int num_calls_ = 0;
};

std::unique_ptr<ResultStream> Ready() {
  std::vector<RecordBatch> batches;
  batches.push_back(Int64Batch({1, 2}));
  batches.push_back(Int64Batch({3}));
  return MakeReadyStream(Int64Schema({"n"}), std::move(batches));
}

TEST(StreamExport, GivesRowsAndThenTheEndAgainAndAgain) {
  nanoarrow::UniqueArrayStream stream;
  ExportStream(Ready(), stream.get());
  EXPECT_EQ(ReadInt64s(stream.get()), (std::vector<int64_t>{1, 2, 3}));
  nanoarrow::UniqueArray batch;
  EXPECT_EQ(stream->get_next(stream.get(), batch.get()), 0);
  EXPECT_EQ(batch->release, nullptr);
  nanoarrow::UniqueSchema again;
  EXPECT_EQ(stream->get_schema(stream.get(), again.get()), 0);
  EXPECT_EQ(stream->get_last_error(stream.get()), nullptr);
  AdbcStatusCode status = ADBC_STATUS_UNKNOWN;
  EXPECT_EQ(GetStreamError(stream.get(), &status), nullptr);
  EXPECT_EQ(status, ADBC_STATUS_UNKNOWN);
}

TEST(StreamExport, LetsBatchesOutliveIt) {
  nanoarrow::UniqueArray batch;
  {
    nanoarrow::UniqueArrayStream stream;
    ExportStream(Ready(), stream.get());
    ASSERT_EQ(stream->get_next(stream.get(), batch.get()), 0);
  }
  EXPECT_EQ(static_cast<const int64_t*>(batch->children[0]->buffers[1])[1], 2);
}

TEST(StreamExport, MovesBitByBit) {
  ArrowArrayStream first = {};
  ExportStream(Ready(), &first);
  ArrowArrayStream second = first;
  first = {};
  EXPECT_EQ(ReadInt64s(&second).size(), 3U);
  second.release(&second);
  EXPECT_EQ(second.release, nullptr);
}

TEST(StreamExport, TellsTheFailureInFull) {
  nanoarrow::UniqueArrayStream stream;
  const Status failure = Status::Timeout("too slow").WithSqlstate("HYT00").WithStatementId("01f0");
  ExportStream(std::make_unique<FailingStream>(failure), stream.get());
  nanoarrow::UniqueArray batch;
  ASSERT_EQ(stream->get_next(stream.get(), batch.get()), 0);
  for (int i = 0; i < 2; ++i) {
    nanoarrow::UniqueArray none;
    EXPECT_EQ(stream->get_next(stream.get(), none.get()), ETIMEDOUT);
    EXPECT_EQ(none->release, nullptr);
    EXPECT_STREQ(stream->get_last_error(stream.get()), "[databricks] too slow (statement 01f0)");
  }
  AdbcStatusCode status = ADBC_STATUS_OK;
  const AdbcError* const error = GetStreamError(stream.get(), &status);
  ASSERT_NE(error, nullptr);
  EXPECT_EQ(status, ADBC_STATUS_TIMEOUT);
  EXPECT_EQ(error->vendor_code, ADBC_ERROR_VENDOR_CODE_PRIVATE_DATA);
  EXPECT_EQ(std::string(error->sqlstate, 5), "HYT00");
  EXPECT_EQ(CountErrorDetails(error), 1);
}

/// There are callers that release the error although it is the stream's.
TEST(StreamExport, SurvivesTheReleaseOfItsError) {
  nanoarrow::UniqueArrayStream stream;
  ExportStream(std::make_unique<FailingStream>(Status::Io("broken")), stream.get());
  nanoarrow::UniqueArray batch;
  ASSERT_EQ(stream->get_next(stream.get(), batch.get()), 0);
  nanoarrow::UniqueArray none;
  ASSERT_EQ(stream->get_next(stream.get(), none.get()), EIO);
  AdbcStatusCode status = ADBC_STATUS_OK;
  for (int i = 0; i < 2; ++i) {
    auto* const error = const_cast<AdbcError*>(GetStreamError(stream.get(), &status));
    ASSERT_NE(error, nullptr);
    EXPECT_STREQ(error->message, "[databricks] broken");
    error->release(error);
  }
}

TEST(StreamExport, KnowsItsOwnStreams) {
  AdbcStatusCode status = ADBC_STATUS_OK;
  ArrowArrayStream foreign = {};
  int content = 0;
  foreign.private_data = &content;
  EXPECT_EQ(GetStreamError(&foreign, &status), nullptr);
  EXPECT_EQ(GetStreamError(nullptr, &status), nullptr);
}

}  // namespace
}  // namespace dbx
