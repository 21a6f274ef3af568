// SPDX-License-Identifier: Apache-2.0
#include "net/spool.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unordered_map>
#include <utility>

#include "base/mutex.h"
#include "base/str_cat.h"
#include "net/http_text.h"

namespace dbx::local {
namespace {

constexpr std::string_view kChunkMark = "_c";

Status SystemError(std::string_view what) {
  return Status::Io(StrCat("spool: ", what, ": ", std::strerror(errno)));
}

/// An open file without a name, and its bytes in memory.
class SpoolFile {
 public:
  static Result<std::shared_ptr<const SpoolFile>> Write(const std::string& directory,
                                                        std::string_view bytes);
  ~SpoolFile() {
    if (mapping_ != MAP_FAILED) ::munmap(mapping_, num_bytes_);
    ::close(descriptor_);
  }
  SpoolFile(const SpoolFile&) = delete;
  SpoolFile& operator=(const SpoolFile&) = delete;

  int descriptor() const { return descriptor_; }
  std::span<const uint8_t> bytes() const {
    return num_bytes_ == 0 ? std::span<const uint8_t>()
                           : std::span(static_cast<const uint8_t*>(mapping_), num_bytes_);
  }

 private:
  explicit SpoolFile(int descriptor) : descriptor_(descriptor) {}
  Status Fill(std::string_view bytes);
  Status Map(size_t num_bytes);

  const int descriptor_;
  void* mapping_ = MAP_FAILED;
  size_t num_bytes_ = 0;
};

int OpenNameless(const std::string& directory) {
  if (directory.empty()) return ::memfd_create("spool", MFD_CLOEXEC);
  const int direct = ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (direct >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) return direct;
  // Not every file system has nameless files: there the name goes as soon as the file is open.
  std::string path = StrCat(directory, "/object-XXXXXX");
  const int descriptor = ::mkostemp(path.data(), O_CLOEXEC);
  if (descriptor >= 0) ::unlink(path.c_str());
  return descriptor;
}

Result<std::shared_ptr<const SpoolFile>> SpoolFile::Write(const std::string& directory,
                                                          std::string_view bytes) {
  const int descriptor = OpenNameless(directory);
  if (descriptor < 0) return SystemError("open a file");
  std::shared_ptr<SpoolFile> file(new SpoolFile(descriptor));
  RETURN_IF_ERROR(file->Fill(bytes));
  RETURN_IF_ERROR(file->Map(bytes.size()));
  return std::shared_ptr<const SpoolFile>(std::move(file));
}

Status SpoolFile::Fill(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return SystemError("write");
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return Status::Ok();
}

Status SpoolFile::Map(size_t num_bytes) {
  if (num_bytes == 0) return Status::Ok();
  mapping_ = ::mmap(nullptr, num_bytes, PROT_READ, MAP_SHARED, descriptor_, 0);
  if (mapping_ == MAP_FAILED) return SystemError("map");
  num_bytes_ = num_bytes;
  return Status::Ok();
}

class FileSpool final : public Spool {
 public:
  explicit FileSpool(std::string directory) : directory_(std::move(directory)) {}

  Result<std::string> Put(std::string_view bytes, std::optional<int64_t> chunk_index) override
      EXCLUDES(mutex_) {
    ASSIGN_OR_RETURN(std::shared_ptr<const SpoolFile> file, SpoolFile::Write(directory_, bytes));
    auto object = std::make_shared<const SharedBytes>(
        SharedBytes{.owner = file, .bytes = file->bytes(), .file = file->descriptor()});
    std::string name =
        StrCat("results_", CompactTime(std::chrono::system_clock::now()), "_", RandomUuid());
    if (chunk_index) name += StrCat(kChunkMark, *chunk_index);
    num_bytes_ += static_cast<int64_t>(bytes.size());
    MutexLock lock(mutex_);
    objects_.emplace(name, std::move(object));
    return name;
  }

  std::shared_ptr<const SharedBytes> Get(std::string_view name) const override EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    const auto found = objects_.find(std::string(name));
    return found == objects_.end() ? nullptr : found->second;
  }

  void Remove(std::string_view name) override EXCLUDES(mutex_) {
    std::shared_ptr<const SharedBytes> removed;  // unmapped and closed outside the lock
    MutexLock lock(mutex_);
    const auto found = objects_.find(std::string(name));
    if (found == objects_.end()) return;
    removed = std::move(found->second);
    num_bytes_ -= static_cast<int64_t>(removed->bytes.size());
    objects_.erase(found);
  }

  int64_t num_objects() const override EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return static_cast<int64_t>(objects_.size());
  }
  int64_t num_bytes() const override { return num_bytes_; }

 private:
  const std::string directory_;
  std::atomic<int64_t> num_bytes_ = 0;
  mutable Mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const SharedBytes>> objects_ GUARDED_BY(mutex_);
};

}  // namespace

Result<std::unique_ptr<Spool>> Spool::Make(std::string directory) {
  if (!directory.empty()) {
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error) return Status::Io(StrCat("spool: make ", directory, ": ", error.message()));
  }
  return std::unique_ptr<Spool>(std::make_unique<FileSpool>(std::move(directory)));
}

std::optional<int64_t> ChunkIndexOf(std::string_view object_name) {
  const size_t mark = object_name.rfind(kChunkMark);
  if (mark == std::string_view::npos) return std::nullopt;
  const std::optional<uint64_t> index = ParseNumber(object_name.substr(mark + kChunkMark.size()));
  if (!index || *index > INT64_MAX) return std::nullopt;
  return static_cast<int64_t>(*index);
}

}  // namespace dbx::local
