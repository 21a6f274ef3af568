// SPDX-License-Identifier: Apache-2.0
// replica LIST DOWNLOADS QUEUE BUDGET_MB WHERE [CA_FILE]: a small model of how two generations of
// the C# reader work, for machines on which C# cannot run. It is not their code: it copies their
// queues and their copies of bytes.
//
// One dispatcher takes the URLs in order, waits for room in the result queue, for a download slot
// and for memory (a file counts as much as its body, and as 20 MB before that is known), and starts
// a task per file. A task reads the whole body into a new array, then decodes all of it into
// another. Then its Arrow batches are copied out: on the reader's thread (WHERE = reader), or in
// the task (WHERE = task). Memory is asked for again every 10 ms, or, with `task`, a waiter is
// woken. Every buffer is new. Prints a line of JSON.
#include <curl/curl.h>
#include <fmt/core.h>
#include <lz4frame.h>
#include <sys/resource.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using Buffer = std::vector<char>;

constexpr size_t kBatchBytes = 1 << 20;
constexpr size_t kAssumedFileBytes = 20 << 20;
constexpr std::chrono::milliseconds kPoll{10};

void Require(bool good, const char* what) {
  if (good) return;
  fmt::print(stderr, "replica: {}\n", what);
  std::_Exit(1);
}

struct Settings {
  size_t downloads, queue, budget_bytes;
  bool copy_in_task;
  std::string ca_file;
};

/// Counts what is in use; whoever asks for too much waits, woken or by asking again.
class Gate {
 public:
  Gate(size_t limit, bool polls) : limit_(limit), polls_(polls) {}

  void Take(size_t amount) {
    std::unique_lock lock(mutex_);
    while (used_ > 0 && used_ + amount > limit_) {
      if (polls_) {
        freed_.wait_for(lock, kPoll, [] { return false; });
      } else {
        freed_.wait(lock);
      }
    }
    used_ += amount;
  }
  void Give(size_t amount) {
    const std::lock_guard lock(mutex_);
    used_ -= amount;
    if (!polls_) freed_.notify_all();
  }

 private:
  const size_t limit_;
  const bool polls_;
  std::mutex mutex_;
  std::condition_variable freed_;
  size_t used_ = 0;
};

size_t Append(char* data, size_t, size_t size, void* body) {
  auto& bytes = *static_cast<Buffer*>(body);
  bytes.insert(bytes.end(), data, data + size);
  return size;
}

/// A connection that outlives one file, as a pooled HTTP client keeps it.
struct Handle {
  CURL* curl = curl_easy_init();
  ~Handle() { curl_easy_cleanup(curl); }
};

Buffer Download(Handle& handle, const std::string& url, const std::string& ca_file) {
  Buffer body;
  body.reserve(kAssumedFileBytes / 2);
  curl_easy_setopt(handle.curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(handle.curl, CURLOPT_WRITEFUNCTION, Append);
  curl_easy_setopt(handle.curl, CURLOPT_WRITEDATA, &body);
  curl_easy_setopt(handle.curl, CURLOPT_FAILONERROR, 1L);
  if (!ca_file.empty()) curl_easy_setopt(handle.curl, CURLOPT_CAINFO, ca_file.c_str());
  Require(curl_easy_perform(handle.curl) == CURLE_OK, "a download failed");
  return body;
}

Buffer Decode(const Buffer& body) {
  LZ4F_dctx* context = nullptr;
  LZ4F_createDecompressionContext(&context, LZ4F_VERSION);
  Buffer decoded(kAssumedFileBytes / 2);
  size_t used = 0, made = 0, hint = 1;
  while (used < body.size()) {
    if (made == decoded.size()) decoded.resize(decoded.size() * 2);
    size_t in = body.size() - used, out = decoded.size() - made;
    hint = LZ4F_decompress(context, decoded.data() + made, &out, body.data() + used, &in, nullptr);
    Require(!LZ4F_isError(hint), "not LZ4");
    used += in;
    made += out;
  }
  Require(hint == 0, "an LZ4 frame is cut short");
  LZ4F_freeDecompressionContext(context);
  decoded.resize(made);
  return decoded;
}

/// The batches' own buffers, as a parser that copies makes them.
std::vector<std::unique_ptr<char[]>> CopyOut(const Buffer& decoded) {
  std::vector<std::unique_ptr<char[]>> batches;
  for (size_t from = 0; from < decoded.size(); from += kBatchBytes) {
    const size_t size = std::min(kBatchBytes, decoded.size() - from);
    batches.push_back(std::make_unique_for_overwrite<char[]>(size));
    std::memcpy(batches.back().get(), decoded.data() + from, size);
  }
  return batches;
}

struct File {
  Buffer decoded;
  std::vector<std::unique_ptr<char[]>> batches;
  size_t wire_bytes = 0, decoded_bytes = 0;
};

class Pipeline {
 public:
  Pipeline(std::vector<std::string> urls, Settings settings)
      : urls_(std::move(urls)),
        settings_(std::move(settings)),
        queue_(settings_.queue, false),
        slots_(settings_.downloads, false),
        memory_(settings_.budget_bytes, !settings_.copy_in_task),
        dispatcher_([this] { Dispatch(); }) {}
  ~Pipeline() { dispatcher_.join(); }

  File Next() {
    std::unique_lock lock(mutex_);
    started_.wait(lock, [this] { return !files_.empty(); });
    std::future<File> file = std::move(files_.front());
    files_.pop_front();
    lock.unlock();
    File done = file.get();
    if (!settings_.copy_in_task) done.batches = CopyOut(done.decoded);
    queue_.Give(1);
    return done;
  }
  void Release(File file) {
    file = File();
    memory_.Give(kAssumedFileBytes);
  }

 private:
  void Dispatch() {
    for (const std::string& url : urls_) {
      queue_.Take(1);
      slots_.Take(1);
      memory_.Take(kAssumedFileBytes);
      std::future<File> file = std::async(std::launch::async, [this, &url] { return Fetch(url); });
      const std::lock_guard lock(mutex_);
      files_.push_back(std::move(file));
      started_.notify_one();
    }
  }
  File Fetch(const std::string& url) {
    std::unique_ptr<Handle> handle = TakeHandle();
    const Buffer body = Download(*handle, url, settings_.ca_file);
    GiveHandle(std::move(handle));
    File file{.decoded = Decode(body), .batches = {}, .wire_bytes = body.size()};
    file.decoded_bytes = file.decoded.size();
    if (settings_.copy_in_task) file.batches = CopyOut(file.decoded);
    slots_.Give(1);  // held while decoding, as theirs is
    return file;
  }
  std::unique_ptr<Handle> TakeHandle() {
    const std::lock_guard lock(mutex_);
    if (handles_.empty()) return std::make_unique<Handle>();
    std::unique_ptr<Handle> handle = std::move(handles_.back());
    handles_.pop_back();
    return handle;
  }

  void GiveHandle(std::unique_ptr<Handle> handle) {
    const std::lock_guard lock(mutex_);
    handles_.push_back(std::move(handle));
  }

  const std::vector<std::string> urls_;
  const Settings settings_;
  Gate queue_, slots_, memory_;
  std::mutex mutex_;
  std::condition_variable started_;
  std::deque<std::future<File>> files_;
  std::vector<std::unique_ptr<Handle>> handles_;
  std::thread dispatcher_;
};

}  // namespace

int main(int argc, char** argv) {
  Require(argc >= 6, "replica LIST DOWNLOADS QUEUE BUDGET_MB reader|task [CA_FILE]");
  std::vector<std::string> urls;
  std::ifstream list(argv[1]);
  for (std::string url; std::getline(list, url);) urls.push_back(url);
  const auto number = [&](int index) { return std::strtoul(argv[index], nullptr, 10); };
  const Settings settings{.downloads = number(2),
                          .queue = number(3),
                          .budget_bytes = number(4) << 20,
                          .copy_in_task = std::string(argv[5]) == "task",
                          .ca_file = argc > 6 ? argv[6] : ""};
  curl_global_init(CURL_GLOBAL_DEFAULT);
  const Clock::time_point start = Clock::now();
  double first_batch = 0;
  size_t wire_bytes = 0, decoded_bytes = 0;
  {
    Pipeline pipeline(urls, settings);
    for (size_t i = 0; i < urls.size(); ++i) {
      File file = pipeline.Next();
      if (i == 0) first_batch = std::chrono::duration<double>(Clock::now() - start).count();
      wire_bytes += file.wire_bytes;
      decoded_bytes += file.decoded_bytes;
      pipeline.Release(std::move(file));
    }
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto to_seconds = [](timeval t) { return double(t.tv_sec) + double(t.tv_usec) / 1e6; };
  fmt::print(
      "{{\"seconds\":{:.6f},\"first_batch\":{:.6f},\"cpu_user\":{:.4f},\"cpu_system\":{:.4f},",
      seconds, first_batch, to_seconds(used.ru_utime), to_seconds(used.ru_stime));
  fmt::print("\"wire_bytes\":{},\"decoded_bytes\":{},\"peak_kib\":{},\"minor_faults\":{}}}\n",
             wire_bytes, decoded_bytes, used.ru_maxrss, used.ru_minflt);
}
