// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
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
/// Beside the GET of an attempt a second one may run, which asks for the file from a later byte on.
/// As soon as the first one has come so far, the second one takes its place and the first is cut.
/// Asked for from the byte that is due now, it is a hedge against a connection that has become
/// slow; asked for from the middle of what is missing, it halves the time for the rest.
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
    /// The queue has a low ticket; or none, and the transfer rests until it has a larger one and
    /// Resume is called.
    virtual void OnTicketMissing(int64_t chunk_index) = 0;
  };

  /// A file that is stated to be larger counts as so large: sizes can be added up without care.
  static constexpr int64_t kMostBytes = int64_t{1} << 40;

  struct Limits {
    Milliseconds timeout{0};  ///< for all attempts together, without the time that they rested
    Milliseconds stall_timeout{0};  ///< without a byte
    bool use_ranges = true;
  };

  /// `body`, `side_body` (for the second GET), `listener` and `counters` outlive this.
  Download(int64_t chunk_index, BodyQueue* body, BodyQueue* side_body, Listener* listener,
           StreamCounters* counters)
      : chunk_index_(chunk_index),
        body_(body),
        side_body_(side_body),
        listener_(listener),
        counters_(counters),
        side_(this) {}
  ~Download() override { Stop(); }

  /// Sends the next GET, with the headers of `link` and no others but Range and If-Range.
  /// False when the file's time is used up: then nothing was started.
  bool Start(HttpClient& client, const ResultLink& link, const Limits& limits);
  /// Sends a second GET for what follows `first_byte`; once in an attempt. Its failure is no news.
  void StartSide(HttpClient& client, const ResultLink& link, const Limits& limits,
                 int64_t first_byte);
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
  /// In this attempt there is, or was, a second GET.
  bool has_side() const { return side_transfer_ != nullptr; }
  /// Of the file; from any thread, as are the next two.
  int64_t received_bytes() const { return received_bytes_; }
  /// Of the file, once a server has said so, up to kMostBytes; else 0.
  int64_t total_bytes() const { return stated_total_; }
  /// Of this attempt, without the time that it rested.
  Milliseconds ActiveTime() const;
  /// How long the bytes of the rest will take at the rate of this attempt, once that has been seen
  /// for so long; nullopt before, and while the file's size is not known.
  std::optional<Milliseconds> TimeLeft(Milliseconds least_seen) const;
  /// When TimeLeft should be asked again; nullopt: it is known, or no byte has come.
  std::optional<Milliseconds> UntilSeen(Milliseconds least_seen) const;
  int32_t attempt_number() const { return attempt_number_; }

 private:
  /// Hears of the second GET.
  class Side : public HttpObserver {
   public:
    explicit Side(Download* download) : download_(download) {}
    bool OnHead(const HttpResponseHead& head) override { return download_->OnSideHead(head); }
    Flow OnBody(Bytes piece) override { return download_->OnSideBody(piece); }
    void OnDone(const Status& status) override { download_->OnSideDone(status); }

   private:
    Download* const download_;
  };
  enum class SideState : uint8_t {
    kNone,      ///< nothing has been heard of it
    kAnswered,  ///< its bytes wait in side_body_
    kJoined,    ///< it has taken the first one's place
    kDropped,   ///< of no use
  };

  bool OnHead(const HttpResponseHead& head) override;
  Flow OnBody(Bytes piece) override;
  void OnDone(const Status& status) override;
  bool OnSideHead(const HttpResponseHead& head);
  Flow OnSideBody(Bytes piece);
  void OnSideDone(const Status& status);

  bool AcceptWhole(const HttpResponseHead& head);
  bool AcceptRest(const HttpResponseHead& head);
  bool IsSameFile(const HttpResponseHead& head, std::optional<int64_t> total);
  bool Refuse(Attempt::Trouble trouble);
  Flow Take(Bytes piece);
  Flow Rest(bool decodable);
  bool JoinSide();
  bool IsSideDue() const;
  bool IsSideAlive() const;
  bool IsSideWhole() const;
  void DropTransfers();
  void Conclude(const Status& status);
  Milliseconds ActiveSince(int64_t start) const;
  HttpRequest MakeRequest(const ResultLink& link, const Limits& limits) const;

  // Set once.
  const int64_t chunk_index_;
  BodyQueue* const body_;
  BodyQueue* const side_body_;
  Listener* const listener_;
  StreamCounters* const counters_;

  // The scheduler's.
  std::unique_ptr<HttpTransfer> transfer_;
  std::unique_ptr<HttpTransfer> side_transfer_;
  int32_t attempt_number_ = 0;
  Milliseconds active_time_{0};  // of the attempts that are over
  int64_t bytes_before_ = 0;     // received by those
  SteadyTime attempt_start_;

  // The client's thread writes, any thread reads.
  std::atomic<int64_t> received_bytes_{0};  // of the file, in the queue
  std::atomic<int64_t> stated_total_{0};    // total_bytes_
  std::atomic<int64_t> resting_since_{0};   // nanoseconds of the steady clock; 0: it does not
  std::atomic<int64_t> rested_{0};          // nanoseconds in this attempt
  std::atomic<int64_t> flow_start_{0};      // when the head of this attempt came; 0: it has not
  std::atomic<bool> side_asked_{false};     // in this attempt; the scheduler writes

  // Whoever's turn it is.
  Attempt attempt_;
  bool range_asked_ = false;
  int64_t bytes_to_skip_ = 0;           // that we have already and the server sends again
  std::optional<int64_t> total_bytes_;  // of the file, once a server said so
  std::string etag_;                    // of the file, if it has a strong one
  Side side_;
  SideState side_state_ = SideState::kNone;
  int64_t side_first_byte_ = 0;
  HttpResponseHead side_head_;
  bool side_done_ = false;   // all its bytes wait
  bool main_ended_ = false;  // the first GET has failed; the second one may still come
  bool concluded_ = false;   // the listener knows of the attempt's end
};

}  // namespace dbx
