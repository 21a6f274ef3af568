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

/// A weak one ("W/…") does not promise equal bytes.
std::string StrongEtag(const HttpResponseHead& head) {
  const std::string_view etag = head.Header("ETag");
  return etag.starts_with('"') ? std::string(etag) : std::string();
}

Milliseconds Since(SteadyTime start) {
  return std::chrono::duration_cast<Milliseconds>(std::chrono::steady_clock::now() - start);
}

}  // namespace

HttpRequest Download::MakeRequest(const ResultLink& link, const Limits& limits) const {
  HttpRequest request;
  request.url = link.presigned_url;
  for (const auto& [name, value] : link.headers) request.headers.push_back({name, value});
  if (received_bytes_ > 0 && limits.use_ranges) {
    request.headers.push_back({"Range", Secret(StrCat("bytes=", received_bytes_, "-"))});
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
  resting_since_.reset();
  rested_ = Milliseconds{0};
  attempt_start_ = std::chrono::steady_clock::now();
  transfer_ = client.Start(MakeRequest(link, limits), this);
  return true;
}

void Download::Resume() {
  if (transfer_) transfer_->Resume();
}

void Download::Cancel() {
  if (transfer_) transfer_->Cancel();
}

void Download::Stop() {
  if (!transfer_) return;
  transfer_.reset();
  ++attempt_number_;  // what is still on its way to the listener is of the past
}

Attempt Download::Finish() {
  transfer_.reset();
  active_time_ += ActiveTime();
  attempt_.received_bytes = received_bytes_;
  return std::move(attempt_);
}

Milliseconds Download::ActiveTime() const {
  const Milliseconds resting = resting_since_ ? Since(*resting_since_) : Milliseconds{0};
  return std::max(Since(attempt_start_) - rested_ - resting, Milliseconds{0});
}

void Download::Restart() {
  received_bytes_ = 0;
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
  attempt_.answered = true;
  attempt_.head = head;
  if (head.status == kOk) return AcceptWhole(head);
  if (head.status == kPartialContent) return AcceptRest(head);
  return true;  // the body tells why
}

HttpObserver::Flow Download::Rest(bool decodable) {
  resting_since_ = std::chrono::steady_clock::now();
  if (decodable) listener_->OnDecodable(chunk_index_);
  listener_->OnTicketMissing(chunk_index_);
  return Flow::kPause;
}

HttpObserver::Flow Download::OnBody(Bytes piece) {
  if (resting_since_) rested_ += Since(*std::exchange(resting_since_, std::nullopt));
  if (attempt_.head.status != kOk && attempt_.head.status != kPartialContent) {
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
  return Flow::kContinue;
}

void Download::OnDone(const Status& status) {
  attempt_.transport = status;
  const bool body_came = attempt_.trouble == Attempt::Trouble::kNone && status.ok() &&
                         (attempt_.head.status == kOk || attempt_.head.status == kPartialContent);
  if (body_came && total_bytes_ && received_bytes_ < *total_bytes_) {
    attempt_.trouble = Attempt::Trouble::kCutShort;
  } else if (body_came && bytes_to_skip_ > 0) {
    attempt_.trouble = Attempt::Trouble::kFileChanged;  // it is shorter than what we have of it
  }
  listener_->OnAttemptDone(chunk_index_, attempt_number_);
}

}  // namespace dbx
