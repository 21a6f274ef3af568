// SPDX-License-Identifier: Apache-2.0
#include "cloudfetch/download.h"

#include <algorithm>
#include <utility>

#include "base/str_cat.h"

namespace dbx {
namespace {

constexpr int kOk = 200;
constexpr int kPartialContent = 206;
// Enough of an error's body to know its class and tell its text.
constexpr size_t kErrorBodyBytes = 4096;
// A GET that has brought so much since a hedge against it was sent is not slow any more.
constexpr int64_t kMostHedgeWaste = 512 << 10;

bool IsSuccess(const HttpResponseHead& head) {
  return head.status == kOk || head.status == kPartialContent;
}

/// A weak one ("W/…") does not promise equal bytes.
std::string StrongEtag(const HttpResponseHead& head) {
  const std::string_view etag = head.Header("ETag");
  return etag.starts_with('"') ? std::string(etag) : std::string();
}

int64_t Nanoseconds() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

HttpRequest Download::MakeRequest(const ResultLink& link, const Limits& limits) const {
  HttpRequest request;
  request.url = link.presigned_url;
  for (const auto& [name, value] : link.headers) request.headers.push_back({name, value});
  if (received_bytes_ > 0 && limits.use_ranges) {
    request.headers.push_back({"Range", Secret(StrCat("bytes=", received_bytes_.load(), "-"))});
    if (!etag_.empty()) request.headers.push_back({"If-Range", Secret(etag_)});
  }
  request.stall_timeout = limits.stall_timeout;
  if (limits.timeout.count() > 0) request.timeout = limits.timeout - active_time_;
  return request;
}

bool Download::Start(HttpClient& client, const ResultLink& link, const Limits& limits) {
  if (limits.timeout.count() > 0 && active_time_ >= limits.timeout) return false;
  attempt_ = Attempt();
  ++attempt_number_;
  range_asked_ = received_bytes_ > 0 && limits.use_ranges;
  bytes_to_skip_ = 0;
  resting_since_ = 0;
  rested_ = 0;
  flow_start_ = 0;
  bytes_before_ = received_bytes_;
  side_asked_ = false;
  side_state_ = SideState::kNone;
  side_done_ = main_ended_ = concluded_ = false;
  attempt_start_ = std::chrono::steady_clock::now();
  transfer_ = client.Start(MakeRequest(link, limits), this);
  return true;
}

void Download::StartSide(HttpClient& client, const ResultLink& link, const Limits& limits,
                         int64_t first_byte) {
  HttpRequest request;
  request.url = link.presigned_url;
  for (const auto& [name, value] : link.headers) request.headers.push_back({name, value});
  request.headers.push_back({"Range", Secret(StrCat("bytes=", first_byte, "-"))});
  request.stall_timeout = limits.stall_timeout;
  if (limits.timeout.count() > 0) {
    request.timeout = std::max(Milliseconds{1}, limits.timeout - active_time_ - ActiveTime());
  }
  side_first_byte_ = first_byte;
  side_asked_ = true;
  ++counters_->sides_asked;
  side_transfer_ = client.Start(std::move(request), &side_);
}

// One that does not rest takes no notice.
void Download::Resume() {
  if (transfer_) transfer_->Resume();
  if (side_transfer_) side_transfer_->Resume();
}

void Download::Cancel() {
  if (transfer_) transfer_->Cancel();
  if (side_transfer_) side_transfer_->Cancel();
}

void Download::Stop() {
  if (!transfer_) return;
  DropTransfers();
  ++attempt_number_;  // what is still on its way to the listener is of the past
}

void Download::DropTransfers() {
  // In this order: a call of the second one may use the first.
  side_transfer_.reset();
  transfer_.reset();
  side_body_->Restart();
  side_body_->DropTicket();
}

Attempt Download::Finish() {
  DropTransfers();
  active_time_ += ActiveTime();
  attempt_.received_bytes = received_bytes_;
  return std::move(attempt_);
}

Milliseconds Download::ActiveSince(int64_t start) const {
  const int64_t now = Nanoseconds();
  const int64_t resting_since = resting_since_;
  const int64_t resting = resting_since == 0 ? 0 : now - resting_since;
  return std::chrono::duration_cast<Milliseconds>(
      std::chrono::nanoseconds(std::max<int64_t>(now - start - rested_ - resting, 0)));
}

Milliseconds Download::ActiveTime() const {
  return ActiveSince(std::chrono::nanoseconds(attempt_start_.time_since_epoch()).count());
}

std::optional<Milliseconds> Download::UntilSeen(Milliseconds least_seen) const {
  if (flow_start_ == 0) return std::nullopt;
  const Milliseconds left = least_seen - ActiveSince(flow_start_);
  return left.count() > 0 ? std::optional(left) : std::nullopt;
}

std::optional<Milliseconds> Download::TimeLeft(Milliseconds least_seen) const {
  if (flow_start_ == 0 || stated_total_ == 0) return std::nullopt;
  const Milliseconds seen = ActiveSince(flow_start_);
  if (seen < least_seen || seen.count() == 0) return std::nullopt;
  const auto came = static_cast<double>(std::max<int64_t>(received_bytes_ - bytes_before_, 1));
  const auto rest = static_cast<double>(stated_total_ - received_bytes_);
  return Milliseconds(static_cast<int64_t>(rest / came * static_cast<double>(seen.count())));
}

void Download::Restart() {
  received_bytes_ = 0;
  bytes_before_ = 0;
  stated_total_ = 0;
  total_bytes_.reset();
  etag_.clear();
}

bool Download::Refuse(Attempt::Trouble trouble) {
  attempt_.trouble = trouble;
  return false;
}

bool Download::IsSameFile(const HttpResponseHead& head, std::optional<int64_t> total) {
  const std::string etag = StrongEtag(head);
  if (!etag_.empty() && !etag.empty() && etag != etag_) return false;
  if (total_bytes_ && total && *total != *total_bytes_) return false;
  if (etag_.empty()) etag_ = etag;
  if (!total_bytes_) total_bytes_ = total;
  stated_total_ = std::min(total_bytes_.value_or(0), kMostBytes);
  return true;
}

bool Download::AcceptWhole(const HttpResponseHead& head) {
  if (!IsSameFile(head, head.content_length)) return Refuse(Attempt::Trouble::kFileChanged);
  bytes_to_skip_ = received_bytes_;
  return true;
}

bool Download::AcceptRest(const HttpResponseHead& head) {
  const std::optional<ContentRange> range = ParseContentRange(head.Header("Content-Range"));
  if (!range || range->first != received_bytes_) return Refuse(Attempt::Trouble::kWrongRange);
  if (!IsSameFile(head, range->total)) return Refuse(Attempt::Trouble::kFileChanged);
  if (range_asked_) counters_->resumed_bytes += *range->last - *range->first + 1;
  return true;
}

bool Download::OnHead(const HttpResponseHead& head) {
  if (side_state_ == SideState::kJoined) return false;
  attempt_.answered = true;
  attempt_.head = head;
  flow_start_ = Nanoseconds();
  if (head.status == kOk) return AcceptWhole(head);
  if (head.status == kPartialContent) return AcceptRest(head);
  return true;  // the body tells why
}

HttpObserver::Flow Download::Rest(bool decodable) {
  resting_since_ = Nanoseconds();
  if (decodable) listener_->OnDecodable(chunk_index_);
  listener_->OnTicketMissing(chunk_index_);
  return Flow::kPause;
}

HttpObserver::Flow Download::OnBody(Bytes piece) {
  if (side_state_ == SideState::kJoined) return Flow::kEnd;
  const Flow flow = Take(piece);
  // What the second GET has follows what is here.
  const bool joins = flow != Flow::kEnd && side_state_ == SideState::kAnswered && IsSideDue() &&
                     side_body_->unread_bytes() > 0;
  return joins && JoinSide() ? Flow::kEnd : flow;
}

/// Bytes of the GET that the body comes from.
HttpObserver::Flow Download::Take(Bytes piece) {
  if (const int64_t since = resting_since_.exchange(0); since != 0) {
    rested_ += Nanoseconds() - since;
  }
  if (!IsSuccess(attempt_.head)) {
    const size_t room = kErrorBodyBytes - std::min(kErrorBodyBytes, attempt_.error_body.size());
    attempt_.error_body.append(AsText(piece.first(std::min(room, piece.size()))));
    return room > piece.size() ? Flow::kContinue : Flow::kEnd;
  }
  const auto skipped = std::min<size_t>(static_cast<size_t>(bytes_to_skip_), piece.size());
  const Bytes fresh = piece.subspan(skipped);
  if (fresh.empty()) {
    bytes_to_skip_ -= static_cast<int64_t>(skipped);
    return Flow::kContinue;
  }
  const BodyQueue::Appended appended =
      body_->Append(fresh, total_bytes_ ? *total_bytes_ - received_bytes_ : 0);
  switch (appended) {
    case BodyQueue::Appended::kNoTicket:
    case BodyQueue::Appended::kNoTicketDecode:
      return Rest(appended == BodyQueue::Appended::kNoTicketDecode);
    case BodyQueue::Appended::kNoMemory:
      attempt_.trouble = Attempt::Trouble::kNoMemory;
      return Flow::kEnd;
    case BodyQueue::Appended::kTaken:
    case BodyQueue::Appended::kDecode:
      break;
  }
  bytes_to_skip_ -= static_cast<int64_t>(skipped);
  attempt_.num_bytes += static_cast<int64_t>(fresh.size());
  received_bytes_ += static_cast<int64_t>(fresh.size());
  counters_->bytes_downloaded += static_cast<int64_t>(fresh.size());
  if (appended == BodyQueue::Appended::kDecode) listener_->OnDecodable(chunk_index_);
  if (body_->ShouldAskForTicket()) listener_->OnTicketMissing(chunk_index_);
  return Flow::kContinue;
}

void Download::OnDone(const Status& status) {
  if (side_state_ == SideState::kJoined) return;  // it was cut
  attempt_.transport = status;
  main_ended_ = true;
  // The hedge may bring what this one has failed to; but not one that rests, for whose bytes there
  // may never be room.
  const bool side_comes = IsSideAlive() && IsSideDue() && side_body_->missing_bytes() == 0;
  if (!status.ok() && attempt_.trouble == Attempt::Trouble::kNone && side_comes) return;
  Conclude(status);
}

void Download::Conclude(const Status& status) {
  concluded_ = true;
  const bool body_came =
      attempt_.trouble == Attempt::Trouble::kNone && status.ok() && IsSuccess(attempt_.head);
  if (body_came && total_bytes_ && received_bytes_ < *total_bytes_) {
    attempt_.trouble = Attempt::Trouble::kCutShort;
  } else if (body_came && bytes_to_skip_ > 0) {
    attempt_.trouble = Attempt::Trouble::kFileChanged;  // it is shorter than what we have of it
  }
  listener_->OnAttemptDone(chunk_index_, attempt_number_);
}

// ---- the second GET

bool Download::IsSideDue() const {
  return received_bytes_ >= side_first_byte_;
}

bool Download::IsSideAlive() const {
  return side_state_ == SideState::kAnswered || (side_state_ == SideState::kNone && side_asked_);
}

bool Download::OnSideHead(const HttpResponseHead& head) {
  const std::optional<ContentRange> range = ParseContentRange(head.Header("Content-Range"));
  const bool good = !concluded_ && head.status == kPartialContent && range &&
                    range->first == side_first_byte_ && IsSameFile(head, range->total);
  side_state_ = good ? SideState::kAnswered : SideState::kDropped;
  if (good) side_head_ = head;
  return good;
}

HttpObserver::Flow Download::OnSideBody(Bytes piece) {
  if (side_state_ == SideState::kJoined) return Take(piece);
  if (side_state_ != SideState::kAnswered || concluded_) return Flow::kEnd;
  if (IsSideDue()) {
    if (!JoinSide()) return Flow::kEnd;
    transfer_->Cancel();  // it may be silent for long
    return Take(piece);
  }
  const BodyQueue::Appended appended = side_body_->Append(piece, 0);
  if (appended == BodyQueue::Appended::kNoMemory) return Flow::kEnd;
  if (appended == BodyQueue::Appended::kTaken) {
    counters_->bytes_downloaded += static_cast<int64_t>(piece.size());
    return Flow::kContinue;
  }
  listener_->OnTicketMissing(chunk_index_);
  return Flow::kPause;
}

void Download::OnSideDone(const Status& status) {
  if (side_state_ == SideState::kJoined) {
    attempt_.transport = status;
    return Conclude(status);
  }
  // All of it is here, and waits for the first one to come so far.
  side_done_ = status.ok() && side_state_ == SideState::kAnswered && IsSideWhole();
  if (side_done_) return;
  side_state_ = SideState::kDropped;
  if (main_ended_ && !concluded_) Conclude(attempt_.transport);
}

bool Download::IsSideWhole() const {
  return total_bytes_ && side_first_byte_ + side_body_->unread_bytes() == *total_bytes_;
}

// The second GET takes the place of the first one. False when that is not worth it any more.
bool Download::JoinSide() {
  const int64_t ahead = received_bytes_ - side_first_byte_ - side_body_->unread_bytes();
  if (ahead > kMostHedgeWaste && !main_ended_) {
    side_state_ = SideState::kDropped;
    return false;
  }
  side_state_ = SideState::kJoined;
  const int64_t bytes_so_far = attempt_.num_bytes;
  attempt_ = Attempt();
  attempt_.answered = true;
  attempt_.head = side_head_;
  attempt_.num_bytes = bytes_so_far;
  side_body_->Consume(static_cast<size_t>(
      std::min(received_bytes_ - side_first_byte_, side_body_->unread_bytes())));
  bytes_to_skip_ = std::max<int64_t>(ahead, 0);
  const int64_t num_bytes = side_body_->unread_bytes();
  attempt_.num_bytes += num_bytes;
  received_bytes_ += num_bytes;
  ++counters_->sides_joined;
  if (body_->TakeOver(*side_body_)) listener_->OnDecodable(chunk_index_);
  if (body_->missing_bytes() > 0) listener_->OnTicketMissing(chunk_index_);
  if (side_done_) Conclude(Status::Ok());
  return true;
}

}  // namespace dbx
