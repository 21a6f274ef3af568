// SPDX-License-Identifier: Apache-2.0
#include "warehouse/sea/sea_client.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/str_cat.h"
#include "warehouse/service_error.h"
#include "wire/sea_codec.h"

namespace dbx::sea {
namespace {

constexpr std::string_view kMediaType = "application/json";
constexpr std::string_view kSessions = "/api/2.0/sql/sessions/";
constexpr std::string_view kStatements = "/api/2.0/sql/statements/";

constexpr std::chrono::seconds kCloseTimeout{10};
constexpr std::chrono::seconds kCloseBudget{1};

constexpr CallRules kOpen{.name = "open session"};
constexpr CallRules kDelete{
    .name = "delete session", .timeout = kCloseTimeout, .budget = kCloseBudget};
// A statement may have run although no answer came: never sent blindly again.
constexpr CallRules kExecute{.name = "execute statement", .repeatable = Repeatable::kOnlyIfNotSent};
constexpr CallRules kGet{.name = "get statement"};
constexpr CallRules kHeartbeat{.name = "get statement",
                               .timeout = std::chrono::seconds(30),
                               .budget = std::chrono::seconds(1)};
constexpr CallRules kChunk{.name = "get result chunk"};
constexpr CallRules kCancel{
    .name = "cancel statement", .timeout = kCloseTimeout, .budget = std::chrono::seconds(10)};
constexpr CallRules kClose{
    .name = "close statement", .timeout = kCloseTimeout, .budget = kCloseBudget};

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

/// The service has no fixed words for a session that expired; all that are known name it.
bool TellsOfLostSession(const Status& failure) {
  if (failure.http_status() != 400 && failure.http_status() != 404) return false;
  const std::string text = Lower(failure.message());
  if (text.find("session") == std::string::npos) return false;
  constexpr std::string_view kEnds[] = {"not found", "does not exist", "closed",
                                        "expired",   "invalid",        "unknown"};
  return std::any_of(std::begin(kEnds), std::end(kEnds),
                     [&text](std::string_view end) { return text.find(end) != std::string::npos; });
}

/// With what the text of a refused request tells.
Status WithDetails(const Status& failure) {
  const Status told = MakeServiceStatus({.display_message = {},
                                         .error_message = failure.message(),
                                         .info_message = {},
                                         .sqlstate = {}});
  Status detailed = failure;
  if (!told.sqlstate().empty()) detailed = detailed.WithSqlstate(told.sqlstate());
  if (!told.error_class().empty()) detailed = detailed.WithErrorClass(told.error_class());
  return detailed;
}

/// Path and query of an internal link that may carry scheme and host, which are not followed.
std::string_view PathOf(std::string_view internal_link) {
  const size_t scheme = internal_link.find("://");
  if (scheme == std::string_view::npos) return internal_link;
  const size_t path = internal_link.find('/', scheme + 3);
  return path == std::string_view::npos ? std::string_view() : internal_link.substr(path);
}

}  // namespace

SeaClient::SeaClient(const SessionContext& context)
    : channel_(context, "REST"), endpoint_(context.config->endpoint) {}

Result<std::string> SeaClient::Call(const CallRules& rules, HttpMethod method,
                                    std::string_view path, std::string body,
                                    Cancellation* cancellation) {
  const SecretUrl url = UrlOnHost(endpoint_, path);
  HttpRequest request = channel_.NewRequest(method, url, kMediaType, rules);
  request.body = std::move(body);
  ASSIGN_OR_RETURN(HttpResponse answer, channel_.Send(rules, request, cancellation));
  if (answer.IsSuccess()) return std::move(answer.body);
  return WithDetails(dbx::ToStatus(answer, url)).WithContext(rules.name);
}

Result<std::string> SeaClient::OpenSession(const OpenRequest& request, Cancellation* cancellation) {
  ASSIGN_OR_RETURN(const std::string body, Call(kOpen, HttpMethod::kPost, kSessions,
                                                WriteOpenRequest(request), cancellation));
  return ReadOpenReply(body);
}

Status SeaClient::DeleteSession(const std::string& session_id, Cancellation* cancellation) {
  const std::string path = StrCat(kSessions, session_id, "?warehouse_id=", endpoint_.warehouse_id);
  return Call(kDelete, HttpMethod::kDelete, path, {}, cancellation).status();
}

Result<StatementReply> SeaClient::Execute(const ExecuteRequest& request,
                                          Cancellation* cancellation) {
  const Result<std::string> body =
      Call(kExecute, HttpMethod::kPost, kStatements, WriteExecuteRequest(request), cancellation);
  if (body.ok()) return ReadStatementReply(*body);
  if (!TellsOfLostSession(body.status())) return body.status();
  return body.status()
      .WithCode(StatusCode::kInvalidState)
      .WithErrorClass("INVALID_SESSION")
      .WithSessionLost();
}

Result<StatementReply> SeaClient::Get(const std::string& statement_id, Cancellation* cancellation) {
  ASSIGN_OR_RETURN(
      const std::string body,
      Call(kGet, HttpMethod::kGet, StrCat(kStatements, statement_id), {}, cancellation));
  return ReadStatementReply(body);
}

Result<StatementReply> SeaClient::Heartbeat(const std::string& statement_id,
                                            Cancellation* cancellation) {
  ASSIGN_OR_RETURN(
      const std::string body,
      Call(kHeartbeat, HttpMethod::kGet, StrCat(kStatements, statement_id), {}, cancellation));
  return ReadStatementReply(body);
}

Result<ResultMessage> SeaClient::Chunk(const std::string& statement_id, int64_t chunk_index,
                                       Cancellation* cancellation) {
  const std::string path = StrCat(kStatements, statement_id, "/result/chunks/", chunk_index);
  ASSIGN_OR_RETURN(const std::string body, Call(kChunk, HttpMethod::kGet, path, {}, cancellation));
  return ReadChunkReply(body);
}

Result<ResultMessage> SeaClient::ChunkAt(std::string_view internal_link,
                                         Cancellation* cancellation) {
  const std::string_view path = PathOf(internal_link);
  // The credential goes along: nowhere else than to statements.
  if (!path.starts_with(kStatements)) {
    return Status::InvalidData("the link to the next chunk leads away from the statement");
  }
  ASSIGN_OR_RETURN(const std::string body, Call(kChunk, HttpMethod::kGet, path, {}, cancellation));
  return ReadChunkReply(body);
}

Status SeaClient::CancelStatement(const std::string& statement_id, Cancellation* cancellation) {
  return Call(kCancel, HttpMethod::kPost, StrCat(kStatements, statement_id, "/cancel"), {},
              cancellation)
      .status();
}

Status SeaClient::CloseStatement(const std::string& statement_id, Cancellation* cancellation) {
  return Call(kClose, HttpMethod::kDelete, StrCat(kStatements, statement_id), {}, cancellation)
      .status();
}

}  // namespace dbx::sea
