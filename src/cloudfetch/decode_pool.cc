// SPDX-License-Identifier: Apache-2.0
#include "cloudfetch/decode_pool.h"

#include <chrono>
#include <utility>

namespace dbx {

DecodePool::DecodePool(std::vector<std::unique_ptr<IpcDecoder>> ipc_decoders, Listener* listener,
                       StreamCounters* counters)
    : listener_(listener), counters_(counters), ipc_decoders_(std::move(ipc_decoders)) {
  for (const std::unique_ptr<IpcDecoder>& ipc : ipc_decoders_) {
    threads_.emplace_back([this, decoder = ipc.get()] { Run(*decoder); });
  }
}

void DecodePool::Add(int64_t chunk_index, ChunkDecoder* decoder) {
  MutexLock lock(mutex_);
  if (stopped_) return;
  waiting_.emplace(chunk_index, decoder);
  changed_.NotifyOne();
}

void DecodePool::Stop() {
  {
    MutexLock lock(mutex_);
    stopped_ = true;
    waiting_.clear();
    changed_.NotifyAll();
  }
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

DecodePool::Task DecodePool::Take() {
  MutexLock lock(mutex_);
  while (!stopped_ && waiting_.empty()) changed_.Wait(mutex_);
  if (stopped_) return {};
  const auto first = waiting_.begin();
  const Task task{.chunk_index = first->first, .decoder = first->second};
  waiting_.erase(first);
  return task;
}

void DecodePool::Run(IpcDecoder& ipc) {
  int64_t copies = 0;
  for (Task task = Take(); task.decoder; task = Take()) {
    const auto start = std::chrono::steady_clock::now();
    const ChunkDecoder::Yield yield = task.decoder->Run(ipc);
    counters_->decode_time += (std::chrono::steady_clock::now() - start).count();
    counters_->misaligned_copies += ipc.misaligned_copies() - copies;
    copies = ipc.misaligned_copies();
    // A parked decoder may be with another worker by now: it is not touched any more.
    if (yield != ChunkDecoder::Yield::kStarved) listener_->OnYield(task.chunk_index, yield);
  }
}

}  // namespace dbx
