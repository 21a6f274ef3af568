// SPDX-License-Identifier: Apache-2.0
#include "interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "failure.h"

namespace dbx::cli {
namespace {

std::atomic<bool> requested{false};
std::mutex stop_mutex;
std::function<void()> stop_now;  // guarded by stop_mutex
std::condition_variable stopped;

sigset_t Signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

void TakeSignals() {
  const sigset_t signals = Signals();
  while (true) {
    int signal = 0;
    if (sigwait(&signals, &signal) != 0) continue;
    if (requested.exchange(true)) _exit(static_cast<int>(Exit::kInterrupted));
    const std::lock_guard<std::mutex> lock(stop_mutex);
    stopped.notify_all();
    if (stop_now) stop_now();
  }
}

}  // namespace

Interrupt::Interrupt() {
  const sigset_t signals = Signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread(TakeSignals).detach();  // waits for signals until the process ends
}

bool Interrupt::Requested() {
  return requested.load();
}

bool Interrupt::WaitUntil(std::chrono::steady_clock::time_point moment) {
  std::unique_lock<std::mutex> lock(stop_mutex);
  return !stopped.wait_until(lock, moment, [] { return requested.load(); });
}

Interrupt::Scope::Scope(std::function<void()> stop) {
  const std::lock_guard<std::mutex> lock(stop_mutex);
  stop_now = std::move(stop);
  if (requested.load() && stop_now) stop_now();
}

Interrupt::Scope::~Scope() {
  const std::lock_guard<std::mutex> lock(stop_mutex);
  stop_now = nullptr;
}

}  // namespace dbx::cli
