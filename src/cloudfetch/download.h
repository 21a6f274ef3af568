// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "cloudfetch/attempt.h"
#include "cloudfetch/body_queue.h"
#include "cloudfetch/stream_counters.h"
#include "http/http_client.h"
#include "result/result_manifest.h"

namespace dbx {

/// One chunk's file on its way from storage into its BodyQueue, by as many GETs as it takes: each
/// goes on from the byte where the one before stopped.
///
/// Belongs to the scheduler between attempts and to the client's thread during one: from Start
/// until the listener has heard OnAttemptDone, or until Stop has returned.
class Download : private HttpObserver {
 public:
  /// Called on the client's thread; must be quick.
  class Listener {
   public:
    virtual ~Listener() = default;
    virtual void OnAttemptDone(int64_t chunk_index, int32_t attempt_number) = 0;
    /// The decoder of this chunk has its turn.
    virtual void OnDecodable(int64_t chunk_index) = 0;
    /// The transfer rests until its queue has a larger ticket and Resume is called.
    virtual void OnTicketMissing(int64_t chunk_index) = 0;
  };

  struct Limits {
    Milliseconds timeout{0};  ///< for all attempts together, without the time that they rested
    Milliseconds stall_timeout{0};  ///< without a byte
    bool use_ranges = true;
  };

  /// `body`, `listener` and `counters` outlive this.
  Download(int64_t chunk_index, BodyQueue* body, Listener* listener, StreamCounters* counters)
      : chunk_index_(chunk_index), body_(body), listener_(listener), counters_(counters) {}
  ~Download() override { Stop(); }

  /// Sends the next GET, with the headers of `link` and no others but Range and If-Range.
  /// False when the file's time is used up: then nothing was started.
  bool Start(HttpClient& client, const ResultLink& link, const Limits& limits);
  /// Goes on after OnTicketMissing.
  void Resume();
  /// Closes the socket at once, without waiting.
  void Cancel();
  /// Ends the attempt without news of its end.
  void Stop();
  /// After OnAttemptDone: what happened. Nothing is running any more.
  Attempt Finish();
  /// Forgets the bytes that came: the next GET asks for the whole file.
  void Restart();

  bool is_running() const { return transfer_ != nullptr; }
  int32_t attempt_number() const { return attempt_number_; }

 private:
  bool OnHead(const HttpResponseHead& head) override;
  Flow OnBody(Bytes piece) override;
  void OnDone(const Status& status) override;

  bool AcceptWhole(const HttpResponseHead& head);
  bool AcceptRest(const HttpResponseHead& head);
  bool IsSameFile(const HttpResponseHead& head, std::optional<int64_t> total);
  bool Refuse(Attempt::Trouble trouble);
  Flow Rest(bool decodable);
  HttpRequest MakeRequest(const ResultLink& link, const Limits& limits) const;
  Milliseconds ActiveTime() const;

  // Set once.
  const int64_t chunk_index_;
  BodyQueue* const body_;
  Listener* const listener_;
  StreamCounters* const counters_;

  // The scheduler's.
  std::unique_ptr<HttpTransfer> transfer_;
  int32_t attempt_number_ = 0;
  Milliseconds active_time_{0};  // of the attempts that are over
  SteadyTime attempt_start_;

  // Whoever's turn it is.
  Attempt attempt_;
  bool range_asked_ = false;
  int64_t received_bytes_ = 0;          // of the file, in the queue
  int64_t bytes_to_skip_ = 0;           // that we have already and the server sends again
  std::optional<int64_t> total_bytes_;  // of the file, once a server said so
  std::string etag_;                    // of the file, if it has a strong one
  std::optional<SteadyTime> resting_since_;
  Milliseconds rested_{0};  // in this attempt
};

}  // namespace dbx
