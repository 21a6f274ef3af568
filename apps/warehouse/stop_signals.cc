// SPDX-License-Identifier: Apache-2.0
#include "stop_signals.h"

#include <pthread.h>

#include <cstdlib>

namespace dbx::local {
namespace {

constexpr int kEndOfThread = SIGUSR1;

}  // namespace

StopSignals::StopSignals() {
  sigemptyset(&signals_);
  for (const int signal : {SIGTERM, SIGINT, kEndOfThread}) sigaddset(&signals_, signal);
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  thread_ = std::thread([this] { Run(); });
}

StopSignals::~StopSignals() {
  pthread_kill(thread_.native_handle(), kEndOfThread);
  thread_.join();
}

void StopSignals::Wait() {
  MutexLock lock(mutex_);
  waited_for_ = true;
  while (!arrived_) changed_.Wait(mutex_);
}

void StopSignals::Run() {
  while (true) {
    int signal = 0;
    sigwait(&signals_, &signal);
    if (signal == kEndOfThread) return;
    MutexLock lock(mutex_);
    if (!waited_for_ || arrived_) std::_Exit(128 + signal);
    arrived_ = true;
    changed_.NotifyAll();
  }
}

}  // namespace dbx::local
