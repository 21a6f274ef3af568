// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "text.h"

namespace dbx::cli {
namespace {

constexpr std::chrono::milliseconds kRedraw{100};
constexpr int kBarCells = 24;

std::string Bar(double share) {
  const int full = std::clamp(static_cast<int>(share * kBarCells), 0, kBarCells);
  std::string bar = "[";
  for (int i = 0; i < kBarCells; ++i) bar += i < full ? "█" : "·";
  return bar + fmt::format("] {:3.0f} %  ", share * 100);
}

int TerminalWidth() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

std::string ProgressLine(const ProgressState& state, int width) {
  const double seconds = std::max(state.seconds, 1e-3);
  std::string line;
  const bool share_known = state.chunks && state.chunks_total && *state.chunks_total > 0;
  const double share = share_known ? std::clamp(static_cast<double>(*state.chunks) /
                                                    static_cast<double>(*state.chunks_total),
                                                0.0, 1.0)
                                   : 0;
  if (share_known) line += Bar(share);
  line += fmt::format("{} rows  {}  {}/s", WithThousands(state.rows),
                      ByteSize(static_cast<double>(state.bytes)),
                      ByteSize(static_cast<double>(state.bytes) / seconds));
  if (share_known) line += fmt::format("  {}/{} chunks", *state.chunks, *state.chunks_total);
  if (share_known && share > 0.02 && share < 1)
    line += fmt::format("  {} left", Duration(seconds * (1 - share) / share));
  return Fit(line, width);
}

Progress::Progress(bool wanted)
    : visible_(wanted && isatty(STDERR_FILENO) != 0),
      next_(std::chrono::steady_clock::now() + kRedraw) {}

Progress::~Progress() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);
}

bool Progress::Due() const {
  return visible_ && std::chrono::steady_clock::now() >= next_;
}

void Progress::Draw(const ProgressState& state) {
  next_ = std::chrono::steady_clock::now() + kRedraw;
  drawn_ = true;
  std::fprintf(stderr, "\r%s\x1b[K", ProgressLine(state, TerminalWidth() - 1).c_str());
  std::fflush(stderr);
}

}  // namespace dbx::cli
