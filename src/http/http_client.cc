// SPDX-License-Identifier: Apache-2.0
#include "http/http_client.h"

#include <strings.h>

#include <algorithm>

#include "base/mutex.h"
#include "base/str_cat.h"

namespace dbx {
namespace {

/// Gathers one answer for the thread that waits for it.
class CallObserver : public HttpObserver {
 public:
  explicit CallObserver(int64_t max_body_bytes) : max_body_bytes_(max_body_bytes) {}

  bool OnHead(const HttpResponseHead& head) override {
    response_.head = head;
    if (head.content_length.value_or(0) > max_body_bytes_) return Refuse();
    // What a header states is not believed beyond a modest size: the body grows as bytes arrive.
    constexpr int64_t kReserve = int64_t{1} << 20;
    response_.body.reserve(std::min(head.content_length.value_or(0), kReserve));
    return true;
  }

  Flow OnBody(Bytes piece) override {
    const auto room = max_body_bytes_ - static_cast<int64_t>(response_.body.size());
    if (static_cast<int64_t>(piece.size()) > room) return Refuse() ? Flow::kContinue : Flow::kEnd;
    response_.body.append(AsText(piece));
    return Flow::kContinue;
  }

  void OnDone(const Status& status) override {
    MutexLock lock(mutex_);
    status_ = refused_.ok() ? status : refused_;
    done_ = true;
    changed_.NotifyAll();
  }

  Status Wait() {
    MutexLock lock(mutex_);
    while (!done_) changed_.Wait(mutex_);
    return status_;
  }

  /// After Wait only.
  HttpResponse TakeResponse() { return std::move(response_); }

 private:
  bool Refuse() {
    refused_ = Status::InvalidData(
        StrCat("the answer is longer than the ", max_body_bytes_, " bytes that are allowed"));
    return false;
  }

  const int64_t max_body_bytes_;
  HttpResponse response_;  // of the client's thread until done_
  Status refused_;         // the same
  Mutex mutex_;
  Condition changed_;
  bool done_ GUARDED_BY(mutex_) = false;
  Status status_ GUARDED_BY(mutex_);
};

}  // namespace

std::string_view HttpResponseHead::Header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (key.size() == name.size() && strncasecmp(key.data(), name.data(), name.size()) == 0) {
      return value;
    }
  }
  return {};
}

Result<HttpResponse> HttpClient::Call(HttpRequest request, Cancellation* cancellation,
                                      int64_t max_body_bytes) {
  if (cancellation) RETURN_IF_ERROR(cancellation->status());
  CallObserver observer(max_body_bytes);
  const std::unique_ptr<HttpTransfer> transfer = Start(std::move(request), &observer);
  Status status;
  {
    const CancellationCallback cancel(cancellation, [&transfer] { transfer->Cancel(); });
    status = observer.Wait();
  }
  if (status.ok()) return observer.TakeResponse();
  if (cancellation) RETURN_IF_ERROR(cancellation->status());
  return status;
}

}  // namespace dbx
