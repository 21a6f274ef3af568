// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace dbx {

/// A piece of memory from a SlabPool; goes back there when the last reference dies, on whatever
/// thread.
struct Slab {
  uint8_t* data = nullptr;  ///< 64-byte aligned at least
  size_t capacity = 0;
};
using SlabPtr = std::shared_ptr<const Slab>;

struct SlabPoolStatistics {
  int64_t slabs_made = 0;      ///< fresh memory asked of the system
  int64_t slabs_recycled = 0;  ///< served from the pool
  int64_t bytes_lent = 0;
  int64_t bytes_idle = 0;
  int64_t peak_bytes = 0;  ///< lent and idle together
};

/// Recycles large memory so that its pages are touched for the first time once only. Size classes
/// between 64 KiB and 32 MiB (larger ones are exact and not kept); idle memory is bounded by
/// `max_idle_bytes` and given back to the system by Trim or when the pool dies. Lent slabs may
/// outlive the pool object. All methods from any thread.
class SlabPool {
 public:
  static std::shared_ptr<SlabPool> Make(size_t max_idle_bytes);
  virtual ~SlabPool() = default;

  /// Memory of at least `num_bytes` with whatever was in it. Null only when the system has none.
  virtual SlabPtr Acquire(size_t num_bytes) = 0;
  /// The capacity that Acquire would give.
  virtual size_t CapacityFor(size_t num_bytes) const = 0;
  /// Gives idle memory back to the system.
  virtual void Trim() = 0;
  virtual SlabPoolStatistics statistics() const = 0;
};

}  // namespace dbx
