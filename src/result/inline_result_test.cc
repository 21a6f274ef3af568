// SPDX-License-Identifier: Apache-2.0
#include "result/inline_result.h"

#include <gtest/gtest.h>

#include <deque>

#include "arrow/testing/ipc_writer.h"
#include "arrow/testing/lz4_writer.h"

namespace dbx {
namespace {

/// Gives pages and then an end or a failure.
class FakePages : public PageSource {
 public:
  explicit FakePages(std::deque<InlinePage> pages, Status end = Status::Ok())
      : pages_(std::move(pages)), end_(std::move(end)) {}
  Result<std::optional<InlinePage>> Next() override {
    if (pages_.empty()) {
      if (!end_.ok()) return end_;
      return std::optional<InlinePage>();
    }
    std::optional<InlinePage> page(std::move(pages_.front()));
    pages_.pop_front();
    return page;
  }
  void Cancel(Status) override {}

 private:
  std::deque<InlinePage> pages_;
  const Status end_;
};

InlinePage PageOf(int64_t first_row, int64_t num_rows) {
  InlinePage page;
  page.row_offset = first_row;
  for (std::string& bytes : MakeIpcMessages(first_row, num_rows, 100).batches) {
    page.batches.push_back({std::move(bytes), 0});
  }
  return page;
}

std::unique_ptr<ResultStream> StreamOf(std::deque<InlinePage> pages, Status end = Status::Ok()) {
  return MakeInlineStream(RowSchema(),
                          std::make_unique<FakePages>(std::move(pages), std::move(end)));
}

Result<std::vector<int64_t>> ReadAll(ResultStream& stream) {
  std::vector<int64_t> rows;
  while (true) {
    const auto batch = stream.Next();
    if (!batch.ok()) return batch.status();
    if (!*batch) return rows;
    const auto more = RowNumbers(**batch);
    rows.insert(rows.end(), more.begin(), more.end());
  }
}

TEST(InlineStream, GivesTheRowsOfAllPages) {
  auto stream = StreamOf({PageOf(0, 250), InlinePage(), PageOf(250, 1)});
  EXPECT_EQ(*ReadAll(*stream), RowRange(0, 251));
  EXPECT_FALSE(stream->Next()->has_value());  // the end stays the end
}

TEST(InlineStream, TakesAWholeStreamForABatch) {
  InlinePage page;
  page.batches.push_back({Lz4Frames(MakeIpcStream(0, 10, 10), {.frame_per_message = true}), 8});
  auto stream = StreamOf({page});
  EXPECT_EQ(*ReadAll(*stream), RowRange(0, 8));
}

TEST(InlineStream, CountsByContentWhenTheServiceStatesNoRows) {
  InlinePage page;
  page.batches.push_back({MakeIpcStream(0, 10, 10), 0});
  page.batches.push_back({MakeIpcStream(10, 5, 5), -1});
  auto stream = StreamOf({page});
  EXPECT_EQ(*ReadAll(*stream), RowRange(0, 15));
}

TEST(InlineStream, RefusesWhatIsNoBatch) {
  for (std::string bytes :
       {std::string("garbage"), std::string(), MakeIpcMessages(0, 1, 1).schema}) {
    InlinePage page;
    page.batches.push_back({std::move(bytes), 1});
    EXPECT_EQ(ReadAll(*StreamOf({page})).status().code(), StatusCode::kInvalidData);
  }
}

TEST(InlineStream, GivesEarlierRowsBeforeAFailure) {
  auto stream = StreamOf({PageOf(0, 5)}, Status::Unavailable("stopped"));
  EXPECT_EQ((*stream->Next())->num_rows(), 5);
  EXPECT_EQ(stream->Next().status().message(), "stopped");
  EXPECT_EQ(stream->Next().status().message(), "stopped");
}

TEST(InlineStream, StopsWithTheReasonOfACancel) {
  auto stream = StreamOf({PageOf(0, 5), PageOf(5, 5)});
  ASSERT_TRUE(stream->Next().ok());
  stream->Cancel(Status::Cancelled("enough"));
  EXPECT_EQ(stream->Next().status().message(), "enough");
}

TEST(InlineStream, ABatchOutlivesTheStream) {
  auto stream = StreamOf({PageOf(0, 50)});
  auto batch = stream->Next();
  stream.reset();
  EXPECT_TRUE(CheckRows(**batch, 0).ok());
}

TEST(InlineStream, AnEmptyStreamHasItsSchema) {
  const auto stream = MakeEmptyStream(RowSchema());
  EXPECT_EQ(stream->schema()->num_columns(), 3);
  EXPECT_FALSE(stream->Next()->has_value());
}

TEST(DecodeSchemaMessage, RefusesWhatIsNone) {
  EXPECT_TRUE(DecodeSchemaMessage(MakeIpcMessages(0, 0, 1).schema).ok());
  EXPECT_EQ(DecodeSchemaMessage("").status().code(), StatusCode::kInvalidData);
  EXPECT_EQ(DecodeSchemaMessage(EndOfStream()).status().code(), StatusCode::kInvalidData);
}

TEST(PeekInteger, LeavesEveryRowInTheStream) {
  auto stream = StreamOf({PageOf(0, 150)});
  EXPECT_EQ(*PeekInteger(&stream, "row"), 0);
  EXPECT_EQ(*ReadAll(*stream), RowRange(0, 150));
}

TEST(PeekInteger, KnowsNoIntegerWhereThereIsNone) {
  auto stream = StreamOf({PageOf(0, 5)});
  EXPECT_EQ(*PeekInteger(&stream, "absent"), std::nullopt);
  EXPECT_EQ(*PeekInteger(&stream, "text"), std::nullopt);
  auto empty = MakeEmptyStream(RowSchema());
  EXPECT_EQ(*PeekInteger(&empty, "row"), std::nullopt);
  auto failed = StreamOf({}, Status::Io("reset"));
  EXPECT_EQ(PeekInteger(&failed, "row").status().code(), StatusCode::kIo);
}

}  // namespace
}  // namespace dbx
