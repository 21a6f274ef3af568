// SPDX-License-Identifier: Apache-2.0
#include "arrow/slab_pool.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "base/mutex.h"

namespace dbx {
namespace {

constexpr size_t kPageBytes = 4096;
constexpr size_t kHugePageBytes = size_t{2} << 20;
constexpr size_t kSmallestClass = size_t{64} << 10;
constexpr size_t kLargestClass = size_t{32} << 20;
constexpr size_t kSpareIdleBytes = size_t{8} << 20;
// Four classes to each doubling (1, 1.25, 1.5, 1.75): no slab is more than a quarter too large.
constexpr size_t kStepsPerDoubling = 4;
constexpr size_t kNumClasses =
    (std::bit_width(kLargestClass) - std::bit_width(kSmallestClass)) * kStepsPerDoubling + 1;

constexpr size_t ClassBytes(size_t size_class) {
  const size_t doubling = kSmallestClass << (size_class / kStepsPerDoubling);
  return doubling + doubling / kStepsPerDoubling * (size_class % kStepsPerDoubling);
}
static_assert(ClassBytes(kNumClasses - 1) == kLargestClass);

/// The smallest class of `num_bytes` or more; kNumClasses when there is none.
size_t ClassFor(size_t num_bytes) {
  if (num_bytes > kLargestClass) return kNumClasses;
  if (num_bytes <= kSmallestClass) return 0;
  // The largest power of two below it, or the smallest class.
  const size_t doublings = std::bit_width(num_bytes - 1) - std::bit_width(kSmallestClass);
  size_t size_class = doublings * kStepsPerDoubling;
  while (ClassBytes(size_class) < num_bytes) ++size_class;
  return size_class;
}

/// 0 when there is no such size.
size_t RoundUp(size_t value, size_t unit) {
  return value > SIZE_MAX - unit ? 0 : (value + unit - 1) / unit * unit;
}

size_t CapacityOf(size_t num_bytes) {
  const size_t size_class = ClassFor(num_bytes);
  return size_class < kNumClasses ? ClassBytes(size_class) : RoundUp(num_bytes, kPageBytes);
}

uint8_t* Map(size_t num_bytes) {
  void* const memory =
      mmap(nullptr, num_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<uint8_t*>(memory);
}

// A huge page begins at a multiple of its size only: maps more, and gives both ends back.
uint8_t* MapHuge(size_t num_bytes) {
  if (num_bytes > SIZE_MAX - kHugePageBytes) return nullptr;
  uint8_t* const memory = Map(num_bytes + kHugePageBytes);
  if (!memory) return nullptr;
  const size_t past = reinterpret_cast<uintptr_t>(memory) % kHugePageBytes;
  const size_t before = past == 0 ? 0 : kHugePageBytes - past;
  if (before > 0) munmap(memory, before);
  munmap(memory + before + num_bytes, kHugePageBytes - before);
  madvise(memory + before, num_bytes, MADV_HUGEPAGE);  // an advice: no matter if it is refused
  return memory + before;
}

uint8_t* MapSlab(size_t capacity) {
  if (capacity == 0) return nullptr;
  return capacity >= kHugePageBytes ? MapHuge(capacity) : Map(capacity);
}

/// What the pool and its lent slabs share; it lives as long as the last of them.
class Core {
 public:
  explicit Core(size_t max_idle_bytes) : max_idle_bytes_(max_idle_bytes) {}
  ~Core() { Trim(); }

  /// Null when the system has no memory. May throw bad_alloc.
  uint8_t* Acquire(size_t capacity) EXCLUDES(mutex_);
  void Return(uint8_t* data, size_t capacity) noexcept EXCLUDES(mutex_);
  void Trim() EXCLUDES(mutex_) { GiveBackDownTo(0); }

  /// From now on nothing is kept.
  void Close() EXCLUDES(mutex_) {
    {
      MutexLock lock(mutex_);
      max_idle_bytes_ = 0;
    }
    Trim();
  }

  SlabPoolStatistics statistics() const EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return statistics_;
  }

 private:
  struct Idle {
    uint8_t* data = nullptr;
    uint64_t returned = 0;  // counts up with each return: the least is the coldest
  };
  struct SizeClass {
    std::vector<Idle> idle;  // the warmest at the back; has room for all slabs that were made
    size_t num_slabs = 0;    // lent and idle
  };
  struct Mapping {
    uint8_t* data = nullptr;
    size_t capacity = 0;
  };

  uint8_t* TakeIdle(size_t capacity) EXCLUDES(mutex_);
  size_t IdleBeside(size_t capacity) EXCLUDES(mutex_);
  void CountMade(size_t capacity) EXCLUDES(mutex_);
  bool Keep(uint8_t* data, size_t capacity) noexcept EXCLUDES(mutex_);
  std::optional<Mapping> TakeColdest(size_t limit_bytes) noexcept EXCLUDES(mutex_);
  void GiveBackDownTo(size_t limit_bytes) noexcept EXCLUDES(mutex_);

  mutable Mutex mutex_;
  size_t max_idle_bytes_ GUARDED_BY(mutex_);
  uint64_t num_returns_ GUARDED_BY(mutex_) = 0;
  std::array<SizeClass, kNumClasses> classes_ GUARDED_BY(mutex_);
  SlabPoolStatistics statistics_ GUARDED_BY(mutex_);
  int64_t peak_lent_ GUARDED_BY(mutex_) = 0;
};

uint8_t* Core::Acquire(size_t capacity) {
  if (uint8_t* const idle = TakeIdle(capacity)) return idle;
  GiveBackDownTo(IdleBeside(capacity));
  uint8_t* data = MapSlab(capacity);
  if (!data) {
    Trim();  // what is idle in other sizes may be what the system lacks
    data = MapSlab(capacity);
  }
  if (!data) return nullptr;
  try {
    CountMade(capacity);
  } catch (...) {
    munmap(data, capacity);
    throw;
  }
  return data;
}

// Sizes may be wanted one after another: what one leaves idle makes room for the next, so that all
// together never hold much more than was lent at one time.
size_t Core::IdleBeside(size_t capacity) {
  MutexLock lock(mutex_);
  constexpr size_t kMost = size_t{1}
                           << 46;  // more cannot be had, and is no measure of what is used
  if (capacity > kMost) return 0;
  const int64_t lent = statistics_.bytes_lent + static_cast<int64_t>(capacity);
  peak_lent_ = std::max(peak_lent_, lent);
  return static_cast<size_t>(peak_lent_ - lent) + kSpareIdleBytes;
}

uint8_t* Core::TakeIdle(size_t capacity) {
  const size_t size_class = ClassFor(capacity);
  MutexLock lock(mutex_);
  if (size_class == kNumClasses || classes_[size_class].idle.empty()) return nullptr;
  uint8_t* const data = classes_[size_class].idle.back().data;
  classes_[size_class].idle.pop_back();
  ++statistics_.slabs_recycled;
  statistics_.bytes_idle -= static_cast<int64_t>(capacity);
  statistics_.bytes_lent += static_cast<int64_t>(capacity);
  return data;
}

void Core::CountMade(size_t capacity) {
  const size_t size_class = ClassFor(capacity);
  MutexLock lock(mutex_);
  if (size_class < kNumClasses) {
    // Room for its return is made here, because a return may not fail.
    classes_[size_class].idle.reserve(classes_[size_class].num_slabs + 1);
    ++classes_[size_class].num_slabs;
  }
  ++statistics_.slabs_made;
  statistics_.bytes_lent += static_cast<int64_t>(capacity);
  statistics_.peak_bytes =
      std::max(statistics_.peak_bytes, statistics_.bytes_lent + statistics_.bytes_idle);
}

bool Core::Keep(uint8_t* data, size_t capacity) noexcept {
  const size_t size_class = ClassFor(capacity);
  MutexLock lock(mutex_);
  statistics_.bytes_lent -= static_cast<int64_t>(capacity);
  if (size_class == kNumClasses) return false;
  if (capacity > max_idle_bytes_) {
    --classes_[size_class].num_slabs;
    return false;
  }
  classes_[size_class].idle.push_back({data, ++num_returns_});
  statistics_.bytes_idle += static_cast<int64_t>(capacity);
  return true;
}

std::optional<Core::Mapping> Core::TakeColdest(size_t limit_bytes) noexcept {
  MutexLock lock(mutex_);
  if (statistics_.bytes_idle <= static_cast<int64_t>(limit_bytes)) return std::nullopt;
  size_t coldest = kNumClasses;
  for (size_t i = 0; i < kNumClasses; ++i) {
    if (classes_[i].idle.empty()) continue;
    if (coldest == kNumClasses ||
        classes_[i].idle.front().returned < classes_[coldest].idle.front().returned) {
      coldest = i;
    }
  }
  if (coldest == kNumClasses) return std::nullopt;
  const Mapping mapping{classes_[coldest].idle.front().data, ClassBytes(coldest)};
  classes_[coldest].idle.erase(classes_[coldest].idle.begin());
  --classes_[coldest].num_slabs;
  statistics_.bytes_idle -= static_cast<int64_t>(mapping.capacity);
  return mapping;
}

// Unmapping takes long, so the lock is held only to choose, one slab at a time.
void Core::GiveBackDownTo(size_t limit_bytes) noexcept {
  while (const std::optional<Mapping> mapping = TakeColdest(limit_bytes)) {
    munmap(mapping->data, mapping->capacity);
  }
}

void Core::Return(uint8_t* data, size_t capacity) noexcept {
  if (!Keep(data, capacity)) {
    munmap(data, capacity);
    return;
  }
  size_t limit_bytes = 0;
  {
    MutexLock lock(mutex_);
    limit_bytes = max_idle_bytes_;
  }
  GiveBackDownTo(limit_bytes);
}

/// A slab with its way home.
struct LentSlab : Slab {
  LentSlab() = default;
  LentSlab(const LentSlab&) = delete;
  LentSlab& operator=(const LentSlab&) = delete;
  ~LentSlab() {
    if (data) core->Return(data, capacity);
  }
  std::shared_ptr<Core> core;
};

class RecyclingPool : public SlabPool {
 public:
  explicit RecyclingPool(size_t max_idle_bytes) : core_(std::make_shared<Core>(max_idle_bytes)) {}
  ~RecyclingPool() override { core_->Close(); }
  RecyclingPool(const RecyclingPool&) = delete;
  RecyclingPool& operator=(const RecyclingPool&) = delete;

  SlabPtr Acquire(size_t num_bytes) override {
    try {
      auto slab = std::make_shared<LentSlab>();
      slab->core = core_;
      slab->capacity = CapacityOf(num_bytes);
      slab->data = core_->Acquire(slab->capacity);
      if (!slab->data) return nullptr;
      return slab;
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }

  size_t CapacityFor(size_t num_bytes) const override { return CapacityOf(num_bytes); }
  void Trim() override { core_->Trim(); }
  SlabPoolStatistics statistics() const override { return core_->statistics(); }

 private:
  const std::shared_ptr<Core> core_;
};

}  // namespace

std::shared_ptr<SlabPool> SlabPool::Make(size_t max_idle_bytes) {
  return std::make_shared<RecyclingPool>(max_idle_bytes);
}

}  // namespace dbx
