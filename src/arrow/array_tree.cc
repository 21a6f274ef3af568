// SPDX-License-Identifier: Apache-2.0
#include "arrow/array_tree.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace dbx {
namespace {

// Copies from here on are worth recycled pages; smaller ones would leave most of a slab empty.
constexpr size_t kLeastSlabCopy = size_t{16} << 10;
constexpr size_t kLeastSlab = size_t{256} << 10;

}  // namespace

ArrayTree::ArrayTree(int64_t num_nodes, int64_t num_buffers, std::shared_ptr<const void> owner,
                     SlabPool* pool)
    : owner_(std::move(owner)),
      pool_(pool),
      nodes_(static_cast<size_t>(num_nodes)),
      buffers_(static_cast<size_t>(num_buffers)),
      children_(static_cast<size_t>(num_nodes)) {}

ArrowArray* ArrayTree::Add(size_t num_buffers, size_t num_children) {
  ArrowArray& array = nodes_[num_nodes_used_++];
  array.n_buffers = static_cast<int64_t>(num_buffers);
  array.n_children = static_cast<int64_t>(num_children);
  array.buffers = num_buffers == 0 ? nullptr : buffers_.data() + num_buffers_used_;
  array.children = num_children == 0 ? nullptr : children_.data() + num_children_used_;
  num_buffers_used_ += num_buffers;
  num_children_used_ += num_children;
  return &array;
}

const uint8_t* ArrayTree::KeepCopy(Bytes bytes) {
  uint8_t* copy = nullptr;
  if (bytes.size() < kLeastSlabCopy) {
    small_copies_.emplace_back(static_cast<uint8_t*>(::operator new(bytes.size(), kCopyAlignment)));
    copy = small_copies_.back().get();
  } else {
    copy = SlabRoom(bytes.size());
  }
  std::memcpy(copy, bytes.data(), bytes.size());
  return copy;
}

uint8_t* ArrayTree::SlabRoom(size_t num_bytes) {
  if (slabs_.empty() || slabs_.back()->capacity - slab_bytes_used_ < num_bytes) {
    SlabPtr slab = pool_->Acquire(std::max(num_bytes, kLeastSlab));
    if (!slab) throw std::bad_alloc();
    slabs_.push_back(std::move(slab));
    slab_bytes_used_ = 0;
  }
  const size_t start = slab_bytes_used_;
  constexpr auto kAlignment = static_cast<size_t>(kCopyAlignment);
  // Capacities are multiples of the alignment, so this never passes the end.
  slab_bytes_used_ += (num_bytes + kAlignment - 1) / kAlignment * kAlignment;
  return slabs_.back()->data + start;
}

void ArrayTree::HandOut(std::unique_ptr<ArrayTree> tree, ArrowArray* out) {
  ArrayTree* const shared = tree.release();  // the release callbacks delete it
  shared->num_unreleased_ = shared->num_nodes_used_;
  for (size_t i = 0; i < shared->num_nodes_used_; ++i) {
    shared->nodes_[i].private_data = shared;
    shared->nodes_[i].release = &ArrayTree::Release;
  }
  *out = shared->nodes_[0];
  shared->nodes_[0].release = nullptr;
}

void ArrayTree::Release(ArrowArray* array) {
  for (int64_t i = 0; i < array->n_children; ++i) {
    ArrowArray* const child = array->children[i];
    if (child->release) child->release(child);
  }
  auto* const tree = static_cast<ArrayTree*>(array->private_data);
  array->release = nullptr;
  if (tree->num_unreleased_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete tree;
}

}  // namespace dbx
