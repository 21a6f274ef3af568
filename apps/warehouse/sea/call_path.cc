// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "net/http_text.h"
#include "sea/calls.h"

namespace dbx::local {
namespace {

constexpr std::string_view kRoot = "/api/2.0/sql/";

/// The path behind the root, cut at its slashes; a slash at the end makes no difference.
std::vector<std::string_view> SegmentsOf(std::string_view path) {
  std::vector<std::string_view> segments;
  path.remove_prefix(kRoot.size());
  if (path.ends_with('/')) path.remove_suffix(1);
  while (true) {
    const size_t slash = path.find('/');
    segments.push_back(path.substr(0, slash));
    if (slash == std::string_view::npos) return segments;
    path.remove_prefix(slash + 1);
  }
}

SeaCall ReadSessionCall(std::string_view method, const std::vector<std::string_view>& segments) {
  if (segments.size() == 1 && method == "POST") return {.kind = SeaCall::Kind::kCreateSession};
  if (segments.size() == 2 && method == "DELETE")
    return {.kind = SeaCall::Kind::kDeleteSession, .id = std::string(segments[1])};
  return {};
}

SeaCall ReadStatementCall(std::string_view method, const std::vector<std::string_view>& segments) {
  using Kind = SeaCall::Kind;
  if (segments.size() == 1) return {.kind = method == "POST" ? Kind::kExecute : Kind::kNone};
  SeaCall call{.id = std::string(segments[1])};
  if (segments.size() == 2 && method == "GET") call.kind = Kind::kGet;
  if (segments.size() == 2 && method == "DELETE") call.kind = Kind::kClose;
  if (segments.size() == 3 && segments[2] == "cancel" && method == "POST")
    call.kind = Kind::kCancel;
  if (segments.size() == 5 && segments[2] == "result" && segments[3] == "chunks" &&
      method == "GET") {
    const std::optional<uint64_t> index = ParseNumber(segments[4]);
    if (!index) return {};
    call.kind = Kind::kGetChunk;
    call.chunk_index = *index;
  }
  return call;
}

}  // namespace

bool SeaService::Answers(std::string_view path) {
  if (!path.starts_with(kRoot)) return false;
  const std::vector<std::string_view> segments = SegmentsOf(path);
  // One client opens its sessions below a warehouse.
  return segments[0] == "sessions" || segments[0] == "statements" ||
         (segments[0] == "warehouses" && segments.size() >= 3 && segments[2] == "sessions");
}

SeaCall ReadCall(const HttpRequest& request) {
  SeaCall call;
  if (!SeaService::Answers(request.path)) return call;
  std::vector<std::string_view> segments = SegmentsOf(request.path);
  if (segments[0] == "statements") {
    call = ReadStatementCall(request.method, segments);
  } else {
    if (segments[0] == "warehouses") segments.erase(segments.begin(), segments.begin() + 2);
    call = ReadSessionCall(request.method, segments);
  }
  call.http = &request;
  return call;
}

std::string_view NameOf(SeaCall::Kind kind) {
  switch (kind) {
    case SeaCall::Kind::kNone:
      return "";
    case SeaCall::Kind::kCreateSession:
      return "CreateSession";
    case SeaCall::Kind::kDeleteSession:
      return "DeleteSession";
    case SeaCall::Kind::kExecute:
      return "ExecuteStatement";
    case SeaCall::Kind::kGet:
      return "GetStatement";
    case SeaCall::Kind::kGetChunk:
      return "GetChunk";
    case SeaCall::Kind::kCancel:
      return "CancelStatement";
    case SeaCall::Kind::kClose:
      break;
  }
  return "CloseStatement";
}

}  // namespace dbx::local
