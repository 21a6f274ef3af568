// SPDX-License-Identifier: Apache-2.0
#include "cloudfetch/body_queue.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace dbx {
namespace {

using Appended = BodyQueue::Appended;
using Parked = BodyQueue::Parked;

constexpr size_t kBlock = 64 << 10;

class BodyQueueTest : public testing::Test {
 protected:
  void Grant(int64_t num_bytes) {
    auto lease = budget_->TryReserve(num_bytes, 0, MemoryBudget::Claim::kAhead);
    ASSERT_TRUE(lease);
    queue_.AddTicket(std::move(*lease));
  }
  /// All that can be read now.
  std::string Drain() {
    std::string text;
    for (BodyQueue::View view = queue_.Front(); !view.bytes.empty(); view = queue_.Front()) {
      text.append(AsText(view.bytes));
      queue_.Consume(view.bytes.size());
    }
    return text;
  }

  std::shared_ptr<SlabPool> pool_ = SlabPool::Make(1 << 20);
  std::shared_ptr<MemoryBudget> budget_ = MemoryBudget::Make(1 << 20, std::make_shared<Signal>());
  BodyQueue queue_{pool_.get(), kBlock};
};

TEST_F(BodyQueueTest, GivesTheBytesInOrderOverManyBlocks) {
  Grant(10 * kBlock);
  std::string all;
  for (int i = 0; i < 20; ++i) {
    const std::string piece(20'000 + static_cast<size_t>(i), static_cast<char>('a' + i));
    EXPECT_EQ(queue_.Append(AsBytes(piece), 0), Appended::kTaken);  // not open: nobody decodes yet
    all += piece;
  }
  EXPECT_EQ(Drain(), all);
}

TEST_F(BodyQueueTest, TakesAllOfAPieceOrNothing) {
  Grant(kBlock);
  const std::string piece(40'000, 'x');
  EXPECT_EQ(queue_.Append(AsBytes(piece), 0), Appended::kTaken);
  EXPECT_EQ(queue_.Append(AsBytes(piece), 0), Appended::kNoTicket);
  EXPECT_EQ(queue_.unread_bytes(), 40'000);
  EXPECT_EQ(queue_.missing_bytes(), static_cast<int64_t>(kBlock));
  Grant(queue_.missing_bytes());
  EXPECT_EQ(queue_.missing_bytes(), 0);
  EXPECT_EQ(queue_.Append(AsBytes(piece), 0), Appended::kTaken);
  EXPECT_EQ(Drain().size(), 80'000U);
}

TEST_F(BodyQueueTest, PaysForItsBlocksUntilTheyAreRead) {
  Grant(3 * kBlock);
  const std::string piece(kBlock, 'x');
  ASSERT_EQ(queue_.Append(AsBytes(piece), 0), Appended::kTaken);
  ASSERT_EQ(queue_.Append(AsBytes(piece), 0), Appended::kTaken);
  queue_.DropTicket();
  EXPECT_EQ(budget_->used_bytes(), static_cast<int64_t>(2 * kBlock));
  queue_.Consume(kBlock);
  EXPECT_EQ(budget_->used_bytes(), static_cast<int64_t>(kBlock));
  EXPECT_FALSE(queue_.End(Status::Ok()));
  queue_.Consume(kBlock);
  EXPECT_EQ(budget_->used_bytes(), 0);
  EXPECT_EQ(pool_->statistics().bytes_lent, 0);
}

TEST_F(BodyQueueTest, GivesTheDecoderItsTurnOnceAtATime) {
  Grant(4 * kBlock);
  EXPECT_FALSE(queue_.Open());                                                   // nothing is there
  EXPECT_EQ(queue_.Append(AsBytes(std::string(10, 'x')), 0), Appended::kTaken);  // not worth it yet
  EXPECT_EQ(queue_.Append(AsBytes(std::string(2 * kBlock, 'x')), 0), Appended::kDecode);
  EXPECT_EQ(queue_.Append(AsBytes(std::string(kBlock, 'x')), 0),
            Appended::kTaken);  // it is under way
  EXPECT_EQ(queue_.Park(0), Parked::kNo);
  Drain();
  EXPECT_EQ(queue_.Park(0), Parked::kYes);
  EXPECT_TRUE(queue_.End(Status::Ok()));
  EXPECT_EQ(queue_.Park(0), Parked::kNo);  // the end has to be seen
}

TEST_F(BodyQueueTest, GivesTheDecoderItsTurnWhenTheTransferRests) {
  Grant(kBlock);
  ASSERT_FALSE(queue_.Open());
  EXPECT_EQ(queue_.Append(AsBytes(std::string(1000, 'x')), 0), Appended::kTaken);
  EXPECT_EQ(queue_.Append(AsBytes(std::string(kBlock, 'x')), 0), Appended::kNoTicketDecode);
  Drain();
  EXPECT_EQ(queue_.Park(0), Parked::kYesTicketMissing);
}

TEST_F(BodyQueueTest, AsksForAnotherTicketOnceBeforeItsOwnIsUsedUp) {
  Grant(4 * kBlock);
  const std::string piece(kBlock, 'x');
  ASSERT_EQ(queue_.Append(AsBytes(piece), 6 * kBlock), Appended::kTaken);
  EXPECT_FALSE(queue_.ShouldAskForTicket());
  ASSERT_EQ(queue_.Append(AsBytes(piece), 5 * kBlock), Appended::kTaken);
  ASSERT_EQ(queue_.Append(AsBytes(piece), 4 * kBlock), Appended::kTaken);
  EXPECT_TRUE(queue_.is_ticket_low());
  EXPECT_TRUE(queue_.ShouldAskForTicket());
  EXPECT_FALSE(queue_.ShouldAskForTicket());
  Grant(4 * kBlock);
  EXPECT_FALSE(queue_.is_ticket_low());
}

TEST_F(BodyQueueTest, TellsWhetherATransferRestsWhenATicketComes) {
  const std::string piece(kBlock, 'x');
  ASSERT_EQ(queue_.Append(AsBytes(piece), 0), Appended::kNoTicket);
  EXPECT_TRUE(queue_.AddTicket(*budget_->TryReserve(kBlock, 0, MemoryBudget::Claim::kAhead)));
  EXPECT_FALSE(queue_.AddTicket(*budget_->TryReserve(kBlock, 0, MemoryBudget::Claim::kAhead)));
}

TEST_F(BodyQueueTest, StarvesWhileItsDecoderHasTooLittleToDo) {
  Grant(4 * kBlock);
  EXPECT_FALSE(queue_.is_starving());  // not open
  ASSERT_FALSE(queue_.Open());
  EXPECT_TRUE(queue_.is_starving());
  ASSERT_EQ(queue_.Append(AsBytes(std::string(2 * kBlock, 'x')), 0), Appended::kDecode);
  EXPECT_FALSE(queue_.is_starving());
  Drain();
  ASSERT_EQ(queue_.Park(0), Parked::kYes);
  EXPECT_TRUE(queue_.is_starving());
  ASSERT_TRUE(queue_.End(Status::Ok()));
  EXPECT_FALSE(queue_.is_starving());
}

TEST_F(BodyQueueTest, TellsOfTheEndAfterTheLastByte) {
  Grant(4 * kBlock);
  ASSERT_EQ(queue_.Append(AsBytes("abc"), 0), Appended::kTaken);
  EXPECT_FALSE(queue_.Front().ended);
  ASSERT_FALSE(queue_.End(Status::Unavailable("gone")));
  const BodyQueue::View last = queue_.Front();
  EXPECT_EQ(AsText(last.bytes), "abc");
  EXPECT_TRUE(last.ended);
  queue_.Consume(3);
  EXPECT_TRUE(queue_.Front().bytes.empty());
  EXPECT_EQ(queue_.Front().status.message(), "gone");
}

TEST_F(BodyQueueTest, IsAsNewAfterARestart) {
  Grant(4 * kBlock);
  ASSERT_FALSE(queue_.Open());
  ASSERT_EQ(queue_.Append(AsBytes(std::string(2 * kBlock, 'x')), 0), Appended::kDecode);
  const Bytes seen = queue_.Front().bytes;
  EXPECT_FALSE(queue_.Abort(Status::InvalidData("changed")));  // its turn already
  EXPECT_EQ(AsText(seen), std::string(kBlock, 'x'));
  EXPECT_GT(pool_->statistics().bytes_lent, 0);  // nobody else writes there
  queue_.Consume(seen.size());
  EXPECT_EQ(queue_.unread_bytes(), 0);
  EXPECT_TRUE(queue_.Front().bytes.empty());
  EXPECT_TRUE(queue_.Front().ended);
  EXPECT_EQ(queue_.Front().status.message(), "changed");
  queue_.Restart();
  EXPECT_EQ(pool_->statistics().bytes_lent, 0);
  EXPECT_FALSE(queue_.Front().ended);
  EXPECT_EQ(queue_.Append(AsBytes(std::string(2 * kBlock, 'y')), 0), Appended::kDecode);
  EXPECT_EQ(Drain(), std::string(2 * kBlock, 'y'));
}

}  // namespace
}  // namespace dbx
