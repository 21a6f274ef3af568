// SPDX-License-Identifier: Apache-2.0
#include "memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>

namespace dbx::cli {
namespace {

constexpr int64_t kBlock = 64 << 20;

/// Touches memory and gives it back. Not by malloc, which may keep it.
void TouchBlock() {
  void* const block =
      mmap(nullptr, kBlock, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(block, MAP_FAILED);
  std::memset(block, 1, kBlock);
  munmap(block, kBlock);
}

TEST(Memory, ThePeakBeginsAnew) {
  TouchBlock();
  const int64_t before = PeakMemory();
  ASSERT_TRUE(ResetPeakMemory());
  EXPECT_LT(PeakMemory(), before - kBlock / 2);
  TouchBlock();
  EXPECT_GE(PeakMemory(), before - kBlock / 2);
}

}  // namespace
}  // namespace dbx::cli
