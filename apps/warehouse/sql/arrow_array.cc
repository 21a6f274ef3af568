// SPDX-License-Identifier: Apache-2.0
#include "sql/arrow_array.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

namespace dbx::local {
namespace {

constexpr size_t kAlignment = 64;

struct OwnedArray {
  std::vector<GrowingBuffer> buffers;
  std::vector<const void*> pointers;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> child_pointers;
};

void ReleaseArray(ArrowArray* array) {
  auto* const owned = static_cast<OwnedArray*>(array->private_data);
  for (ArrowArray& child : owned->children) {
    if (child.release != nullptr) child.release(&child);
  }
  delete owned;
  array->release = nullptr;
}

}  // namespace

GrowingBuffer::~GrowingBuffer() {
  std::free(data_);
}

GrowingBuffer::GrowingBuffer(GrowingBuffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      capacity_(std::exchange(other.capacity_, 0)) {}

GrowingBuffer& GrowingBuffer::operator=(GrowingBuffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(capacity_, other.capacity_);
  return *this;
}

uint8_t* GrowingBuffer::Extend(size_t num_bytes) {
  if (size_ + num_bytes > capacity_) {
    const size_t wanted = std::max({size_ + num_bytes, 2 * capacity_, size_t{1024}});
    const size_t capacity = (wanted + kAlignment - 1) / kAlignment * kAlignment;
    auto* const grown = static_cast<uint8_t*>(std::aligned_alloc(kAlignment, capacity));
    if (grown == nullptr) throw std::bad_alloc();
    if (data_ != nullptr) std::memcpy(grown, data_, size_);
    std::free(data_);
    data_ = grown;
    capacity_ = capacity;
  }
  uint8_t* const begin = data_ + size_;
  size_ += num_bytes;
  return begin;
}

void FillArray(int64_t length, int64_t null_count, std::vector<GrowingBuffer> buffers,
               std::vector<ArrowArray> children, ArrowArray* array) {
  auto owned = std::make_unique<OwnedArray>();
  owned->buffers = std::move(buffers);
  owned->children = std::move(children);
  for (size_t i = 0; i < owned->buffers.size(); ++i) {
    GrowingBuffer& buffer = owned->buffers[i];
    // Only the validity may be absent: readers expect an address of every other buffer.
    if (buffer.data() == nullptr && i > 0) buffer.Extend(1);
    owned->pointers.push_back(buffer.data());
  }
  for (ArrowArray& child : owned->children) owned->child_pointers.push_back(&child);
  *array = {};
  array->length = length;
  array->null_count = null_count;
  array->n_buffers = static_cast<int64_t>(owned->pointers.size());
  array->buffers = owned->pointers.data();
  array->n_children = static_cast<int64_t>(owned->children.size());
  array->children = owned->child_pointers.data();
  array->release = ReleaseArray;
  array->private_data = owned.release();
}

}  // namespace dbx::local
