// SPDX-License-Identifier: Apache-2.0
#include "http/curl_client.h"

#include <pthread.h>
#include <signal.h>

#include <system_error>
#include <thread>
#include <utility>

#include "base/str_cat.h"
#include "http/curl_loop.h"

namespace dbx {
namespace {

Status InitCurl() {
  // Never undone: other parts of the process may hold handles of ours until the very end.
  static const CURLcode result = curl_global_init(CURL_GLOBAL_ALL);
  if (result == CURLE_OK) return Status::Ok();
  return Status::Internal(StrCat("libcurl cannot start: ", curl_easy_strerror(result)));
}

/// A thread that no signal of the application is delivered to.
template <typename Body>
std::thread StartWithoutSignals(Body body) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  try {
    std::thread thread(std::move(body));
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return thread;
  } catch (...) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
}

class LoopTransfer : public HttpTransfer {
 public:
  LoopTransfer(std::shared_ptr<CurlLoop> loop, std::shared_ptr<CurlTransfer> transfer)
      : loop_(std::move(loop)), transfer_(std::move(transfer)) {}
  ~LoopTransfer() override { loop_->Abandon(transfer_); }
  LoopTransfer(const LoopTransfer&) = delete;
  LoopTransfer& operator=(const LoopTransfer&) = delete;

  void Resume() override { loop_->Resume(transfer_); }
  void Cancel() override { loop_->Cancel(transfer_); }

 private:
  const std::shared_ptr<CurlLoop> loop_;
  const std::shared_ptr<CurlTransfer> transfer_;
};

class CurlClient : public HttpClient {
 public:
  explicit CurlClient(std::shared_ptr<CurlLoop> loop)
      : loop_(std::move(loop)), thread_(StartWithoutSignals([loop = loop_] { loop->Run(); })) {}
  ~CurlClient() override {
    loop_->Close();
    thread_.join();
  }
  CurlClient(const CurlClient&) = delete;
  CurlClient& operator=(const CurlClient&) = delete;

  std::unique_ptr<HttpTransfer> Start(HttpRequest request, HttpObserver* observer) override {
    auto transfer = std::make_shared<CurlTransfer>(std::move(request), observer);
    auto handle = std::make_unique<LoopTransfer>(loop_, transfer);
    loop_->Start(std::move(transfer));
    return handle;
  }

 private:
  const std::shared_ptr<CurlLoop> loop_;
  std::thread thread_;
};

}  // namespace

Result<std::unique_ptr<HttpClient>> MakeCurlClient(CurlClientOptions options, Log log) {
  RETURN_IF_ERROR(InitCurl());
  if (!options.tls.verify) {
    log.Write(LogLevel::kWarn, "tls.verification_off",
              {{"risk", "anyone may answer for the server"}});
  }
  ASSIGN_OR_RETURN(CurlSettings settings, CurlSettings::Make(std::move(options)));
  ASSIGN_OR_RETURN(std::shared_ptr<CurlLoop> loop,
                   CurlLoop::Make(std::move(settings), std::move(log)));
  try {
    return std::unique_ptr<HttpClient>(std::make_unique<CurlClient>(std::move(loop)));
  } catch (const std::system_error& error) {
    return Status::Internal(StrCat("cannot start the HTTP thread: ", error.what()));
  }
}

}  // namespace dbx
