// SPDX-License-Identifier: Apache-2.0
#include "sql/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/str_cat.h"

namespace dbx::local {
namespace {

Status LockError(const std::string& path) {
  return Status::Io(StrCat("lock ", path, ": ", std::strerror(errno)));
}

}  // namespace

FileLock::~FileLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

Result<std::optional<FileLock>> FileLock::Try(const std::string& path) {
  FileLock lock(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (lock.descriptor_ < 0) return LockError(path);
  if (flock(lock.descriptor_, LOCK_EX | LOCK_NB) == 0)
    return std::optional<FileLock>(std::move(lock));
  if (errno != EWOULDBLOCK) return LockError(path);
  return std::optional<FileLock>();
}

Result<FileLock> FileLock::Wait(const std::string& path, const std::function<void()>& on_wait) {
  ASSIGN_OR_RETURN(std::optional<FileLock> free, Try(path));
  if (free) return *std::move(free);
  if (on_wait) on_wait();
  FileLock lock(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (lock.descriptor_ < 0) return LockError(path);
  while (flock(lock.descriptor_, LOCK_EX) != 0) {
    if (errno != EINTR) return LockError(path);
  }
  return lock;
}

}  // namespace dbx::local
