// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "arrow/ipc_decoder.h"
#include "base/mutex.h"
#include "cloudfetch/chunk_decoder.h"
#include "cloudfetch/stream_counters.h"

namespace dbx {

/// The threads that run decoders, the lowest chunk first. A decoder is in here at most once:
/// whoever adds it has just got its turn.
class DecodePool {
 public:
  /// Called on a worker's thread.
  class Listener {
   public:
    virtual ~Listener() = default;
    /// The decoder is with the listener again, but for kStarved and kTicketMissing, when its queue
    /// has it.
    virtual void OnYield(int64_t chunk_index, ChunkDecoder::Yield yield) = 0;
  };

  /// A thread for each of `ipc_decoders`. `listener` and `counters` outlive this.
  DecodePool(std::vector<std::unique_ptr<IpcDecoder>> ipc_decoders, Listener* listener,
             StreamCounters* counters);
  /// Joins. Decoders that wait are dropped; one that runs ends by its settings' `stopping`.
  ~DecodePool() { Stop(); }
  DecodePool(const DecodePool&) = delete;
  DecodePool& operator=(const DecodePool&) = delete;

  void Add(int64_t chunk_index, ChunkDecoder* decoder) EXCLUDES(mutex_);
  void Stop() EXCLUDES(mutex_);

 private:
  struct Task {
    int64_t chunk_index = 0;
    ChunkDecoder* decoder = nullptr;
  };
  void Run(IpcDecoder& ipc);
  Task Take() EXCLUDES(mutex_);

  Listener* const listener_;
  StreamCounters* const counters_;
  const std::vector<std::unique_ptr<IpcDecoder>> ipc_decoders_;

  Mutex mutex_;
  Condition changed_;
  std::map<int64_t, ChunkDecoder*> waiting_ GUARDED_BY(mutex_);  // by chunk index
  bool stopped_ GUARDED_BY(mutex_) = false;

  std::vector<std::thread> threads_;
};

}  // namespace dbx
