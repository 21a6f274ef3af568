// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/clock.h"

namespace dbx {

/// How long the files of a stream have taken of late. One thread.
class FileTimes {
 public:
  void Add(int64_t num_bytes, Milliseconds length);

  /// What a file of `num_bytes` (0: not known) may take before it is late: twice what the middle
  /// one of the last files took, and a little more; nullopt while too few are known.
  std::optional<Milliseconds> Patience(int64_t num_bytes) const;

 private:
  static constexpr size_t kMostFiles = 15;
  struct File {
    int64_t num_bytes = 0;
    Milliseconds length{0};
  };

  std::array<File, kMostFiles> files_ = {};
  size_t num_files_ = 0;  // ever
};

}  // namespace dbx
