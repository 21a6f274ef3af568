// SPDX-License-Identifier: Apache-2.0
#include "warehouse/sea/stored_file.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow/ipc_decoder.h"
#include "arrow/lz4_frame.h"
#include "base/str_cat.h"
#include "http/retry.h"

namespace dbx::sea {
namespace {

constexpr uint64_t kFirstPiece = uint64_t{16} << 10;
constexpr uint64_t kLargestSchema = uint64_t{64} << 20;
constexpr std::string_view kFirstChunk = "chunk 0";
constexpr int kMaxRefreshes = 3;
constexpr int kMaxTries = 3;

RetryPolicy PolicyOf(const Config& config) {
  return {
      .first_delay = config.retry.first_delay,
      .max_delay = config.retry.max_delay,
      .budget = config.cloudfetch.retry_budget,
      .rate_limit_budget = std::max(config.cloudfetch.retry_budget, config.retry.rate_limit_budget),
      .max_attempts = config.retry.max_attempts};
}

HttpRequest MakeRequest(const ResultLink& link, const Config& config,
                        std::optional<uint64_t> num_bytes) {
  HttpRequest request;
  request.url = link.presigned_url;
  for (const auto& [name, value] : link.headers) request.headers.push_back({name, value});
  if (num_bytes) {
    request.headers.push_back({"Range", Secret(StrCat("bytes=0-", *num_bytes - 1))});
  }
  request.timeout = config.cloudfetch.timeout;
  request.stall_timeout = config.cloudfetch.stall_timeout;
  return request;
}

bool MayHaveExpired(int status) {
  return status == 400 || status == 401 || status == 403 || status == 404;
}

/// The first `num_bytes` of the file, or all of it.
Result<std::string> Fetch(SeaLinkSource& links, std::optional<uint64_t> num_bytes,
                          Cancellation* cancellation) {
  const Config& config = links.statement().config();
  SessionCore& core = links.statement().core();
  ASSIGN_OR_RETURN(HttpClient * storage, core.storage());
  ASSIGN_OR_RETURN(std::optional<ResultLink> link, links.Peek(cancellation));
  if (!link) return Status::InvalidData("a result without files");
  for (int refreshes = 0;; ++refreshes) {
    ASSIGN_OR_RETURN(
        HttpResponse answer,
        CallWithRetry(*storage, MakeRequest(*link, config, num_bytes), PolicyOf(config),
                      Repeatable::kAlways, cancellation, core.log()));
    if (answer.IsSuccess()) return std::move(answer.body);
    if (!MayHaveExpired(answer.head.status) || refreshes == kMaxRefreshes) {
      return dbx::ToStatus(answer, link->presigned_url);
    }
    ASSIGN_OR_RETURN(link, links.RefreshFirst(cancellation));
  }
}

/// The schema message at the front of `file`, or nullopt with how much of the file may be needed.
Result<std::optional<IpcMessage>> FindSchema(Bytes decoded, uint64_t* needed) {
  ASSIGN_OR_RETURN(std::optional<IpcMessage> message,
                   ReadIpcMessage(decoded, kLargestSchema, needed));
  if (!message || message->kind == IpcMessageKind::kSchema) return message;
  return Status::InvalidData("the result's first file does not begin with a schema");
}

/// One try at the schema, with growing pieces of the file.
Result<std::shared_ptr<const Schema>> TrySchema(SeaLinkSource& links, Cancellation* cancellation) {
  for (uint64_t piece = kFirstPiece;;) {
    ASSIGN_OR_RETURN(const std::string stored, Fetch(links, piece, cancellation));
    std::vector<uint8_t> unpacked;
    Bytes decoded = AsBytes(stored);
    if (HasLz4Magic(decoded)) {
      RETURN_IF_ERROR(DecodeLz4Start(decoded, kLargestSchema, &unpacked));
      decoded = unpacked;
    }
    uint64_t needed = 0;
    ASSIGN_OR_RETURN(const std::optional<IpcMessage> message, FindSchema(decoded, &needed));
    if (message) return DecodeIpcSchema(*message);
    const bool whole = stored.size() < piece;
    if (whole || piece >= kLargestSchema) {
      return Status::InvalidData("the result's first file is cut off within its schema");
    }
    piece = std::min(kLargestSchema, std::max(needed + kFirstPiece, piece * 16));
  }
}

}  // namespace

Result<std::string> FetchFirstFile(SeaLinkSource& links, Cancellation* cancellation) {
  Result<std::string> file = Fetch(links, std::nullopt, cancellation);
  if (!file.ok()) return file.status().WithContext(kFirstChunk);
  return file;
}

Result<std::shared_ptr<const Schema>> FetchFirstSchema(SeaLinkSource& links,
                                                       Cancellation* cancellation) {
  for (int tries = 1;; ++tries) {
    Result<std::shared_ptr<const Schema>> schema = TrySchema(links, cancellation);
    // Bytes that were damaged on their way may come whole another time.
    const bool damaged = schema.status().code() == StatusCode::kInvalidData;
    if (schema.ok()) return schema;
    if (!damaged || tries == kMaxTries) return schema.status().WithContext(kFirstChunk);
  }
}

}  // namespace dbx::sea
