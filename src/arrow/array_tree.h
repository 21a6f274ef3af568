// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "arrow/slab_pool.h"
#include "base/bytes.h"
#include "nanoarrow/nanoarrow.h"

namespace dbx {

/// The arrays of one batch, root and descendants, made in one place. Their buffers are slices of
/// memory that `owner` keeps alive. Each array can be moved out of its parent and released by
/// itself, on any thread; the last one to be released drops the owner.
class ArrayTree {
 public:
  /// Large copies lie in slabs of `pool`, which is not asked after HandOut.
  ArrayTree(int64_t num_nodes, int64_t num_buffers, std::shared_ptr<const void> owner,
            SlabPool* pool);
  ArrayTree(const ArrayTree&) = delete;
  ArrayTree& operator=(const ArrayTree&) = delete;

  /// The next array, without rows, with room for so many buffers and children. The first one is the
  /// root. No more than the constructor was told of.
  ArrowArray* Add(size_t num_buffers, size_t num_children);

  /// A copy of `bytes`, 64-byte aligned, which lives as long as the tree. Throws std::bad_alloc.
  const uint8_t* KeepCopy(Bytes bytes);

  /// Moves the root to `out`; from now on release callbacks own the tree.
  static void HandOut(std::unique_ptr<ArrayTree> tree, ArrowArray* out);

 private:
  static constexpr std::align_val_t kCopyAlignment{64};
  struct FreeCopy {
    void operator()(uint8_t* copy) const { ::operator delete(copy, kCopyAlignment); }
  };

  static void Release(ArrowArray* array);
  uint8_t* SlabRoom(size_t num_bytes);

  std::shared_ptr<const void> owner_;
  SlabPool* const pool_;
  std::vector<std::unique_ptr<uint8_t, FreeCopy>> small_copies_;
  std::vector<SlabPtr> slabs_;
  size_t slab_bytes_used_ = 0;  // of the last slab
  // Sized once: arrays point into all three.
  std::vector<ArrowArray> nodes_;
  std::vector<const void*> buffers_;
  std::vector<ArrowArray*> children_;
  size_t num_nodes_used_ = 0;
  size_t num_buffers_used_ = 0;
  size_t num_children_used_ = 0;
  std::atomic<size_t> num_unreleased_{0};
};

}  // namespace dbx
