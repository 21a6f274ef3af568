// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "arrow/lz4_frame.h"
#include "base/mutex.h"

namespace dbx {

/// Decompressors that no chunk uses just now: each holds buffers of some megabytes, whose pages are
/// better touched once only. All methods from any thread.
class Lz4Shelf {
 public:
  std::unique_ptr<Lz4FrameDecoder> Take() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (idle_.empty()) return std::make_unique<Lz4FrameDecoder>();
    std::unique_ptr<Lz4FrameDecoder> decoder = std::move(idle_.back());
    idle_.pop_back();
    return decoder;
  }

  void PutBack(std::unique_ptr<Lz4FrameDecoder> decoder) EXCLUDES(mutex_) {
    if (!decoder) return;
    decoder->Reset();
    MutexLock lock(mutex_);
    idle_.push_back(std::move(decoder));
  }

 private:
  Mutex mutex_;
  std::vector<std::unique_ptr<Lz4FrameDecoder>> idle_ GUARDED_BY(mutex_);
};

}  // namespace dbx
