// SPDX-License-Identifier: Apache-2.0
#include "net/storage_service.h"

#include <optional>
#include <utility>

#include "base/str_cat.h"
#include "net/byte_range.h"
#include "net/storage_errors.h"

namespace dbx::local {
namespace {

constexpr std::string_view kFolder = "/results/";

StorageError ErrorOf(LinkVerdict verdict) {
  switch (verdict) {
    case LinkVerdict::kExpired:
      return StorageError::kExpired;
    case LinkVerdict::kForged:
      return StorageError::kForged;
    case LinkVerdict::kMalformed:
      return StorageError::kMalformed;
    default:
      return StorageError::kUnsigned;
  }
}

// Objects never change and no two have one name: the name tells them apart as well as a sum of the
// bytes.
std::string EtagOf(std::string_view name) {
  return StrCat("\"", name, "\"");
}

SharedBytes Slice(const SharedBytes& object, const ByteRange& range) {
  SharedBytes part = object;
  if (range.kind == ByteRange::Kind::kPart) {
    part.bytes = part.bytes.subspan(range.first, range.num_bytes);
    part.file_offset += range.first;
  }
  return part;
}

std::string_view EtagCondition(const HttpRequest& request) {
  const std::string_view wanted = request.Header("if-match");
  return wanted == "*" ? std::string_view() : wanted;
}

HttpReply ObjectReply(const HttpRequest& request, const SharedBytes& object,
                      const std::string& etag, const ByteRange& range) {
  HttpReply reply;
  reply.headers = {
      {"Content-Type", "binary/octet-stream"}, {"Accept-Ranges", "bytes"}, {"ETag", etag}};
  if (range.kind == ByteRange::Kind::kPart) {
    reply.status = 206;
    reply.headers.emplace_back(
        "Content-Range", StrCat("bytes ", range.first, "-", range.first + range.num_bytes - 1, "/",
                                object.bytes.size()));
  }
  reply.parts.push_back(Slice(object, range));
  reply.kind = request.method == "HEAD" ? "storage.head" : "storage.get";
  return reply;
}

}  // namespace

HttpReply StorageService::Handle(const HttpRequest& request) const {
  const std::string_view path = request.path;
  const std::string_view name =
      path.starts_with(kFolder) ? path.substr(kFolder.size()) : std::string_view();
  std::optional<FaultAction> action;
  if (!faults_.empty()) {
    action = faults_.Next({.point = FaultPoint::kStorage,
                           .http_method = request.method,
                           .path = path,
                           .chunk_index = ChunkIndexOf(name)});
  }
  HttpReply reply = action ? AnswerWithFault(request, name, std::move(*action))
                           : Answer(request, name, /*expired_by_fault=*/false);
  if (reply.kind.empty()) reply.kind = "storage.refused";
  return reply;
}

HttpReply StorageService::AnswerWithFault(const HttpRequest& request, std::string_view name,
                                          FaultAction action) const {
  HttpReply reply;
  if (action.status) {
    reply = {.status = *action.status, .body = std::move(action.body), .kind = "storage.fault"};
  } else {
    reply = Answer(request, name, action.expire_link);
  }
  for (auto& header : action.headers) reply.headers.push_back(std::move(header));
  reply.fault = action.reply;
  return reply;
}

HttpReply StorageService::Answer(const HttpRequest& request, std::string_view name,
                                 bool expired_by_fault) const {
  StorageErrorContext context{.now = std::chrono::system_clock::now(), .path = request.path};
  const auto refuse = [&](StorageError error) {
    return StorageErrorReply(flavor_, error, context);
  };

  const bool is_get = request.method == "GET";
  if (!is_get && request.method != "HEAD") return refuse(StorageError::kMethod);
  const LinkCheck check = signer_.Check(name, request.query, context.now);
  context.expires_at = expired_by_fault ? context.now : check.expires_at;
  if (check.verdict != LinkVerdict::kUnsigned && !request.Header("authorization").empty()) {
    return refuse(StorageError::kHeaderAndLink);
  }
  if (expired_by_fault) return refuse(StorageError::kExpired);
  if (check.verdict != LinkVerdict::kValid) return refuse(ErrorOf(check.verdict));
  // A signature for GET is wrong for HEAD; only this one store signs for reading, however it is
  // done.
  if (!is_get && flavor_ != StorageFlavor::kAdls) return refuse(StorageError::kForged);

  const std::shared_ptr<const SharedBytes> object = spool_.Get(name);
  if (!object) return refuse(StorageError::kNotFound);
  const std::string etag = EtagOf(name);
  if (const std::string_view wanted = EtagCondition(request); !wanted.empty() && wanted != etag) {
    return refuse(StorageError::kPrecondition);
  }
  const std::string_view if_range = request.Header("if-range");
  const bool range_holds = if_range.empty() || if_range == etag;
  const ByteRange range =
      ParseByteRange(range_holds ? request.Header("range") : "", object->bytes.size());
  if (range.kind == ByteRange::Kind::kUnsatisfiable) {
    HttpReply reply = refuse(StorageError::kRange);
    reply.headers.emplace_back("Content-Range", StrCat("bytes */", object->bytes.size()));
    return reply;
  }
  return ObjectReply(request, *object, etag, range);
}

}  // namespace dbx::local
