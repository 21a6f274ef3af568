// SPDX-License-Identifier: Apache-2.0
#include "cloudfetch/memory_budget.h"

#include <gtest/gtest.h>

#include <chrono>
#include <utility>

namespace dbx {
namespace {

using Claim = MemoryBudget::Claim;

struct Fixture {
  std::shared_ptr<Signal> changed = std::make_shared<Signal>();
  std::shared_ptr<MemoryBudget> budget = MemoryBudget::Make(100, changed);

  bool WasRaised() const {
    return changed->Wait(std::chrono::steady_clock::now());  // looks, and does not wait
  }
};

TEST(MemoryBudget, LendsUpToItsLimitAndTakesBack) {
  const Fixture fixture;
  auto first = fixture.budget->TryReserve(60, 0, Claim::kAhead);
  ASSERT_TRUE(first);
  EXPECT_FALSE(fixture.budget->TryReserve(41, 0, Claim::kAhead));
  const auto second = fixture.budget->TryReserve(40, 0, Claim::kAhead);
  EXPECT_TRUE(second);
  EXPECT_EQ(fixture.budget->used_bytes(), 100);
  first->Return();
  EXPECT_EQ(fixture.budget->used_bytes(), 40);
  EXPECT_EQ(fixture.budget->peak_bytes(), 100);
}

TEST(MemoryBudget, LooksForHeadroomAndDoesNotTakeIt) {
  const Fixture fixture;
  const auto first = fixture.budget->TryReserve(10, 0, Claim::kAhead);
  EXPECT_FALSE(fixture.budget->TryReserve(50, 41, Claim::kAhead));
  const auto second = fixture.budget->TryReserve(50, 40, Claim::kAhead);
  EXPECT_TRUE(second);
  EXPECT_EQ(fixture.budget->used_bytes(), 60);
}

TEST(MemoryBudget, LetsTheFirstInHoweverLarge) {
  const Fixture fixture;
  const auto large = fixture.budget->TryReserve(1000, 50, Claim::kAhead);
  EXPECT_TRUE(large);
  EXPECT_FALSE(fixture.budget->TryReserve(1, 0, Claim::kAhead));
}

TEST(MemoryBudget, LendsItsReserveToTheHeadOfAReaderThatWaits) {
  const Fixture fixture;
  const auto all = fixture.budget->TryReserve(100, 0, Claim::kAhead);
  EXPECT_FALSE(fixture.budget->TryReserve(10, 0, Claim::kHead));
  fixture.budget->SetReaderWaits(true);
  EXPECT_FALSE(fixture.budget->TryReserve(10, 0, Claim::kAhead));
  EXPECT_TRUE(fixture.budget->TryReserve(10, 0, Claim::kHead));
  fixture.budget->SetReaderWaits(false);
  EXPECT_FALSE(fixture.budget->TryReserve(10, 0, Claim::kHead));
}

TEST(MemoryBudget, LendsAQuarterBesideAConsumerThatKeepsTheRest) {
  const Fixture fixture;
  auto kept = fixture.budget->TryReserve(100, 0, Claim::kAhead);
  kept->MarkDelivered();
  EXPECT_EQ(fixture.budget->delivered_bytes(), 100);
  EXPECT_FALSE(fixture.budget->TryReserve(25, 0, Claim::kAhead));
  fixture.budget->SetReaderWaits(true);
  const auto beside = fixture.budget->TryReserve(25, 0, Claim::kAhead);
  EXPECT_TRUE(beside);
  EXPECT_FALSE(fixture.budget->TryReserve(1, 0, Claim::kAhead));
  kept->Return();
  EXPECT_EQ(fixture.budget->delivered_bytes(), 0);
}

TEST(MemoryBudget, WakesWhoWasRefusedAndNobodyElse) {
  const Fixture fixture;
  auto all = fixture.budget->TryReserve(100, 0, Claim::kAhead);
  auto part = all->Split(10);
  part.Return();
  EXPECT_FALSE(fixture.WasRaised());  // nobody had asked
  EXPECT_FALSE(fixture.budget->TryReserve(11, 0, Claim::kAhead));
  all->Return();
  EXPECT_TRUE(fixture.WasRaised());

  const auto again = fixture.budget->TryReserve(100, 0, Claim::kAhead);
  EXPECT_FALSE(fixture.budget->TryReserve(1, 0, Claim::kHead));
  fixture.budget->SetReaderWaits(true);
  EXPECT_TRUE(fixture.WasRaised());
}

TEST(MemoryBudget, HoldsReadingAheadToItsOwnLimit) {
  const Fixture fixture;
  fixture.budget->SetReadAheadLimit(40);
  auto first = fixture.budget->TryReserve(40, 0, Claim::kAhead);
  ASSERT_TRUE(first);
  EXPECT_FALSE(fixture.budget->TryReserve(1, 0, Claim::kAhead));
  EXPECT_TRUE(fixture.budget->TryReserve(1, 0, Claim::kStart));
  EXPECT_TRUE(fixture.budget->TryReserve(1, 0, Claim::kHead));
  first->MarkDelivered();  // what the consumer has is no longer ahead of it
  EXPECT_TRUE(fixture.budget->TryReserve(30, 0, Claim::kAhead));
  fixture.budget->SetReaderWaits(true);
  const auto more = fixture.budget->TryReserve(11, 0, Claim::kAhead);
  EXPECT_TRUE(more);
  EXPECT_FALSE(fixture.budget->TryReserve(30, 0, Claim::kAhead));
}

TEST(MemoryBudget, ChargesWhatExistsAlreadyWhateverItsLimit) {
  const Fixture fixture;
  const auto all = fixture.budget->TryReserve(100, 0, Claim::kAhead);
  {
    const MemoryBudget::Lease beside = all->Beside(30);
    EXPECT_EQ(fixture.budget->used_bytes(), 130);
    EXPECT_EQ(fixture.budget->peak_bytes(), 130);
  }
  EXPECT_EQ(fixture.budget->used_bytes(), 100);
}

TEST(MemoryBudget, LeasesSplitMergeAndMove) {
  const Fixture fixture;
  auto whole = fixture.budget->TryReserve(50, 0, Claim::kAhead);
  MemoryBudget::Lease part = whole->Split(20);
  EXPECT_EQ(whole->num_bytes(), 30);
  EXPECT_EQ(part.num_bytes(), 20);
  EXPECT_EQ(part.Split(100).num_bytes(), 20);  // no more than there are, and back at once
  EXPECT_EQ(fixture.budget->used_bytes(), 30);
  MemoryBudget::Lease other;
  other.Merge(std::move(*whole));
  EXPECT_EQ(other.num_bytes(), 30);
  whole.reset();
  EXPECT_EQ(fixture.budget->used_bytes(), 30);
  other = MemoryBudget::Lease();
  EXPECT_EQ(fixture.budget->used_bytes(), 0);
}

TEST(MemoryBudget, IsOutlivedByItsLeases) {
  Fixture fixture;
  auto lease = fixture.budget->TryReserve(50, 0, Claim::kAhead);
  fixture.budget.reset();
  lease->Return();
}

}  // namespace
}  // namespace dbx
