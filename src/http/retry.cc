// SPDX-License-Identifier: Apache-2.0
#include "http/retry.h"

#include <algorithm>

#include "base/str_cat.h"

namespace dbx {
namespace {

using std::chrono::milliseconds;

constexpr double kJitter = 0.2;

bool IsPassing(int status) {
  return status == 408 || status == 429 || status == 500 || status == 502 || status == 503 ||
         status == 504;
}

bool IsPassing(StatusCode code) {
  return code == StatusCode::kUnavailable || code == StatusCode::kIo ||
         code == StatusCode::kTimeout;
}

/// A step of splitmix64: enough to spread retries, and the same on every machine.
uint64_t NextRandom(uint64_t& state) {
  state += 0x9E3779B97F4A7C15;
  uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
  return mixed ^ (mixed >> 31);
}

milliseconds WithJitter(milliseconds delay, uint64_t& random) {
  const double unit =
      static_cast<double>(NextRandom(random) >> 11) / static_cast<double>(1ULL << 53);
  const double factor = 1 - kJitter + 2 * kJitter * unit;
  return milliseconds(static_cast<int64_t>(static_cast<double>(delay.count()) * factor));
}

uint64_t NewSeed(const void* one_of_many) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  return static_cast<uint64_t>(now) ^ reinterpret_cast<uintptr_t>(one_of_many);
}

Status Wait(milliseconds delay, Cancellation* cancellation) {
  Cancellation nobody;
  return (cancellation ? cancellation : &nobody)->WaitFor(delay);
}

void LogRetry(const Log& log, const HttpRequest& request, const RetryState& state,
              const Result<HttpResponse>& answer, milliseconds delay) {
  if (!log.enabled(LogLevel::kInfo)) return;
  log.Write(
      LogLevel::kInfo, "http.retry",
      {{"url", request.url},
       {"attempt", state.attempts()},
       {"delay_ms", delay.count()},
       {"cause", answer.ok() ? StrCat("HTTP ", answer->head.status) : answer.status().ToString()}});
}

Result<HttpResponse> GiveUp(Result<HttpResponse> answer, int32_t attempts) {
  if (answer.ok() || attempts < 2) return answer;
  return answer.status().WithContext(StrCat("gave up after ", attempts, " attempts"));
}

}  // namespace

RetryState::RetryState(const RetryPolicy& policy, Repeatable repeatable, const Clock& clock,
                       uint64_t seed)
    : policy_(policy),
      repeatable_(repeatable),
      clock_(clock),
      start_(clock.Now()),
      random_(seed),
      next_delay_(policy.first_delay) {}

RetryDecision RetryState::OnFailure(const Status& failure) {
  ++attempts_;
  const bool may_repeat = repeatable_ == Repeatable::kAlways
                              ? IsPassing(failure.code())
                              : failure.code() == StatusCode::kUnavailable;
  if (!may_repeat) return {};
  return Decide(milliseconds(0), policy_.budget);
}

RetryDecision RetryState::OnResponse(const HttpResponseHead& head) {
  ++attempts_;
  const std::optional<milliseconds> retry_after =
      ParseRetryAfter(head.Header("Retry-After"), clock_.WallNow());
  // A 503 that does not say when to come back may have come from a proxy whose backend went on
  // executing.
  const bool refused_unexecuted = head.status == 429 || (head.status == 503 && retry_after);
  const bool may_repeat =
      repeatable_ == Repeatable::kAlways ? IsPassing(head.status) : refused_unexecuted;
  if (!may_repeat) return {};
  return Decide(retry_after.value_or(milliseconds(0)),
                head.status == 429 ? policy_.rate_limit_budget : policy_.budget);
}

RetryDecision RetryState::Decide(milliseconds least_delay, milliseconds budget) {
  if (policy_.max_attempts > 0 && attempts_ >= policy_.max_attempts) return {};
  const milliseconds delay = std::max(WithJitter(next_delay_, random_), least_delay);
  next_delay_ = std::min(next_delay_ * 2, policy_.max_delay);
  const auto spent = std::chrono::duration_cast<milliseconds>(clock_.Now() - start_);
  if (budget <= spent || delay > budget - spent) return {};
  return {true, delay};
}

Result<HttpResponse> CallWithRetry(HttpClient& client, const HttpRequest& request,
                                   const RetryPolicy& policy, Repeatable repeatable,
                                   Cancellation* cancellation, const Log& log,
                                   const std::function<Status(HttpRequest&)>& prepare,
                                   const Clock& clock) {
  RetryState state(policy, repeatable, clock, NewSeed(&request));
  while (true) {
    HttpRequest attempt = request;
    if (prepare) RETURN_IF_ERROR(prepare(attempt));
    Result<HttpResponse> answer = client.Call(std::move(attempt), cancellation);
    if (answer.ok() && answer->IsSuccess()) return answer;
    if (cancellation) RETURN_IF_ERROR(cancellation->status());
    const RetryDecision decision =
        answer.ok() ? state.OnResponse(answer->head) : state.OnFailure(answer.status());
    if (!decision.retry) return GiveUp(std::move(answer), state.attempts());
    LogRetry(log, request, state, answer, decision.delay);
    RETURN_IF_ERROR(Wait(decision.delay, cancellation));
  }
}

}  // namespace dbx
