// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace dbx::cli {

/// What a progress line tells.
struct ProgressState {
  int64_t rows = 0;
  int64_t bytes = 0;
  double seconds = 0;
  std::optional<int64_t> chunks = {};
  std::optional<int64_t> chunks_total = {};
};

/// The line for `state`, at most `width` cells: a bar with percent and time left while the number
/// of chunks is known.
std::string ProgressLine(const ProgressState& state, int width);

/// A line on standard error that is drawn over and over, ten times a second at most, and only where
/// a person sees it.
class Progress {
 public:
  explicit Progress(bool wanted);
  ~Progress();  ///< wipes the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// True when it is time to draw again: then call Draw.
  bool Due() const;
  void Draw(const ProgressState& state);

 private:
  const bool visible_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace dbx::cli
