// SPDX-License-Identifier: Apache-2.0
#include "cloudfetch/chunk_decoder.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "arrow/testing/ipc_writer.h"
#include "arrow/testing/lz4_writer.h"
#include "cloudfetch/batch_slice.h"

namespace dbx {
namespace {

using Yield = ChunkDecoder::Yield;

/// One chunk and everything around its decoder, on one thread.
class ChunkDecoderTest : public testing::Test {
 protected:
  void Make(int64_t num_rows, size_t slab_bytes, int64_t stated_bytes = 0) {
    settings_.pool = pool_;
    settings_.schema = RowSchema();
    settings_.slab_bytes = slab_bytes;
    settings_.counters = &counters_;
    ResultLink link;
    link.num_rows = num_rows;
    link.num_bytes = stated_bytes;
    chunk_ = std::make_shared<Chunk>(0, num_rows);
    decoder_.emplace(link, chunk_, &queue_, &settings_);
    queue_.AddTicket(*budget_->TryReserve(int64_t{64} << 20, 0, MemoryBudget::Claim::kAhead));
    static_cast<void>(queue_.Open());
    ipc_ = std::move(*IpcDecoder::Make(RowSchema()));
  }

  /// Feeds `body` in pieces, with a turn after each, and gives every slab that is wanted.
  Yield Feed(std::string_view body, size_t piece_bytes, bool end = true) {
    Yield yield = Yield::kStarved;
    while (!body.empty() && yield == Yield::kStarved) {
      const std::string_view piece = body.substr(0, piece_bytes);
      body.remove_prefix(piece.size());
      if (queue_.Append(AsBytes(piece), 0) == BodyQueue::Appended::kDecode) yield = Turn();
    }
    if (end && yield == Yield::kStarved && queue_.End(Status::Ok())) yield = Turn();
    return yield;
  }

  Yield Turn() {
    Yield yield = decoder_->Run(*ipc_);
    while (yield == Yield::kSlabMissing) {
      ++num_slabs_;
      largest_slab_ = std::max(largest_slab_, decoder_->missing_bytes());
      decoder_->Give(
          *budget_->TryReserve(decoder_->missing_bytes(), 0, MemoryBudget::Claim::kAhead));
      yield = decoder_->Run(*ipc_);
    }
    return yield;
  }

  /// Rows that are with the reader, checked from `first_row` on.
  int64_t TakeRows(int64_t first_row = 0) {
    int64_t row = first_row;
    while (chunk_->batches().size() > 0) {
      const auto item = chunk_->batches().Pop();
      EXPECT_EQ(CheckRows((*item)->batch, row).ToString(), "ok");
      row += (*item)->batch.num_rows();
      last_memory_ = (*item)->memory;
    }
    return row - first_row;
  }

  std::shared_ptr<SlabPool> pool_ = SlabPool::Make(1 << 20);
  std::shared_ptr<MemoryBudget> budget_ =
      MemoryBudget::Make(int64_t{1} << 30, std::make_shared<Signal>());
  BodyQueue queue_{pool_.get(), 64 << 10};
  StreamCounters counters_;
  DecoderSettings settings_;
  std::shared_ptr<Chunk> chunk_;
  std::optional<ChunkDecoder> decoder_;
  std::unique_ptr<IpcDecoder> ipc_;
  std::shared_ptr<BatchMemory> last_memory_;
  int num_slabs_ = 0;
  int64_t largest_slab_ = 0;
};

TEST_F(ChunkDecoderTest, ChainsSlabsAtMessageBorders) {
  for (const Lz4Layout& layout :
       {Lz4Layout{}, Lz4Layout{.linked_blocks = true, .small_blocks = true}}) {
    Make(40'000, 256 << 10);
    num_slabs_ = 0;
    const std::string body = Lz4Frames(MakeIpcStream(0, 40'000, 700), layout);
    EXPECT_EQ(Feed(body, 16 << 10), Yield::kFinished) << decoder_->failure().ToString();
    EXPECT_EQ(TakeRows(), 40'000);
    EXPECT_GT(num_slabs_, 5);
    EXPECT_LT(largest_slab_, 512 << 10);
    queue_.DropTicket();
    queue_.Restart();
  }
}

TEST_F(ChunkDecoderTest, MakesAStatedSizeOneSlab) {
  const std::string raw = MakeIpcStream(0, 20'000, 700);
  Make(20'000, 16 << 20, static_cast<int64_t>(raw.size()));
  EXPECT_EQ(Feed(Lz4Frames(raw), 16 << 10), Yield::kFinished);
  EXPECT_EQ(TakeRows(), 20'000);
  EXPECT_EQ(num_slabs_, 1);
}

TEST_F(ChunkDecoderTest, GrowsForAMessageThatIsLargerThanASlab) {
  Make(40'000, 64 << 10);
  EXPECT_EQ(Feed(MakeIpcStream(0, 40'000, 40'000), 16 << 10), Yield::kFinished);
  EXPECT_EQ(TakeRows(), 40'000);
}

TEST_F(ChunkDecoderTest, DecodesBodiesOfOneByteAtATime) {
  Make(300, 1 << 20);
  EXPECT_EQ(Feed(Lz4Frames(MakeIpcStream(0, 300, 50)), 1), Yield::kFinished);
  EXPECT_EQ(TakeRows(), 300);
}

TEST_F(ChunkDecoderTest, HandsBatchesOutAsSoonAsTheyAreWhole) {
  const std::string body = MakeIpcStream(0, 10'000, 500);
  Make(10'000, 16 << 20);
  EXPECT_EQ(Feed(std::string_view(body).substr(0, body.size() / 2), 64 << 10, /*end=*/false),
            Yield::kStarved);
  EXPECT_GE(TakeRows(), 3000);
}

TEST_F(ChunkDecoderTest, HoldsRowsBackUntilTheirChecksumIsRight) {
  const std::string body =
      Lz4Frames(MakeIpcStream(0, 20'000, 500), {.checksums = true, .small_blocks = true});
  Make(20'000, 16 << 20);
  EXPECT_EQ(Feed(std::string_view(body).substr(0, body.size() - 4), 64 << 10, /*end=*/false),
            Yield::kStarved);
  EXPECT_EQ(chunk_->batches().size(), 0U);
  EXPECT_EQ(Feed(std::string_view(body).substr(body.size() - 4), 64 << 10), Yield::kFinished);
  EXPECT_EQ(TakeRows(), 20'000);
}

TEST_F(ChunkDecoderTest, DoesNotRestartBehindRowsThatALaterChecksumProvesWrong) {
  const std::string raw = MakeIpcStream(0, 20'000, 500);
  const std::string_view all = raw;
  std::string body = Lz4Frames(all.substr(0, all.size() / 2)) +
                     Lz4Frames(all.substr(all.size() / 2), {.checksums = true});
  body.back() ^= 1;
  Make(20'000, 16 << 20);
  EXPECT_EQ(Feed(body, 64 << 10), Yield::kFailed);
  EXPECT_GT(TakeRows(), 0);
  EXPECT_FALSE(decoder_->may_restart());
  queue_.Restart();

  settings_.batch_rows = 100'000;  // nothing is handed out before the end
  Make(20'000, 16 << 20);
  EXPECT_EQ(Feed(body, 64 << 10), Yield::kFailed);
  EXPECT_EQ(TakeRows(), 0);
  EXPECT_TRUE(decoder_->may_restart());
}

TEST_F(ChunkDecoderTest, LaysTheFirstRowsOfLaterChunksAtAMultipleOf64) {
  const std::string body = Lz4Frames(MakeIpcStream(0, 1000, 1000));
  Make(1000, 1 << 20);
  ASSERT_EQ(Feed(body, 1 << 20), Yield::kFinished);
  TakeRows();
  queue_.Restart();
  Make(1000, 1 << 20);
  ASSERT_EQ(Feed(body, 1 << 20), Yield::kFinished);
  const auto item = chunk_->batches().Pop();
  const ArrowArray* const column = (*item)->batch.c_array()->children[0];
  EXPECT_EQ(reinterpret_cast<uintptr_t>(column->buffers[1]) % 64, 0U);
}

TEST_F(ChunkDecoderTest, GivesTheSlabsBytesBackWithTheLastBatch) {
  Make(2000, 1 << 20);
  ASSERT_EQ(Feed(Lz4Frames(MakeIpcStream(0, 2000, 100)), 1 << 20), Yield::kFinished);
  queue_.DropTicket();
  EXPECT_GT(budget_->used_bytes(), 0);
  TakeRows();
  EXPECT_GT(budget_->used_bytes(), 0);  // one batch is kept
  last_memory_.reset();
  EXPECT_EQ(budget_->used_bytes(), 0);
}

TEST_F(ChunkDecoderTest, FailsWithACauseAndSkipsKnownRowsAfterARestart) {
  const std::string good = MakeIpcStream(0, 10'000, 500);
  std::string bad = good;
  bad.resize(good.size() * 3 / 4);
  Make(10'000, 16 << 20);
  EXPECT_EQ(Feed(bad, 64 << 10), Yield::kFailed);
  EXPECT_EQ(decoder_->failure().code(), StatusCode::kInvalidData);
  EXPECT_TRUE(decoder_->may_restart());
  const int64_t known = TakeRows();
  EXPECT_GT(known, 5000);
  queue_.Restart();
  decoder_->Restart();
  // Cut otherwise than before, so that the border lies within a batch.
  EXPECT_EQ(Feed(MakeIpcStream(0, 10'000, 330), 64 << 10), Yield::kFinished);
  EXPECT_EQ(TakeRows(known), 10'000 - known);
}

TEST_F(ChunkDecoderTest, RefusesWhatIsNoArrowStream) {
  const std::string schema = MakeIpcMessages(0, 0, 10).schema;
  const std::string batch = MakeIpcMessages(0, 10, 10).batches[0];
  for (const std::string& body : {std::string(5000, 'x'), batch, schema + schema + batch,
                                  schema + batch + "tail", EndOfStream(), schema, std::string()}) {
    Make(10, 1 << 20);
    EXPECT_EQ(Feed(body, 1 << 20), Yield::kFailed);
    EXPECT_FALSE(decoder_->failure().ok());
    queue_.Restart();
  }
}

TEST_F(ChunkDecoderTest, KeepsTheRowsBeforeAnErrorOfTheBody) {
  const std::string body = MakeIpcStream(0, 1000, 100);
  Make(1000, 1 << 20);
  EXPECT_EQ(Feed(std::string_view(body).substr(0, body.size() / 2), 1 << 20, false),
            Yield::kStarved);
  ASSERT_TRUE(queue_.End(Status::Unavailable("retries are spent")));
  EXPECT_EQ(Turn(), Yield::kFailed);
  EXPECT_EQ(decoder_->failure().code(), StatusCode::kUnavailable);
  EXPECT_FALSE(decoder_->may_restart());
  EXPECT_GE(TakeRows(), 300);
}

TEST_F(ChunkDecoderTest, StopsWhenTheStreamIsOver) {
  Make(10, 1 << 20);
  settings_.stopping = true;
  ASSERT_EQ(queue_.Append(AsBytes(MakeIpcStream(0, 10, 10)), 0), BodyQueue::Appended::kTaken);
  EXPECT_EQ(decoder_->Run(*ipc_), Yield::kStopped);
}

TEST(BatchSlice, DropsTheFirstRows) {
  for (const int64_t dropped : {0, 1, 3, 9}) {
    RecordBatch batch = MakeRowBatch(0, 10);
    DropFront(batch, dropped);
    EXPECT_EQ(batch.num_rows(), 10 - dropped);
    EXPECT_EQ(RowNumbers(batch), RowRange(dropped, 10));
    EXPECT_EQ(CheckRows(batch, dropped).ToString(), "ok");
  }
}

}  // namespace
}  // namespace dbx
