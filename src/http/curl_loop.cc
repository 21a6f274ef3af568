// SPDX-License-Identifier: Apache-2.0
#include "http/curl_loop.h"

#include <algorithm>
#include <utility>

namespace dbx {
namespace {

// Which loop, if any, this thread runs.
thread_local const CurlLoop* current_loop = nullptr;

// libcurl's own timers shorten a wait; this only bounds a wait for nothing.
constexpr int kLongWaitMillis = 3'600'000;

constexpr size_t kMaxFreeHandles = 256;

}  // namespace

Result<std::shared_ptr<CurlLoop>> CurlLoop::Make(CurlSettings settings, Log log) {
  CURLM* const multi = curl_multi_init();
  if (!multi) return Status::Internal("libcurl gives no multi handle");
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS,
                    static_cast<long>(std::max(settings.options.max_connections, 1)));
  return std::shared_ptr<CurlLoop>(new CurlLoop(std::move(settings), std::move(log), multi));
}

CurlLoop::~CurlLoop() {
  if (!ended_) curl_multi_cleanup(multi_);  // no thread ever ran it
}

bool CurlLoop::OnLoopThread() const {
  return current_loop == this;
}

void CurlLoop::Run() {
  current_loop = this;
  while (Turn()) {
  }
  EndAll();
  // Names that are still being looked up cannot be interrupted: their threads are left to end by
  // themselves.
  curl_multi_setopt(multi_, CURLMOPT_QUICK_EXIT, name_lookup_left_ ? 1L : 0L);
  for (CURL* const easy : free_handles_) curl_easy_cleanup(easy);
  curl_multi_cleanup(multi_);
  current_loop = nullptr;
}

void CurlLoop::Close() {
  MutexLock lock(mutex_);
  closing_ = true;
  if (!ended_) curl_multi_wakeup(multi_);
}

void CurlLoop::Start(std::shared_ptr<CurlTransfer> transfer) {
  Post({Action::kStart, std::move(transfer)});
}
void CurlLoop::Resume(std::shared_ptr<CurlTransfer> transfer) {
  Post({Action::kResume, std::move(transfer)});
}
void CurlLoop::Cancel(std::shared_ptr<CurlTransfer> transfer) {
  Post({Action::kCancel, std::move(transfer)});
}

void CurlLoop::Post(Command command) {
  MutexLock lock(mutex_);
  if (ended_) return;
  const bool first = commands_.empty();
  commands_.push_back(std::move(command));
  // Under the lock, since the multi handle dies when the loop ends. The loop looks at the queue
  // before it waits.
  if (first && !OnLoopThread()) curl_multi_wakeup(multi_);
}

void CurlLoop::Abandon(std::shared_ptr<CurlTransfer> transfer) {
  if (OnLoopThread()) {
    transfer->Forget();
    Cancel(std::move(transfer));
    return;
  }
  Cancel(transfer);
  MutexLock lock(mutex_);
  while (!transfer->done && !ended_) transfer_done_.Wait(mutex_);
}

bool CurlLoop::Turn() {
  std::vector<Command> commands;
  bool closing = false;
  {
    MutexLock lock(mutex_);
    commands.swap(commands_);
    closing = closing_;
  }
  for (Command& command : commands) Obey(command);
  if (closing) return false;
  int num_running = 0;
  curl_multi_perform(multi_, &num_running);
  CollectFinished();
  CheckTimes();
  curl_multi_poll(multi_, nullptr, 0, WaitMillis(), nullptr);
  return true;
}

void CurlLoop::Obey(Command& command) {
  const std::shared_ptr<CurlTransfer>& transfer = command.transfer;
  if (command.action == Action::kStart) return Begin(transfer);
  if (transfer->finished()) return;
  if (command.action == Action::kCancel)
    return End(transfer, Status::Cancelled("transfer cancelled"));
  const CURLcode code = transfer->Resume();
  if (code != CURLE_OK) return End(transfer, FailureOf(*transfer, code));
  next_check_ = {};  // look at once
}

CURL* CurlLoop::TakeHandle() {
  if (free_handles_.empty()) return curl_easy_init();
  CURL* const easy = free_handles_.back();
  free_handles_.pop_back();
  return easy;
}

void CurlLoop::Begin(const std::shared_ptr<CurlTransfer>& transfer) {
  CURL* const easy = TakeHandle();
  transfer->index = active_.size();
  active_.push_back(transfer);
  if (!easy) return End(transfer, Status::Internal("libcurl gives no handle"));
  Status status = transfer->Prepare(easy, settings_);
  if (status.ok() && curl_multi_add_handle(multi_, easy) != CURLM_OK) {
    status = Status::Internal("libcurl takes no more transfers");
  }
  if (!status.ok()) return End(transfer, status);
  next_check_ = {};  // look at once
}

void CurlLoop::CollectFinished() {
  int num_left = 0;
  while (CURLMsg* const message = curl_multi_info_read(multi_, &num_left)) {
    if (message->msg != CURLMSG_DONE) continue;
    const CURLcode code = message->data.result;  // the message dies with the handle's removal
    CurlTransfer* self = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &self);
    const std::shared_ptr<CurlTransfer> transfer = active_[self->index];
    End(transfer, FailureOf(*transfer, code));
  }
}

Status CurlLoop::FailureOf(CurlTransfer& transfer, CURLcode code) {
  const std::string host = transfer.Host();
  if (transfer.HostWasFound()) known_hosts_.insert(host);
  return transfer.Failure(code, known_hosts_.contains(host));
}

void CurlLoop::CheckTimes() {
  const SteadyTime now = std::chrono::steady_clock::now();
  if (now < next_check_) return;
  next_check_ = SteadyTime::max();
  std::vector<std::pair<std::shared_ptr<CurlTransfer>, Status>> late;
  for (const std::shared_ptr<CurlTransfer>& transfer : active_) {
    Status status = transfer->CheckTime(now);
    if (!status.ok()) {
      late.emplace_back(transfer, std::move(status));
    } else if (const std::optional<SteadyTime> deadline = transfer->Deadline()) {
      next_check_ = std::min(next_check_, *deadline);
    }
  }
  for (const auto& [transfer, status] : late) End(transfer, status);
}

int CurlLoop::WaitMillis() {
  {
    MutexLock lock(mutex_);
    if (!commands_.empty() || closing_) return 0;
  }
  if (next_check_ == SteadyTime::max()) return kLongWaitMillis;
  const auto left = std::chrono::ceil<Milliseconds>(next_check_ - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<int64_t>(left.count(), 0, kLongWaitMillis));
}

void CurlLoop::End(const std::shared_ptr<CurlTransfer>& transfer, const Status& status) {
  transfer->LogEnd(log_, status);
  if (CURL* const easy = transfer->easy()) {
    name_lookup_left_ = name_lookup_left_ || transfer->LooksUpName();
    curl_multi_remove_handle(multi_, easy);
    transfer->Release();
    if (free_handles_.size() < kMaxFreeHandles) {
      free_handles_.push_back(easy);
    } else {
      curl_easy_cleanup(easy);
    }
  }
  std::swap(active_[transfer->index], active_.back());
  active_[transfer->index]->index = transfer->index;
  active_.pop_back();
  transfer->Finish(status);
  MutexLock lock(mutex_);
  transfer->done = true;
  transfer_done_.NotifyAll();
}

void CurlLoop::EndAll() {
  const Status reason = Status::Cancelled("the HTTP client is closed");
  while (true) {
    while (!active_.empty()) {
      const std::shared_ptr<CurlTransfer> last(active_.back());  // End takes it off the list
      End(last, reason);
    }
    std::vector<Command> commands;
    {
      MutexLock lock(mutex_);
      ended_ = commands_.empty();
      if (ended_) break;
      commands.swap(commands_);
    }
    for (Command& command : commands) Obey(command);
  }
  MutexLock lock(mutex_);
  transfer_done_.NotifyAll();
}

}  // namespace dbx
