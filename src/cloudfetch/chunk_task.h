// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "base/status.h"
#include "cloudfetch/body_queue.h"
#include "cloudfetch/chunk.h"
#include "cloudfetch/chunk_decoder.h"
#include "cloudfetch/decode_pool.h"
#include "cloudfetch/download.h"
#include "http/retry.h"
#include "result/result_manifest.h"

namespace dbx {

/// All that the scheduler knows of one chunk between its link and its last row. Its thread alone
/// touches it, but for the three stages below, which are each with one owner at a time, and the
/// news that Download brings.
class ChunkTask : private Download::Listener {
 public:
  enum class State : uint8_t {
    kQueued,        ///< waits for a download slot and bytes
    kAwaitingLink,  ///< a fresh link has been asked for
    kRunning,       ///< a GET is under way
    kWaiting,       ///< until `retry_at`
    kBodyEnded,     ///< no more bytes will come
  };

  ChunkTask(ResultLink chunk_link, SlabPool* pool, size_t block_bytes, DecoderSettings* settings,
            DecodePool* decode_pool, Download::Listener* news)
      : link(std::move(chunk_link)),
        chunk(std::make_shared<Chunk>(link.chunk_index, link.num_rows)),
        body(pool, block_bytes),
        side_body(pool, block_bytes),
        decoder(link, chunk, &body, settings),
        download(link.chunk_index, &body, &side_body, this, settings->counters),
        decode_pool_(decode_pool),
        news_(news) {}

  int64_t index() const { return chunk->index(); }
  /// Gives the decoder, which is with the caller, to a worker.
  void Decode() { decode_pool_->Add(index(), &decoder); }

  ResultLink link;
  const std::shared_ptr<Chunk> chunk;
  BodyQueue body;
  BodyQueue side_body;  // of the second GET, until it takes the first one's place
  ChunkDecoder decoder;
  Download download;

  State state = State::kQueued;
  bool has_ticket = false;
  bool is_open = false;             // near: its decoder may run
  int64_t slab_missing_bytes = 0;   // what its decoder, which is with the scheduler, waits for
  bool restart_wanted = false;      // as soon as the decoder is back
  bool is_done = false;             // closed: the reader has what there is
  std::optional<RetryState> retry;  // of the failures since the last progress
  SteadyTime retry_at;
  int32_t num_refreshes = 0;  // since the last progress
  int32_t num_restarts = 0;

 private:
  void OnAttemptDone(int64_t chunk_index, int32_t attempt_number) override {
    news_->OnAttemptDone(chunk_index, attempt_number);
  }
  void OnDecodable(int64_t /*chunk_index*/) override { Decode(); }
  void OnTicketMissing(int64_t chunk_index) override { news_->OnTicketMissing(chunk_index); }

  DecodePool* const decode_pool_;
  Download::Listener* const news_;
};

}  // namespace dbx
