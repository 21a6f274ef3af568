// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrow/slab_pool.h"
#include "arrow/testing/lz4_writer.h"
#include "cloudfetch/cloudfetch_stream.h"
#include "cloudfetch/testing/fake_links.h"
#include "http/testing/fake_server.h"

namespace dbx {

/// How the file of one chunk is made. Its rows follow those of the chunk before.
struct FakeChunk {
  int64_t num_rows = 0;      ///< that the link declares
  int64_t padding_rows = 0;  ///< that the file holds past them; negative: that it lacks
  int64_t rows_per_batch = 50;
  std::optional<Lz4Layout> lz4 = Lz4Layout{};  ///< nullopt: stored plain
  int64_t stated_bytes = -1;                   ///< num_bytes of the link; -1: the true size
};

/// A result in cloud storage, in this process: chunk files behind a real HTTP server on 127.0.0.1,
/// a real client, and the links to them. Rows are those of arrow/testing/ipc_writer.h, numbered
/// through the whole result.
class FakeStorage {
 public:
  explicit FakeStorage(const std::vector<FakeChunk>& chunks);
  /// `num_chunks` chunks of `num_rows` rows each.
  FakeStorage(int64_t num_chunks, int64_t num_rows)
      : FakeStorage(
            std::vector<FakeChunk>(static_cast<size_t>(num_chunks), {.num_rows = num_rows})) {}

  /// Changes one answer for a chunk's file; `answer` comes as it would be, Range and all.
  using Fault = std::function<void(const FakeRequest& request, FakeAnswer& answer)>;
  void SetFault(int64_t chunk_index, Fault fault);
  /// The first `times` requests for the chunk are answered with `status` and `body`.
  void Refuse(int64_t chunk_index, int times, int status, std::string body = "refused",
              std::vector<std::pair<std::string, std::string>> headers = {});
  /// From now on only links that came from Refresh are served: others get `status`.
  void ExpireLinks(int status = 403, std::string body = "<Error><Code>AccessDenied</Code></Error>");
  /// The source gives `link` in the place of the chunk's own; `all_links` keeps that.
  void ReplaceLink(int64_t chunk_index, ResultLink link) {
    links_->Replace(static_cast<size_t>(chunk_index), std::move(link));
  }
  void set_file(int64_t chunk_index, std::string file) {
    files_[static_cast<size_t>(chunk_index)] = std::move(file);
  }

  /// A stream over all of it; the storage outlives it.
  std::unique_ptr<CloudFetchStream> MakeStream(const CloudFetchOptions& options,
                                               const Clock& clock = Clock::Real());

  FakeLinks& links() { return *links_; }
  const std::vector<ResultLink>& all_links() const { return all_links_; }
  ResultManifest& manifest() { return manifest_; }
  FakeServer& server() { return server_; }
  HttpClient& http() { return *http_; }
  SlabPool& pool() { return *pool_; }
  const std::string& file(int64_t chunk_index) const {
    return files_[static_cast<size_t>(chunk_index)];
  }
  int64_t num_rows() const { return num_rows_; }
  int num_requests(int64_t chunk_index) const;
  static std::string Path(int64_t chunk_index);

 private:
  FakeAnswer Answer(const FakeRequest& request, size_t chunk);

  std::vector<std::string> files_;
  std::vector<Fault> faults_;
  std::vector<ResultLink> all_links_;
  ResultManifest manifest_;
  int64_t num_rows_ = 0;
  std::shared_ptr<FakeLinks> links_;
  std::shared_ptr<SlabPool> pool_;
  std::optional<FakeAnswer> expired_;
  std::unique_ptr<HttpClient> http_;
  FakeServer server_;
};

/// Few bytes, short waits: what tests need.
CloudFetchOptions TestOptions();

/// What a reader got: rows 0 .. num_rows - 1, all values checked, then `end`.
struct ReadResult {
  int64_t num_rows = 0;
  Status end;  ///< Ok after the last row; kInternal when a row was not the one that was due
};
/// Reads to the end or the error; `each` is called with every batch.
ReadResult ReadAll(ResultStream& stream, const std::function<void(RecordBatch)>& each = {});

}  // namespace dbx
