// SPDX-License-Identifier: Apache-2.0
// A library to be loaded ahead of a program (LD_PRELOAD) that counts its allocations of 64 KiB and
// more, through malloc and its kin and by anonymous mmap, and writes the two figures into the file
// COUNT_ALLOCATIONS when the program ends.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define DBX_EXPORT extern "C" __attribute__((visibility("default")))

// The C library's own, under the names that it keeps for such libraries as this.
extern "C" void* __libc_malloc(size_t size);
extern "C" void* __libc_calloc(size_t count, size_t size);
extern "C" void* __libc_realloc(void* memory, size_t size);
extern "C" void* __libc_memalign(size_t alignment, size_t size);

namespace {

constexpr size_t kLarge = 64 << 10;

std::atomic<uint64_t> allocations{0}, allocated_bytes{0};

void Count(size_t size) {
  if (size < kLarge) return;
  allocations.fetch_add(1, std::memory_order_relaxed);
  allocated_bytes.fetch_add(size, std::memory_order_relaxed);
}

__attribute__((destructor)) void WriteCounts() {
  const char* const path = std::getenv("COUNT_ALLOCATIONS");
  const int file = path ? ::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
  if (file < 0) return;
  ::dprintf(file, "{\"allocations\":%llu,\"allocated_bytes\":%llu}\n",
            static_cast<unsigned long long>(allocations),
            static_cast<unsigned long long>(allocated_bytes));
  ::close(file);
}

}  // namespace

DBX_EXPORT void* malloc(size_t size) {
  Count(size);
  return __libc_malloc(size);
}

DBX_EXPORT void* calloc(size_t count, size_t size) {
  Count(count * size);
  return __libc_calloc(count, size);
}

DBX_EXPORT void* realloc(void* memory, size_t size) {
  Count(size);
  return __libc_realloc(memory, size);
}

DBX_EXPORT void* memalign(size_t alignment, size_t size) {
  Count(size);
  return __libc_memalign(alignment, size);
}

DBX_EXPORT void* aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}

DBX_EXPORT int posix_memalign(void** out, size_t alignment, size_t size) {
  *out = memalign(alignment, size);
  return *out == nullptr ? ENOMEM : 0;
}

DBX_EXPORT void* mmap(void* address, size_t size, int protection, int flags, int file,
                      off_t offset) {
  if ((flags & MAP_ANONYMOUS) != 0) Count(size);
  return reinterpret_cast<void*>(
      ::syscall(SYS_mmap, address, size, protection, flags, file, offset));
}
