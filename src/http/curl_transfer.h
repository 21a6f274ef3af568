// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <curl/curl.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/log.h"
#include "http/curl_client.h"

namespace dbx {

/// CurlClientOptions made ready for many handles.
struct CurlSettings {
  CurlClientOptions options;
  std::string ca_file;       ///< empty: none was found
  std::string no_proxy;      ///< as libcurl reads it
  bool plain_proxy = false;  ///< a request over plain http may go through a proxy

  static Result<CurlSettings> Make(CurlClientOptions options);
};

/// One request on its way, and what its observer is owed. Of the loop's thread, except for its
/// making.
class CurlTransfer {
 public:
  CurlTransfer(HttpRequest request, HttpObserver* observer)
      : request_(std::move(request)), observer_(observer), start_(Now()), last_byte_(start_) {}
  CurlTransfer(const CurlTransfer&) = delete;
  CurlTransfer& operator=(const CurlTransfer&) = delete;

  /// Sets `easy` up for this request; the transfer keeps it, without owning it, until Release.
  Status Prepare(CURL* easy, const CurlSettings& settings);
  CURL* easy() const { return easy_; }
  /// Gives the handle back, clean.
  CURL* Release();

  /// Why libcurl ended it. `known_host`: see CurlFailure.
  Status Failure(CURLcode code, bool known_host) const;
  std::string Host() const { return request_.url.Host(); }
  /// The name was found: a later failure to find it is a passing one.
  bool HostWasFound() const { return num_sent_ > 0; }
  bool LooksUpName() const;

  bool paused() const { return paused_; }
  /// Lets the body flow again; time that was spent paused counts for no limit.
  CURLcode Resume();

  /// When the time of this transfer is up, unless bytes arrive; nullopt: never.
  std::optional<SteadyTime> Deadline() const;
  /// Ok while time is left at `now`.
  Status CheckTime(SteadyTime now);

  /// Tells the observer, if it still listens, and no more.
  void Finish(const Status& status);
  /// The observer dies.
  void Forget() { observer_ = nullptr; }
  bool finished() const { return finished_; }

  /// A debug line about how it ended.
  void LogEnd(const Log& log, const Status& status) const;

  size_t index = 0;  ///< place in the loop's list
  bool done =
      false;  ///< the observer has been called for the last time; guarded by the loop's mutex

 private:
  static SteadyTime Now() { return std::chrono::steady_clock::now(); }
  static size_t OnHeaderLine(char* bytes, size_t size, size_t count, void* self);
  static size_t OnPiece(char* bytes, size_t size, size_t count, void* self);
  static int OnConnected(void* self, char*, char*, int, int);

  Status CheckRequest() const;
  void SetTarget(const CurlSettings& settings);
  void SetMethod();
  Status SetHeaders();
  bool TakeHeaderLine(std::string_view line);
  void NoteContentLength();
  HttpObserver::Flow TakePiece(Bytes piece);
  void NoteProgress();
  void NoteBytes() {
    if (request_.stall_timeout.count() > 0) last_byte_ = Now();
  }

  struct FreeList {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
  };

  const HttpRequest request_;
  HttpObserver* observer_;
  SteadyTime start_;      // moved on by each pause
  SteadyTime last_byte_;  // the same
  SteadyTime paused_at_{};
  bool paused_ = false;
  bool finished_ = false;
  int num_sent_ = 0;  // how often the request began to leave; twice is refused
  int64_t body_bytes_ = 0;
  int64_t sent_bytes_ = 0;
  bool head_done_ = false;
  HttpResponseHead head_;
  CURL* easy_ = nullptr;
  std::unique_ptr<curl_slist, FreeList> headers_;
  std::string target_;
  char cause_[CURL_ERROR_SIZE] = {};
};

}  // namespace dbx
