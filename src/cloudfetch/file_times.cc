// SPDX-License-Identifier: Apache-2.0
#include "cloudfetch/file_times.h"

#include <algorithm>

namespace dbx {
namespace {

constexpr size_t kLeastFiles = 3;
constexpr int kSlowness = 2;
constexpr Milliseconds kGrace{100};

}  // namespace

void FileTimes::Add(int64_t num_bytes, Milliseconds length) {
  files_[num_files_++ % kMostFiles] = {.num_bytes = num_bytes, .length = length};
}

std::optional<Milliseconds> FileTimes::Patience(int64_t num_bytes) const {
  if (num_files_ < kLeastFiles) return std::nullopt;
  const size_t count = std::min(num_files_, kMostFiles);
  std::array<File, kMostFiles> files = files_;
  const auto middle = files.begin() + static_cast<std::ptrdiff_t>(count / 2);
  std::nth_element(files.begin(), middle, files.begin() + static_cast<std::ptrdiff_t>(count),
                   [](const File& a, const File& b) { return a.length < b.length; });
  int64_t length = middle->length.count();
  if (num_bytes > middle->num_bytes && middle->num_bytes > 0) {
    length = static_cast<int64_t>(static_cast<double>(length) * static_cast<double>(num_bytes) /
                                  static_cast<double>(middle->num_bytes));
  }
  return Milliseconds(kSlowness * length) + kGrace;
}

}  // namespace dbx
