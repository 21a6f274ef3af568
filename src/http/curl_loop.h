// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <curl/curl.h>

#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/log.h"
#include "base/mutex.h"
#include "http/curl_transfer.h"

namespace dbx {

/// The multi handle and all transfers on it. One thread calls Run; the rest comes from any thread.
class CurlLoop {
 public:
  static Result<std::shared_ptr<CurlLoop>> Make(CurlSettings settings, Log log);
  ~CurlLoop();
  CurlLoop(const CurlLoop&) = delete;
  CurlLoop& operator=(const CurlLoop&) = delete;

  /// Until Close. Every transfer has got its OnDone, every socket is closed when this returns.
  void Run() EXCLUDES(mutex_);
  void Close() EXCLUDES(mutex_);

  void Start(std::shared_ptr<CurlTransfer> transfer) EXCLUDES(mutex_);
  void Resume(std::shared_ptr<CurlTransfer> transfer) EXCLUDES(mutex_);
  void Cancel(std::shared_ptr<CurlTransfer> transfer) EXCLUDES(mutex_);
  /// Cancels; after this the observer is not called any more. Waits for the loop, unless called on
  /// its thread.
  void Abandon(std::shared_ptr<CurlTransfer> transfer) EXCLUDES(mutex_);

 private:
  enum class Action : uint8_t { kStart, kResume, kCancel };
  struct Command {
    Action action;
    std::shared_ptr<CurlTransfer> transfer;
  };

  CurlLoop(CurlSettings settings, Log log, CURLM* multi)
      : settings_(std::move(settings)), log_(std::move(log)), multi_(multi) {}

  bool OnLoopThread() const;
  void Post(Command command) EXCLUDES(mutex_);

  // On the loop's thread.
  bool Turn() EXCLUDES(mutex_);
  void Obey(Command& command);
  void Begin(const std::shared_ptr<CurlTransfer>& transfer);
  CURL* TakeHandle();
  void CollectFinished();
  void CheckTimes();
  int WaitMillis() EXCLUDES(mutex_);
  void End(const std::shared_ptr<CurlTransfer>& transfer, const Status& status) EXCLUDES(mutex_);
  void EndAll() EXCLUDES(mutex_);
  Status FailureOf(CurlTransfer& transfer, CURLcode code);

  // Set once.
  const CurlSettings settings_;
  const Log log_;
  CURLM* const multi_;

  Mutex mutex_;
  Condition transfer_done_;
  std::vector<Command> commands_ GUARDED_BY(mutex_);
  bool closing_ GUARDED_BY(mutex_) = false;
  bool ended_ GUARDED_BY(mutex_) = false;

  // Of the loop's thread.
  std::vector<std::shared_ptr<CurlTransfer>> active_;
  std::vector<CURL*> free_handles_;
  std::unordered_set<std::string> known_hosts_;
  SteadyTime next_check_ = SteadyTime::max();
  bool name_lookup_left_ = false;  // a transfer ended while its host's name was being looked up
};

}  // namespace dbx
