// SPDX-License-Identifier: Apache-2.0
#include "http/testing/fake_http_client.h"

namespace dbx {
namespace {

class FinishedTransfer : public HttpTransfer {
 public:
  void Resume() override {}
  void Cancel() override {}
};

Status Deliver(const HttpResponse& response, HttpObserver* observer) {
  if (!observer->OnHead(response.head)) return Status::Cancelled("ended by its observer");
  if (response.body.empty()) return Status::Ok();
  if (observer->OnBody(AsBytes(response.body)) == HttpObserver::Flow::kEnd) {
    return Status::Cancelled("ended by its observer");
  }
  return Status::Ok();
}

}  // namespace

void FakeHttpClient::Push(Result<HttpResponse> answer) {
  MutexLock lock(mutex_);
  answers_.push_back(std::move(answer));
}

HttpResponse FakeHttpClient::Response(int status, std::string body,
                                      std::vector<std::pair<std::string, std::string>> headers) {
  HttpResponse response;
  response.head.status = status;
  response.head.headers = std::move(headers);
  response.head.content_length = static_cast<int64_t>(body.size());
  response.body = std::move(body);
  return response;
}

std::unique_ptr<HttpTransfer> FakeHttpClient::Start(HttpRequest request, HttpObserver* observer) {
  const Result<HttpResponse> answer = Answer(request);
  observer->OnDone(answer.ok() ? Deliver(*answer, observer) : answer.status());
  return std::make_unique<FinishedTransfer>();
}

std::vector<HttpRequest> FakeHttpClient::requests() const {
  MutexLock lock(mutex_);
  return requests_;
}

Result<HttpResponse> FakeHttpClient::Answer(const HttpRequest& request) {
  {
    MutexLock lock(mutex_);
    requests_.push_back(request);
    if (!handler_) {
      if (answers_.empty()) return Status::Internal("the test has no answer for this request");
      Result<HttpResponse> answer = std::move(answers_.front());
      answers_.pop_front();
      return answer;
    }
  }
  return handler_(request);
}

}  // namespace dbx
