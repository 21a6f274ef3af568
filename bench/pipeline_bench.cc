// SPDX-License-Identifier: Apache-2.0
// pipeline_bench FILES SCHEMA_FILE [name=value]...: reads the files of the list FILES, whose lines
// are "URL rows decoded-bytes", through the CloudFetch stream alone: no protocol, no C ABI.
// SCHEMA_FILE is one of the served files. Prints a line of JSON. Names: parallel, ahead, budget_mb,
// delay_us (of the reader, for each batch), keep (1: the reader keeps every batch), threads, hedge.
#include <fmt/core.h>
#include <sys/resource.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

#include "arrow/ipc_decoder.h"
#include "arrow/lz4_frame.h"
#include "cloudfetch/cloudfetch_stream.h"
#include "http/curl_client.h"

namespace {

using Time = std::chrono::steady_clock;

[[noreturn]] void Die(const std::string& what) {
  fmt::print(stderr, "pipeline_bench: {}\n", what);
  std::_Exit(1);
}

template <typename T>
T Need(dbx::Result<T> result) {
  if (!result.ok()) Die(result.status().ToString());
  return std::move(result).value();
}

class ListedLinks : public dbx::LinkSource {
 public:
  explicit ListedLinks(std::vector<dbx::ResultLink> links) : links_(std::move(links)) {}
  dbx::Result<std::optional<dbx::ResultLink>> Next() override {
    if (next_ == links_.size()) return std::optional<dbx::ResultLink>();
    return std::optional<dbx::ResultLink>(links_[next_++]);
  }
  dbx::Result<dbx::ResultLink> Refresh(const dbx::ResultLink& stale) override { return stale; }
  void Cancel(dbx::Status /*reason*/) override {}

 private:
  const std::vector<dbx::ResultLink> links_;
  size_t next_ = 0;
};

std::vector<dbx::ResultLink> ReadList(const std::string& path) {
  std::ifstream list(path);
  std::vector<dbx::ResultLink> links;
  int64_t row_offset = 0;
  for (std::string line; std::getline(list, line);) {
    std::istringstream words(line);
    std::string url;
    dbx::ResultLink link;
    words >> url >> link.num_rows >> link.num_bytes;
    link.chunk_index = static_cast<int64_t>(links.size());
    link.row_offset = row_offset;
    link.presigned_url = dbx::SecretUrl(url);
    row_offset += link.num_rows;
    links.push_back(std::move(link));
  }
  return links;
}

std::shared_ptr<const dbx::Schema> ReadSchema(const std::string& path) {
  // The beginning is enough: one block of LZ4.
  std::string stored(4 << 20, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(stored.data(), static_cast<std::streamsize>(stored.size()));
  stored.resize(static_cast<size_t>(file.gcount()));
  std::vector<uint8_t> bytes(stored.begin(), stored.end());
  if (dbx::HasLz4Magic(bytes)) {
    bytes.resize(8 << 20);
    dbx::Lz4FrameDecoder lz4;
    bytes.resize(Need(lz4.Decode(dbx::AsBytes(stored), bytes)).produced);
  }
  const std::optional<dbx::IpcMessage> message =
      Need(dbx::ReadIpcMessage(dbx::Bytes(bytes), uint64_t{1} << 30));
  if (!message) Die("no schema");
  return Need(dbx::DecodeIpcSchema(*message));
}

/// A wait that costs no CPU and ends at its time, however short.
void Rest(std::chrono::microseconds length) {
  std::mutex mutex;
  std::condition_variable never;
  std::unique_lock lock(mutex);
  never.wait_until(lock, Time::now() + length, [] { return false; });
}

double Seconds(timeval time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

double Seconds(std::chrono::nanoseconds length) {
  return std::chrono::duration<double>(length).count();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) Die("pipeline_bench FILES SCHEMA_FILE [name=value]...");
  std::map<std::string, int64_t> knobs;
  for (int i = 3; i < argc; ++i) {
    const std::string word = argv[i];
    knobs[word.substr(0, word.find('='))] = std::atoll(word.substr(word.find('=') + 1).c_str());
  }
  dbx::CloudFetchOptions options;
  const auto set = [&knobs](const char* name, auto& value) {
    if (knobs.contains(name)) value = static_cast<std::decay_t<decltype(value)>>(knobs[name]);
  };
  set("parallel", options.parallel_downloads);
  set("ahead", options.chunks_ahead);
  set("threads", options.decode_threads);
  set("hedge", options.hedge);
  if (knobs.contains("budget_mb")) options.memory_limit_bytes = knobs["budget_mb"] << 20;

  dbx::ResultManifest manifest;
  manifest.schema = ReadSchema(argv[2]);
  manifest.compression = dbx::Compression::kLz4Frame;
  const std::unique_ptr<dbx::HttpClient> http = Need(dbx::MakeCurlClient({}, dbx::Log()));
  const std::shared_ptr<dbx::SlabPool> pool = dbx::SlabPool::Make(size_t{64} << 20);

  rusage before{};
  getrusage(RUSAGE_SELF, &before);
  const Time::time_point start = Time::now();
  const std::unique_ptr<dbx::CloudFetchStream> stream =
      dbx::MakeCloudFetchStream(manifest, std::make_unique<ListedLinks>(ReadList(argv[1])),
                                http.get(), pool, options, dbx::Log());
  std::vector<dbx::RecordBatch> kept;
  int64_t num_rows = 0;
  while (std::optional<dbx::RecordBatch> batch = Need(stream->Next())) {
    num_rows += batch->num_rows();
    if (knobs["keep"] != 0) kept.push_back(std::move(*batch));
    batch.reset();
    if (knobs["delay_us"] > 0) Rest(std::chrono::microseconds(knobs["delay_us"]));
  }
  const double seconds = Seconds(Time::now() - start);
  rusage after{};
  getrusage(RUSAGE_SELF, &after);

  const dbx::CloudFetchStatistics s = stream->statistics();
  const double gigabytes = static_cast<double>(s.bytes_decoded) / 1e9;
  const double cpu = Seconds(after.ru_utime) + Seconds(after.ru_stime) - Seconds(before.ru_utime) -
                     Seconds(before.ru_stime);
  fmt::print(
      "{{\"seconds\":{:.4f},\"gb_per_second\":{:.3f},\"cpu_per_gb\":{:.4f},\"system_cpu\":{:.3f},",
      seconds, gigabytes / seconds, cpu / gigabytes,
      Seconds(after.ru_stime) - Seconds(before.ru_stime));
  fmt::print("\"first_batch\":{:.4f},\"rows\":{},\"wire_bytes\":{},\"decoded_bytes\":{},",
             Seconds(s.time_to_first_batch), num_rows, s.bytes_downloaded, s.bytes_decoded);
  fmt::print("\"peak_mib\":{},\"minor_faults\":{},\"switches\":{},\"peak_charged_mib\":{},",
             after.ru_maxrss >> 10, after.ru_minflt - before.ru_minflt,
             after.ru_nvcsw + after.ru_nivcsw - before.ru_nvcsw - before.ru_nivcsw,
             s.peak_charged_bytes >> 20);
  fmt::print("\"peak_downloads\":{},\"retries\":{},\"reader_waited\":{:.3f},", s.peak_downloads,
             s.retries, Seconds(s.reader_waited));
  fmt::print("\"second_gets\":{},\"joined\":{},", s.second_gets, s.second_gets_joined);
  fmt::print("\"budget_waited\":{:.3f},\"decode\":{:.3f},\"misaligned\":{}}}\n",
             Seconds(s.budget_waited), Seconds(s.decode_time), s.misaligned_copies);
  return 0;
}
