// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "arrow/record_batch.h"
#include "arrow/slab_pool.h"
#include "base/channel.h"
#include "base/status.h"
#include "cloudfetch/memory_budget.h"

namespace dbx {

/// Memory from the pool together with what pays for it. The buffers of batches are slices of one;
/// when the last of them is released, the memory goes to the pool and then the bytes to the budget.
struct PaidSlab {
  MemoryBudget::Lease lease;  // dies after the slab
  SlabPtr slab;
};

/// What the rows of one batch lie in.
struct BatchMemory {
  std::shared_ptr<PaidSlab> slab;  ///< null for joined batches
  MemoryBudget::Lease outside =
      {};  ///< pays for what does not lie in the slab: copies, joined rows
};

/// Rows, and what pays for their memory. Rows of a slab keep theirs alive; joined ones are paid for
/// until the reader has them.
struct DecodedBatch {
  RecordBatch batch;
  std::shared_ptr<BatchMemory> memory;
};

/// One chunk as the reader sees it: its place in the order, and its batches as they become whole.
/// The stage that makes the batches pushes and closes, the reader pops. An error follows the rows
/// that were whole before it.
class Chunk {
 public:
  Chunk(int64_t index, int64_t num_rows)
      : index_(index), num_rows_(num_rows), batches_(std::numeric_limits<size_t>::max()) {}

  int64_t index() const { return index_; }
  int64_t num_rows() const { return num_rows_; }
  /// Without a bound of its own: what is in it is paid for by the budget.
  Channel<DecodedBatch>& batches() { return batches_; }

 private:
  const int64_t index_;
  const int64_t num_rows_;
  Channel<DecodedBatch> batches_;
};

}  // namespace dbx
