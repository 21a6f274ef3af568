// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "http/http_client.h"
#include "http/testing/fake_http_client.h"
#include "warehouse/thrift/thrift_types.h"

namespace dbx::thrift {

/// The message of a call, read by the test's own hand. Throws std::runtime_error for what is no
/// strict call.
struct ReceivedCall {
  std::string method;
  int32_t sequence_id = 0;
};
ReceivedCall ReadCall(std::string_view body, apache::thrift::TBase* request);
std::string WriteReply(std::string_view method, int32_t sequence_id,
                       const apache::thrift::TBase& response);
std::string WriteException(std::string_view method, int32_t sequence_id, int32_t type,
                           std::string_view message);

/// A Thrift service in this process, scripted by the test. A handler runs on the thread of the call
/// and may block there (a gate of the test's own). Calls without a handler get what their defaults
/// say: OpenSession, the closes and CancelOperation succeed, GetOperationStatus says FINISHED;
/// anything else throws. All methods from any thread.
class FakeService {
 public:
  /// Answers instead of the handlers; nullopt: let the handler do it.
  using HttpHandler = std::function<std::optional<Result<HttpResponse>>(const HttpRequest&)>;

  FakeService();

  HttpClient* http() { return &http_; }

  template <typename Request, typename Response>
  void On(const Method<Request, Response>& method,
          std::function<Response(const Request&)> handler) {
    SetHandler(std::string(method.name), [handler](std::string_view body) {
      Request request;
      const ReceivedCall call = ReadCall(body, &request);
      return WriteReply(call.method, call.sequence_id, handler(request));
    });
  }
  /// The n-th call gets the n-th answer; the last one stays.
  template <typename Request, typename Response>
  void InOrder(const Method<Request, Response>& method, std::vector<Response> answers) {
    auto next = std::make_shared<size_t>(0);
    On<Request, Response>(method, [answers = std::move(answers), next](const Request&) {
      const size_t index = std::min(*next, answers.size() - 1);
      ++*next;
      return answers[index];
    });
  }
  void OnHttp(std::string_view method, HttpHandler handler) EXCLUDES(mutex_);

  /// Names of the methods called, in order.
  std::vector<std::string> calls() const EXCLUDES(mutex_);
  int num_calls(std::string_view method) const;
  bool WaitForCalls(std::string_view method, int count) const EXCLUDES(mutex_);
  /// The requests of a method, in order.
  template <typename Request, typename Response>
  std::vector<Request> Requests(const Method<Request, Response>& method) const {
    std::vector<Request> requests;
    for (const HttpRequest& sent : http_.requests()) {
      Request request;
      if (MethodOf(sent.body) != method.name) continue;
      ReadCall(sent.body, &request);
      requests.push_back(std::move(request));
    }
    return requests;
  }
  std::vector<HttpRequest> http_requests() const { return http_.requests(); }

  static std::string MethodOf(std::string_view body);

 private:
  using Handler = std::function<std::string(std::string_view body)>;

  void SetHandler(std::string method, Handler handler) EXCLUDES(mutex_);
  Result<HttpResponse> Answer(const HttpRequest& request) EXCLUDES(mutex_);

  FakeHttpClient http_;

  mutable Mutex mutex_;
  mutable Condition changed_;
  std::map<std::string, Handler, std::less<>> handlers_ GUARDED_BY(mutex_);
  std::map<std::string, HttpHandler, std::less<>> http_handlers_ GUARDED_BY(mutex_);
  std::vector<std::string> calls_ GUARDED_BY(mutex_);
};

}  // namespace dbx::thrift
