// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "http/http_client.h"

namespace dbx {

/// An HttpClient without a network. Each request is answered at once, on the caller's thread,
/// before Start returns.
class FakeHttpClient : public HttpClient {
 public:
  using Handler = std::function<Result<HttpResponse>(const HttpRequest&)>;

  /// Answers come from `handler`, or, without one, from what Push was given, in order.
  explicit FakeHttpClient(Handler handler = {}) : handler_(std::move(handler)) {}

  void Push(Result<HttpResponse> answer) EXCLUDES(mutex_);
  static HttpResponse Response(int status, std::string body = {},
                               std::vector<std::pair<std::string, std::string>> headers = {});

  std::unique_ptr<HttpTransfer> Start(HttpRequest request, HttpObserver* observer) override
      EXCLUDES(mutex_);

  std::vector<HttpRequest> requests() const EXCLUDES(mutex_);

 private:
  Result<HttpResponse> Answer(const HttpRequest& request) EXCLUDES(mutex_);

  const Handler handler_;
  mutable Mutex mutex_;
  std::deque<Result<HttpResponse>> answers_ GUARDED_BY(mutex_);
  std::vector<HttpRequest> requests_ GUARDED_BY(mutex_);
};

}  // namespace dbx
