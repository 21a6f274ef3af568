// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>
#include <utility>

#include "base/str_cat.h"
#include "sql/sql_text.h"
#include "thrift/names.h"
#include "thrift/service.h"

namespace dbx::local {
namespace {

using thrift::TProtocolVersion;

constexpr int64_t kServerVersion = TProtocolVersion::SPARK_CLI_SERVICE_PROTOCOL_V8;

/// The version in force: the wide field wins; without it no more than V2 is spoken.
int64_t Negotiate(const thrift::TOpenSessionReq& request, int64_t server) {
  if (request.__isset.client_protocol_i64) return std::min(request.client_protocol_i64, server);
  const int64_t most = std::min<int64_t>(server, TProtocolVersion::SPARK_CLI_SERVICE_PROTOCOL_V2);
  if (request.client_protocol == TProtocolVersion::__HIVE_JDBC_WORKAROUND) return most;
  return std::min<int64_t>(request.client_protocol, most);
}

/// The server's version, lower when a fault asks for that.
int64_t ServerVersion(const CallContext& context) {
  if (!context.fault) return kServerVersion;
  const auto wanted = context.fault->more.find("server_version");
  if (wanted == context.fault->more.end()) return kServerVersion;
  int64_t version = kServerVersion;
  std::from_chars(wanted->second.data(), wanted->second.data() + wanted->second.size(), version);
  return version;
}

/// What a client wants its session to be like.
struct SessionWishes {
  std::optional<std::string> catalog, schema;
  std::map<std::string, std::string> confs;
  bool native_timestamps = false;
};

/// Keys that this side of the warehouse understands or has no use for; the rest is the engine's.
SessionWishes ReadWishes(const thrift::TOpenSessionReq& request) {
  SessionWishes wishes;
  for (const auto& [name, value] : request.configuration) {
    std::string_view key = name;
    for (const std::string_view prefix : {"set:hiveconf:", "set:hivevar:", "set:"}) {
      if (key.starts_with(prefix)) key.remove_prefix(prefix.size());
    }
    if (key == "use:catalog") {
      wishes.catalog = value;
    } else if (key == "use:database" || key == "use:schema") {
      wishes.schema = value;
    } else if (key == kTimestampAsString) {
      wishes.native_timestamps = EqualsIgnoreCase(value, "false");
    } else if (!key.starts_with("spark.thriftserver.") &&
               !key.starts_with("spark.sql.thriftserver.") &&
               !EqualsIgnoreCase(key, "query_tags")) {
      wishes.confs.emplace(key, value);
    }
  }
  const thrift::TNamespace& initial = request.initialNamespace;
  if (request.__isset.initialNamespace && initial.__isset.catalogName)
    wishes.catalog = initial.catalogName;
  if (request.__isset.initialNamespace && initial.__isset.schemaName)
    wishes.schema = initial.schemaName;
  if (wishes.catalog && IsDefaultCatalogAlias(*wishes.catalog)) wishes.catalog.reset();
  if (wishes.schema && wishes.schema->empty()) wishes.schema.reset();
  return wishes;
}

thrift::TGetInfoValue Text(const std::string& text) {
  thrift::TGetInfoValue value;
  value.__set_stringValue(text);
  return value;
}

thrift::TGetInfoValue Length(int64_t length) {
  thrift::TGetInfoValue value;
  value.__set_lenValue(length);
  return value;
}

std::optional<thrift::TGetInfoValue> InfoOf(thrift::TGetInfoType::type type) {
  using thrift::TGetInfoType;
  switch (type) {
    case TGetInfoType::CLI_DBMS_NAME:
    case TGetInfoType::CLI_SERVER_NAME:
      return Text("Spark SQL");
    case TGetInfoType::CLI_DBMS_VER:
      return Text("3.5.0");
    case TGetInfoType::CLI_MAX_COLUMN_NAME_LEN:
    case TGetInfoType::CLI_MAX_SCHEMA_NAME_LEN:
    case TGetInfoType::CLI_MAX_CATALOG_NAME_LEN:
    case TGetInfoType::CLI_MAX_TABLE_NAME_LEN:
      return Length(128);
    case TGetInfoType::CLI_ODBC_KEYWORDS:
      return Text("ANTI,CROSS,EXCEPT,FULL,INNER,INTERSECT,LATERAL,LEFT,SEMI,USING");
    default:
      return std::nullopt;
  }
}

thrift::TStatus NoDelegationTokens() {
  return CallError("Delegation tokens are not supported.", "0A000");
}

}  // namespace

void Service::OpenSession(const thrift::TOpenSessionReq& request,
                          thrift::TOpenSessionResp* response, CallContext* context) {
  const int64_t version = Negotiate(request, ServerVersion(*context));
  response->serverProtocolVersion = static_cast<TProtocolVersion::type>(version);
  const SessionWishes wishes = ReadWishes(request);
  Result<std::unique_ptr<SqlSession>> sql =
      engine_->NewSession(wishes.catalog, wishes.schema, wishes.confs);
  if (!sql.ok()) {
    response->status = StatementError(sql.status());
    return;
  }
  auto session = std::make_shared<Session>();
  session->id = HandleId::Random();
  session->version = version;
  session->native_timestamps = wishes.native_timestamps;
  session->sql = std::move(sql).value();

  response->status = Success();
  thrift::TSessionHandle handle;
  handle.__set_sessionId(session->id.ToThrift());
  handle.__set_serverProtocolVersion(response->serverProtocolVersion);
  response->__set_sessionHandle(handle);
  response->__set_configuration({});
  if (request.__isset.getInfos) {
    response->__isset.getInfos = true;
    for (const auto type : request.getInfos)
      response->getInfos.push_back(InfoOf(type).value_or(Text("")));
  }
  if (version >= TProtocolVersion::SPARK_CLI_SERVICE_PROTOCOL_V4) {
    thrift::TNamespace in_force;
    in_force.__set_catalogName(session->sql->catalog());
    in_force.__set_schemaName(session->sql->schema());
    response->__set_initialNamespace(in_force);
    response->__set_canUseMultipleCatalogs(!request.__isset.canUseMultipleCatalogs ||
                                           request.canUseMultipleCatalogs);
  }
  table_.Add(std::move(session));
  sessions_opened_ += 1;
  CloseIdleOperations();
}

void Service::CloseSession(const thrift::TCloseSessionReq& request,
                           thrift::TCloseSessionResp* response, CallContext* context) {
  if (!FindSession(request.sessionHandle, &response->status, context)) return;
  EndSession(request.sessionHandle);
  response->status = Success();
}

void Service::EndSession(const thrift::TSessionHandle& handle) {
  const SessionTable::Removed removed = table_.Remove(handle);
  for (const std::shared_ptr<Operation>& operation : removed.operations) {
    operation->End(thrift::TOperationState::CLOSED_STATE,
                   Status::Cancelled("the session was closed"),
                   thrift::TDBSqlCloseOperationReason::CLOSE_SESSION);
  }
}

std::shared_ptr<Session> Service::FindSession(const thrift::TSessionHandle& handle,
                                              thrift::TStatus* status, CallContext* context) {
  if (std::shared_ptr<Session> session = table_.Find(handle)) return session;
  const std::string uuid = UuidOf(handle.sessionId);
  const std::string message = StrCat("Invalid SessionHandle: SessionHandle [", uuid, "]");
  *status = CallError(message, "08000");
  if (options_.dead_session_as_http_400 && context->http.path.starts_with("/sql/1.0/")) {
    context->dead_session =
        table_.WasClosed(handle)
            ? StrCat("BAD_REQUEST: Invalid SessionHandle: Session [", uuid, "] is closed.")
            : StrCat("INVALID_STATE: ", message, ".");
  }
  return nullptr;
}

void Service::GetInfo(const thrift::TGetInfoReq& request, thrift::TGetInfoResp* response,
                      CallContext* context) {
  response->infoValue = Text("");
  if (!FindSession(request.sessionHandle, &response->status, context)) return;
  const auto info = InfoOf(request.infoType);
  response->status = info ? Success()
                          : CallError(StrCat("Unrecognized GetInfoType value: ",
                                             static_cast<int32_t>(request.infoType)),
                                      "HY096");
  if (info) response->infoValue = *info;
}

void Service::GetDelegationToken(const thrift::TGetDelegationTokenReq&,
                                 thrift::TGetDelegationTokenResp* response, CallContext*) {
  response->status = NoDelegationTokens();
}

void Service::CancelDelegationToken(const thrift::TCancelDelegationTokenReq&,
                                    thrift::TCancelDelegationTokenResp* response, CallContext*) {
  response->status = NoDelegationTokens();
}

void Service::RenewDelegationToken(const thrift::TRenewDelegationTokenReq&,
                                   thrift::TRenewDelegationTokenResp* response, CallContext*) {
  response->status = NoDelegationTokens();
}

}  // namespace dbx::local
