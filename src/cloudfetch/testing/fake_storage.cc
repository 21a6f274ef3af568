// SPDX-License-Identifier: Apache-2.0
#include "cloudfetch/testing/fake_storage.h"

#include <stdexcept>
#include <utility>

#include "arrow/testing/ipc_writer.h"
#include "base/str_cat.h"
#include "http/curl_client.h"

namespace dbx {
namespace {

constexpr std::string_view kFreshMark = "sig=fresh";
constexpr size_t kIdleBytes = 64 << 20;

std::unique_ptr<HttpClient> MakeClient() {
  CurlClientOptions options;
  options.proxy.use_environment = false;
  Result<std::unique_ptr<HttpClient>> client = MakeCurlClient(options, Log());
  if (!client.ok()) throw std::runtime_error(client.status().ToString());
  return std::move(client).value();
}

}  // namespace

std::string FakeStorage::Path(int64_t chunk_index) {
  return StrCat("/result/", chunk_index);
}

FakeStorage::FakeStorage(const std::vector<FakeChunk>& chunks)
    : faults_(chunks.size()), pool_(SlabPool::Make(kIdleBytes)), http_(MakeClient()) {
  for (const FakeChunk& chunk : chunks) {
    const auto index = static_cast<int64_t>(files_.size());
    const std::string raw =
        MakeIpcStream(num_rows_, chunk.num_rows + chunk.padding_rows, chunk.rows_per_batch);
    files_.push_back(chunk.lz4 ? Lz4Frames(raw, *chunk.lz4) : raw);
    ResultLink link;
    link.chunk_index = index;
    link.row_offset = num_rows_;
    link.num_rows = chunk.num_rows;
    link.num_bytes =
        chunk.stated_bytes >= 0 ? chunk.stated_bytes : static_cast<int64_t>(raw.size());
    link.presigned_url = SecretUrl(server_.Url(Path(index) + "?sig=first"));
    link.headers.emplace_back("x-storage-key", Secret(StrCat("key-", index)));
    all_links_.push_back(std::move(link));
    num_rows_ += chunk.num_rows;
    server_.Handle(Path(index),
                   [this, position = static_cast<size_t>(index)](const FakeRequest& request) {
                     return Answer(request, position);
                   });
  }
  manifest_.schema = RowSchema();
  manifest_.compression = Compression::kLz4Frame;
  links_ = std::make_shared<FakeLinks>(all_links_);
  links_->set_refresher([this](const ResultLink& stale) -> Result<ResultLink> {
    ResultLink fresh = stale;
    fresh.presigned_url = SecretUrl(server_.Url(StrCat(Path(stale.chunk_index), "?", kFreshMark)));
    return fresh;
  });
}

FakeAnswer FakeStorage::Answer(const FakeRequest& request, size_t chunk) {
  FakeAnswer answer = FakeFile(request, files_[chunk]);
  answer.headers.emplace_back("ETag", StrCat("\"file-", chunk, "\""));
  if (request.HasHeader("Authorization"))
    return FakeAnswer{.status = 400, .body = "two credentials"};
  if (expired_ && request.target.find(kFreshMark) == std::string::npos) return *expired_;
  if (faults_[chunk]) faults_[chunk](request, answer);
  return answer;
}

void FakeStorage::SetFault(int64_t chunk_index, Fault fault) {
  faults_[static_cast<size_t>(chunk_index)] = std::move(fault);
}

void FakeStorage::Refuse(int64_t chunk_index, int times, int status, std::string body,
                         std::vector<std::pair<std::string, std::string>> headers) {
  SetFault(chunk_index, [=](const FakeRequest& request, FakeAnswer& answer) {
    if (request.repeat < times) answer = {.status = status, .headers = headers, .body = body};
  });
}

void FakeStorage::ExpireLinks(int status, std::string body) {
  expired_ = FakeAnswer{.status = status, .body = std::move(body)};
}

std::unique_ptr<CloudFetchStream> FakeStorage::MakeStream(const CloudFetchOptions& options,
                                                          const Clock& clock) {
  links_->Rewind();
  return MakeCloudFetchStream(manifest_, std::make_unique<FakeLinkSource>(links_), http_.get(),
                              pool_, options, Log(), clock);
}

int FakeStorage::num_requests(int64_t chunk_index) const {
  return server_.num_requests(Path(chunk_index));
}

CloudFetchOptions TestOptions() {
  CloudFetchOptions options;
  options.memory_limit_bytes = 64 << 20;
  options.retry.first_delay = std::chrono::milliseconds(1);
  options.retry.max_delay = std::chrono::milliseconds(4);
  options.retry.budget = std::chrono::milliseconds(60'000);
  return options;
}

ReadResult ReadAll(ResultStream& stream, const std::function<void(RecordBatch)>& each) {
  ReadResult read;
  while (true) {
    Result<std::optional<RecordBatch>> batch = stream.Next();
    if (!batch.ok() || !batch->has_value()) {
      read.end = batch.status();
      return read;
    }
    if ((*batch)->num_rows() < 1) {
      read.end = Status::Internal("a batch without rows");
      return read;
    }
    if (Status status = CheckRows(**batch, read.num_rows); !status.ok()) {
      read.end = Status::Internal(status.ToString());
      return read;
    }
    read.num_rows += (*batch)->num_rows();
    if (each) each(std::move(**batch));
  }
}

}  // namespace dbx
