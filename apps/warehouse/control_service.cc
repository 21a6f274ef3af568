// SPDX-License-Identifier: Apache-2.0
#include "control_service.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/bytes.h"
#include "base/str_cat.h"
#include "net/http_text.h"

namespace dbx::local {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kObservation = "/__warehouse__/";
constexpr std::string_view kOrganisation = "1000000000000001";
constexpr std::string_view kWarehouses = "/api/2.0/sql/warehouses/";
constexpr std::string_view kFlags = "/api/2.0/connector-service/feature-flags/";

HttpReply JsonReply(int status, std::string body, std::string kind) {
  return {.status = status,
          .headers = {{"Content-Type", "application/json; charset=utf-8"}},
          .body = std::move(body),
          .kind = std::move(kind)};
}

HttpReply ErrorReply(int status, const Json& error_code, std::string_view message,
                     std::string kind) {
  return JsonReply(status, Json{{"error_code", error_code}, {"message", message}}.dump(),
                   std::move(kind));
}

HttpReply NotFound(const HttpRequest& request) {
  const std::string message = StrCat("No API found for '", request.method, " ", request.path, "'");
  const std::string text = Json(message).dump(-1, ' ', false, Json::error_handler_t::replace);
  return JsonReply(404, StrCat("{\"error_code\":\"ENDPOINT_NOT_FOUND\",\"message\":", text, "}"),
                   "not_found");
}

HttpReply MethodNotAllowed(std::string_view allowed) {
  HttpReply reply =
      ErrorReply(405, "METHOD_NOT_ALLOWED", StrCat("use ", allowed), "refused.method");
  reply.headers.emplace_back("Allow", allowed);
  return reply;
}

std::string_view WithoutSlash(std::string_view path) {
  if (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path;
}

bool IsOneSegment(std::string_view text) {
  return !text.empty() && text.find('/') == std::string_view::npos;
}

// The token in "Bearer <token>" or in "Basic <base64 of token:<token>>"; empty when there is
// neither.
std::string TokenOf(std::string_view authorization) {
  const size_t blank = authorization.find(' ');
  if (blank == std::string_view::npos) return {};
  const std::string_view scheme = authorization.substr(0, blank);
  const std::string_view credential = Trim(authorization.substr(blank + 1));
  if (EqualIgnoringCase(scheme, "bearer")) return std::string(credential);
  if (!EqualIgnoringCase(scheme, "basic")) return {};
  std::string decoded(credential.size() / 4 * 3 + 3, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(decoded.data()),
                                   AsBytes(credential).data(), static_cast<int>(credential.size()));
  if (size < 0) return {};
  decoded.resize(static_cast<size_t>(size) -
                 static_cast<size_t>(std::count(credential.begin(), credential.end(), '=')));
  constexpr std::string_view kUser = "token:";
  return decoded.starts_with(kUser) ? decoded.substr(kUser.size()) : std::string();
}

std::string Base(const HttpRequest& request) {
  return StrCat(request.scheme, "://", request.host);
}

HttpReply HostMetadata(const HttpRequest& request) {
  const Json body = {
      {"oidc_endpoint", Base(request) + "/oidc"}, {"cloud", "local"}, {"host_type", "workspace"}};
  return JsonReply(200, body.dump(), "discovery");
}

HttpReply OauthMetadata(const HttpRequest& request) {
  const std::string issuer = Base(request) + "/oidc";
  const Json body = {
      {"issuer", issuer},
      {"authorization_endpoint", issuer + "/v1/authorize"},
      {"token_endpoint", issuer + "/v1/token"},
      {"response_types_supported", {"code"}},
      {"grant_types_supported", {"authorization_code", "client_credentials", "refresh_token"}},
      {"code_challenge_methods_supported", {"S256"}},
      {"scopes_supported", {"all-apis", "sql", "offline_access"}}};
  return JsonReply(200, body.dump(), "discovery");
}

HttpReply WarehouseState(std::string_view id) {
  const Json body = {{"id", id},          {"name", "local"},           {"state", "RUNNING"},
                     {"size", "X_SMALL"}, {"cluster_size", "X-Small"}, {"num_clusters", 1}};
  return JsonReply(200, body.dump(-1, ' ', false, Json::error_handler_t::replace), "warehouse");
}

HttpReply TelemetryReply(const HttpRequest& request) {
  const Json sent = Json::parse(request.body, nullptr, /*allow_exceptions=*/false);
  size_t num_logs = 0;
  if (sent.is_object() && sent.contains("protoLogs")) num_logs = sent["protoLogs"].size();
  return JsonReply(
      200, Json{{"errors", Json::array()}, {"numSuccess", 0}, {"numProtoSuccess", num_logs}}.dump(),
      "telemetry");
}

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

int64_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  int64_t whole_pages = 0, resident_pages = 0;
  file >> whole_pages >> resident_pages;
  return resident_pages * ::sysconf(_SC_PAGESIZE);
}

Json ProcessStats() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return {{"cpu_seconds", Seconds(usage.ru_utime) + Seconds(usage.ru_stime)},
          {"user_seconds", Seconds(usage.ru_utime)},
          {"system_seconds", Seconds(usage.ru_stime)},
          {"resident_bytes", ResidentBytes()},
          {"peak_resident_bytes", int64_t{usage.ru_maxrss} * 1024}};
}

}  // namespace

bool IsThriftPath(std::string_view path) {
  path = WithoutSlash(path);
  for (const std::string_view prefix : {"/sql/1.0/warehouses/", "/sql/1.0/endpoints/"}) {
    if (path.starts_with(prefix)) return IsOneSegment(path.substr(prefix.size()));
  }
  constexpr std::string_view kCluster = "/sql/protocolv1/o/";
  if (!path.starts_with(kCluster)) return false;
  path.remove_prefix(kCluster.size());
  const size_t slash = path.find('/');
  return slash != std::string_view::npos && slash > 0 && IsOneSegment(path.substr(slash + 1));
}

std::string_view ThriftMethodOf(std::string_view call) {
  constexpr size_t kNameAt = 8;
  if (call.size() < kNameAt) return "unknown";
  const auto byte = [&](size_t at) {
    return static_cast<uint32_t>(static_cast<unsigned char>(call[at]));
  };
  const uint32_t length = byte(4) << 24 | byte(5) << 16 | byte(6) << 8 | byte(7);
  if (length == 0 || length > 64 || length > call.size() - kNameAt) return "unknown";
  const std::string_view name = call.substr(kNameAt, length);
  const bool plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  });
  return plain ? name : "unknown";
}

HttpReply ControlService::Handle(const HttpRequest& request) const {
  std::optional<FaultAction> action;
  // The way to take a fault back stays open.
  if (!parts_.faults.empty() && !request.path.starts_with(kObservation)) {
    action = parts_.faults.Next(
        {.point = FaultPoint::kHttp, .http_method = request.method, .path = request.path});
  }
  HttpReply reply =
      action && action->status
          ? HttpReply{.status = *action->status, .body = std::move(action->body), .kind = "fault"}
          : Answer(request);
  if (action) {
    for (auto& header : action->headers) reply.headers.push_back(std::move(header));
    reply.fault = action->reply;
  }
  reply.headers.emplace_back("x-request-id", RandomUuid());
  return reply;
}

HttpReply ControlService::Answer(const HttpRequest& request) const {
  const std::string_view path = WithoutSlash(request.path);
  if (IsThriftPath(path)) return CallThrift(request);
  if (SeaService::Answers(path)) return CallSea(request);
  if (path.starts_with("/api/")) return AnswerApi(request);
  if (path.starts_with(kObservation)) return AnswerObservation(request);
  if (path == "/telemetry-ext" || path == "/telemetry-unauth") return TelemetryReply(request);
  if (path == "/.well-known/databricks-config") return HostMetadata(request);
  if (path == "/oidc/.well-known/oauth-authorization-server" ||
      path == "/oidc/.well-known/openid-configuration") {
    return OauthMetadata(request);
  }
  return path == "/" ? Welcome() : NotFound(request);
}

HttpReply ControlService::CallThrift(const HttpRequest& request) const {
  if (request.method != "POST") return MethodNotAllowed("POST");
  if (!HasToken(request)) return Unauthenticated(request);
  if (parts_.thrift == nullptr) {
    return ErrorReply(503, "TEMPORARILY_UNAVAILABLE", "this warehouse serves files alone",
                      "thrift.absent");
  }
  HttpReply reply = parts_.thrift->Handle(request);
  if (reply.kind.empty()) reply.kind = StrCat("thrift.", ThriftMethodOf(request.body));
  return reply;
}

HttpReply ControlService::CallSea(const HttpRequest& request) const {
  HttpReply reply;
  if (request.Header("authorization").empty()) {
    reply =
        ErrorReply(401, 401, "Credential was not sent or was of an unsupported type for this API.",
                   "refused.token");
    reply.headers.emplace_back("www-authenticate", "Bearer realm=\"DatabricksRealm\"");
  } else if (!HasToken(request)) {
    reply = ErrorReply(403, 403, "Invalid access token.", "refused.token");
  } else if (parts_.sea == nullptr) {
    reply = ErrorReply(503, "TEMPORARILY_UNAVAILABLE", "this warehouse serves files alone",
                       "sea.absent");
  } else {
    reply = parts_.sea->Handle(request);
  }
  reply.headers.emplace_back("server", "databricks");
  reply.headers.emplace_back("x-databricks-org-id", kOrganisation);
  return reply;
}

HttpReply ControlService::AnswerApi(const HttpRequest& request) const {
  if (!HasToken(request)) return Unauthenticated(request);
  const std::string_view path = WithoutSlash(request.path);
  if (request.method == "GET" && path.starts_with(kFlags)) {
    return JsonReply(200, R"({"flags":[],"ttl_seconds":900})", "flags");
  }
  if (request.method == "GET" && path.starts_with(kWarehouses) &&
      IsOneSegment(path.substr(kWarehouses.size()))) {
    return WarehouseState(path.substr(kWarehouses.size()));
  }
  return NotFound(request);
}

HttpReply ControlService::AnswerObservation(const HttpRequest& request) const {
  if (options_.guard_observation && !HasToken(request)) return Unauthenticated(request);
  const std::string_view what = WithoutSlash(request.path).substr(kObservation.size());
  if (what == "faults") return AnswerFaults(request);
  if (what != "stats" && what != "requests") return NotFound(request);
  if (request.method != "GET") return MethodNotAllowed("GET");
  if (what == "stats") return JsonReply(200, Stats(), "observation");
  const std::string_view since = QueryValue(request.query, "since").value_or("0");
  return JsonReply(200, parts_.log.Requests(ParseNumber(since).value_or(0)), "observation");
}

HttpReply ControlService::AnswerFaults(const HttpRequest& request) const {
  if (request.method == "DELETE") {
    parts_.faults.Clear();
  } else if (request.method == "POST" || request.method == "PUT") {
    const Status loaded = parts_.faults.Load(request.body);
    if (!loaded.ok())
      return ErrorReply(400, "INVALID_PARAMETER_VALUE", loaded.message(), "observation");
  } else if (request.method != "GET") {
    return MethodNotAllowed("GET, POST, DELETE");
  }
  return JsonReply(200, parts_.faults.Describe(), "observation");
}

HttpReply ControlService::Unauthenticated(const HttpRequest& request) const {
  const bool sent = !request.Header("authorization").empty();
  const std::string_view reason =
      sent ? "Credential was refused: it is not a token of this warehouse."
           : "No credential was sent.";
  HttpReply reply =
      ErrorReply(401, 401, StrCat(reason, " [ReqId: ", RandomUuid(), "]"), "refused.token");
  reply.headers.emplace_back("www-authenticate", "Bearer realm=\"DatabricksRealm\"");
  reply.headers.emplace_back("x-databricks-reason-phrase", reason);
  reply.headers.emplace_back("x-databricks-apiproxy-response-code-details", "ext_authz_denied");
  return reply;
}

bool ControlService::HasToken(const HttpRequest& request) const {
  const std::string given = TokenOf(request.Header("authorization"));
  bool found = false;
  for (const std::string& token : options_.tokens) {
    found |= token.size() == given.size() &&
             CRYPTO_memcmp(token.data(), given.data(), token.size()) == 0;
  }
  return found;
}

HttpReply ControlService::Welcome() const {
  const Json body = {
      {"name", "cloudfetch-warehouse"},
      {"what", "a local SQL warehouse for clients of the Databricks protocols"},
      {"thrift", "/sql/1.0/warehouses/<any id>"},
      {"rest", "/api/2.0/sql/statements"},
      {"storage_port", options_.storage_port},
      {"observe",
       {"/__warehouse__/stats", "/__warehouse__/requests?since=0", "/__warehouse__/faults"}}};
  return JsonReply(200, body.dump(2) + "\n", "welcome");
}

std::string ControlService::Stats() const {
  const ServerCounters server = parts_.server_counters();
  const ThriftCounters thrift = parts_.thrift ? parts_.thrift->counters() : ThriftCounters{};
  const SeaCounters sea = parts_.sea ? parts_.sea->counters() : SeaCounters{};
  const std::map<std::string, int64_t> requests = parts_.log.counts();
  const auto count = [&](const std::string& kind) {
    return requests.contains(kind) ? requests.at(kind) : 0;
  };
  const Json stats = {
      {"requests", requests},
      {"connections", {{"open", server.connections_open}, {"total", server.connections_total}}},
      {"bytes", {{"received", server.bytes_received}, {"sent", server.bytes_sent}}},
      {"thrift",
       {{"sessions_opened", thrift.sessions_opened},
        {"sessions_open", thrift.sessions_open},
        {"statements_run", thrift.statements_run},
        {"operations_open", thrift.operations_open},
        {"links_given", thrift.links_given}}},
      {"sea",
       {{"sessions_opened", sea.sessions_opened},
        {"sessions_open", sea.sessions_open},
        {"statements_run", sea.statements_run},
        {"statements_open", sea.statements_open},
        {"links_given", sea.links_given}}},
      {"storage",
       {{"gets", count("storage.get")},
        {"refused", count("storage.refused")},
        {"faults", count("storage.fault")},
        {"objects", parts_.spool.num_objects()},
        {"object_bytes", parts_.spool.num_bytes()}}},
      {"process", ProcessStats()}};
  return stats.dump();
}

}  // namespace dbx::local
