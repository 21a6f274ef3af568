// SPDX-License-Identifier: Apache-2.0
#include "arrow/slab_pool.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <thread>
#include <vector>

namespace dbx {
namespace {

constexpr size_t kKib = 1024;
constexpr size_t kMib = 1024 * kKib;

TEST(SlabPool, CapacityIsAtMostAQuarterTooLarge) {
  const auto pool = SlabPool::Make(0);
  EXPECT_EQ(pool->CapacityFor(0), 64 * kKib);
  EXPECT_EQ(pool->CapacityFor(1), 64 * kKib);
  EXPECT_EQ(pool->CapacityFor(64 * kKib), 64 * kKib);
  EXPECT_EQ(pool->CapacityFor(64 * kKib + 1), 80 * kKib);
  EXPECT_EQ(pool->CapacityFor(20 * kMib), 20 * kMib);
  EXPECT_EQ(pool->CapacityFor(28 * kMib + 1), 32 * kMib);
  EXPECT_EQ(pool->CapacityFor(32 * kMib), 32 * kMib);
  for (size_t size = 64 * kKib; size < 40 * kMib; size += 37 * kKib) {
    EXPECT_GE(pool->CapacityFor(size), size);
    EXPECT_LE(pool->CapacityFor(size), size + size / 4 + 1) << size;
  }
}

TEST(SlabPool, LargerThanTheLargestClassIsExactToThePage) {
  const auto pool = SlabPool::Make(64 * kMib);
  EXPECT_EQ(pool->CapacityFor(33 * kMib + 1), 33 * kMib + 4 * kKib);
  pool->Acquire(33 * kMib).reset();
  EXPECT_EQ(pool->statistics().bytes_idle, 0);
}

TEST(SlabPool, WhatNoSystemHasGivesNull) {
  const auto pool = SlabPool::Make(0);
  EXPECT_EQ(pool->Acquire(SIZE_MAX), nullptr);
  EXPECT_EQ(pool->Acquire(SIZE_MAX / 2), nullptr);
  EXPECT_EQ(pool->statistics().bytes_lent, 0);
}

TEST(SlabPool, RecyclesASlabOfTheSameClass) {
  const auto pool = SlabPool::Make(64 * kMib);
  SlabPtr slab = pool->Acquire(20 * kMib);
  ASSERT_NE(slab, nullptr);
  const uint8_t* const data = slab->data;
  EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % (2 * kMib), 0U);
  std::memset(slab->data, 1, slab->capacity);
  slab.reset();
  slab = pool->Acquire(19 * kMib);
  EXPECT_EQ(slab->data, data);
  const SlabPoolStatistics statistics = pool->statistics();
  EXPECT_EQ(statistics.slabs_made, 1);
  EXPECT_EQ(statistics.slabs_recycled, 1);
  EXPECT_EQ(statistics.bytes_lent, static_cast<int64_t>(20 * kMib));
  EXPECT_EQ(statistics.bytes_idle, 0);
  EXPECT_EQ(statistics.peak_bytes, static_cast<int64_t>(20 * kMib));
}

TEST(SlabPool, GivesBackTheColdestWhenTooMuchIsIdle) {
  const auto pool = SlabPool::Make(3 * kMib);
  SlabPtr cold = pool->Acquire(kMib);
  SlabPtr warm = pool->Acquire(2 * kMib);
  SlabPtr warmest = pool->Acquire(kMib);
  const uint8_t* const warmest_data = warmest->data;
  cold.reset();
  warm.reset();
  EXPECT_EQ(pool->statistics().bytes_idle, static_cast<int64_t>(3 * kMib));
  warmest.reset();
  EXPECT_EQ(pool->statistics().bytes_idle, static_cast<int64_t>(3 * kMib));
  EXPECT_EQ(pool->Acquire(kMib)->data, warmest_data);
}

TEST(SlabPool, NeverKeepsASlabAboveTheLimit) {
  const auto pool = SlabPool::Make(kMib);
  pool->Acquire(2 * kMib).reset();
  EXPECT_EQ(pool->statistics().bytes_idle, 0);
  EXPECT_EQ(pool->statistics().bytes_lent, 0);
}

TEST(SlabPool, TrimGivesIdleMemoryBack) {
  const auto pool = SlabPool::Make(64 * kMib);
  pool->Acquire(kMib).reset();
  const SlabPtr lent = pool->Acquire(2 * kMib);
  pool->Trim();
  EXPECT_EQ(pool->statistics().bytes_idle, 0);
  EXPECT_EQ(pool->statistics().bytes_lent, static_cast<int64_t>(2 * kMib));
}

TEST(SlabPool, LentSlabsOutliveThePool) {
  auto pool = SlabPool::Make(64 * kMib);
  const SlabPtr slab = pool->Acquire(3 * kMib);
  pool.reset();
  std::memset(slab->data, 7, slab->capacity);
  EXPECT_EQ(slab->data[slab->capacity - 1], 7);
}

void AcquireAndWrite(SlabPool& pool, unsigned seed, int rounds) {
  std::mt19937 random(seed);
  std::vector<SlabPtr> held;
  for (int i = 0; i < rounds; ++i) {
    SlabPtr slab = pool.Acquire(64 * kKib << (random() % 4));
    slab->data[0] = static_cast<uint8_t>(seed);
    slab->data[slab->capacity - 1] = static_cast<uint8_t>(seed);
    held.push_back(std::move(slab));
    if (held.size() > 4) held.erase(held.begin() + static_cast<int>(random() % held.size()));
    if (i % 64 == 0) pool.Trim();
    for (const SlabPtr& one : held) ASSERT_EQ(one->data[0], static_cast<uint8_t>(seed));
  }
}

TEST(SlabPool, ServesManyThreads) {
  auto pool = SlabPool::Make(kMib);
  std::vector<std::thread> threads;
  for (unsigned seed = 1; seed <= 4; ++seed) {
    threads.emplace_back([&, seed] { AcquireAndWrite(*pool, seed, 300); });
  }
  for (std::thread& thread : threads) thread.join();
  const SlabPoolStatistics statistics = pool->statistics();
  EXPECT_EQ(statistics.bytes_lent, 0);
  EXPECT_EQ(statistics.slabs_made + statistics.slabs_recycled, 4 * 300);
  EXPECT_LE(statistics.bytes_idle, static_cast<int64_t>(kMib));
}

TEST(SlabPool, IsReleasedOnOtherThreadsWhileThePoolDies) {
  auto pool = SlabPool::Make(64 * kMib);
  std::vector<SlabPtr> slabs;
  for (int i = 0; i < 32; ++i) slabs.push_back(pool->Acquire(64 * kKib));
  std::thread releaser([slabs = std::move(slabs)]() mutable { slabs.clear(); });
  pool.reset();
  releaser.join();
}

TEST(SlabPool, HoldsNoMoreThanWasLentAtOneTimeAndALittle) {
  constexpr int64_t kMiB = 1 << 20;
  const std::shared_ptr<SlabPool> pool = SlabPool::Make(size_t{1} << 30);
  for (const size_t size : {size_t{1} << 20, size_t{2} << 20, size_t{4} << 20}) {
    std::vector<SlabPtr> slabs;
    for (size_t bytes = 0; bytes < (size_t{32} << 20); bytes += size) {
      slabs.push_back(pool->Acquire(size));
    }
  }
  EXPECT_LE(pool->statistics().peak_bytes, 32 * kMiB + 8 * kMiB);
}

}  // namespace
}  // namespace dbx
