// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/status.h"

namespace dbx::local {

/// A file that one holder at a time has locked, among processes and within one. Given up with the
/// object, and by the system when the process dies.
class FileLock {
 public:
  FileLock() = default;
  ~FileLock();
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;

  /// Makes the file when missing. nullopt: someone else holds it. Errors: kIo.
  static Result<std::optional<FileLock>> Try(const std::string& path);
  /// Waits for it; calls `on_wait` first when it has to. Errors: kIo.
  static Result<FileLock> Wait(const std::string& path, const std::function<void()>& on_wait);

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

}  // namespace dbx::local
