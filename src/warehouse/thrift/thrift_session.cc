// SPDX-License-Identifier: Apache-2.0
#include "warehouse/thrift/thrift_session.h"

#include <string_view>
#include <utility>
#include <vector>

#include "base/str_cat.h"
#include "warehouse/session_names.h"
#include "warehouse/thrift/opened_operation.h"
#include "warehouse/thrift/session_core.h"
#include "warehouse/thrift/thrift_rows.h"
#include "warehouse/thrift/thrift_statement.h"

namespace dbx::thrift {
namespace {

constexpr auto kOurVersion = TProtocolVersion::SPARK_CLI_SERVICE_PROTOCOL_V8;
constexpr Milliseconds kClosePatience{1000};
// An old spelling of "timestamps as Arrow", which servers before V5 go by.
constexpr std::string_view kTimestampSetting =
    "spark.thriftserver.arrowBasedRowSet.timestampAsString";

TOpenSessionReq MakeOpenRequest(const SessionConfig& config) {
  TOpenSessionReq request;
  request.__set_client_protocol_i64(kOurVersion);
  std::map<std::string, std::string> settings = config.settings;
  settings.emplace(kTimestampSetting, "false");
  request.__set_configuration(settings);
  request.__set_canUseMultipleCatalogs(true);
  const std::string catalog = CatalogAsked(config);
  if (catalog.empty() && config.schema.empty()) return request;
  TNamespace names;
  if (!catalog.empty()) names.__set_catalogName(catalog);
  if (!config.schema.empty()) names.__set_schemaName(config.schema);
  request.__set_initialNamespace(names);
  return request;
}

class ThriftSession : public Session {
 public:
  explicit ThriftSession(std::shared_ptr<SessionCore> core) : core_(std::move(core)) {}

  ~ThriftSession() override {
    if (core_->lost().ok()) {
      core_->housekeeper().RunSoon([core = core_.get()](Cancellation* cancellation) {
        TCloseSessionReq request;
        request.sessionHandle = core->handle();
        const auto reply = core->client().Call(kCloseSession, request, cancellation);
        core->log().Write(LogLevel::kDebug, "session.close", {{"sent", reply.ok()}});
      });
    }
    core_->housekeeper().Shutdown(kClosePatience);
  }

  Result<Execution> Execute(const StatementRequest& request, Cancellation* cancellation) override {
    return thrift::Execute(core_, request, cancellation);
  }

  std::string catalog() const override { return core_->catalog(); }
  std::string schema() const override { return core_->schema(); }

  Status SetCatalog(const std::string& catalog) override {
    const std::string schema_before = schema();
    const std::string catalog_before = this->catalog();
    RETURN_IF_ERROR(Use("USE CATALOG ", catalog));
    // The schema is now the catalog's default one; its name comes with the reply or not at all.
    const bool told = this->catalog() != catalog_before || schema() != schema_before;
    if (!told) core_->SetNames(catalog, "");
    return Status::Ok();
  }

  Status SetSchema(const std::string& schema) override {
    RETURN_IF_ERROR(Use("USE SCHEMA ", schema));
    core_->SetNames(core_->catalog(), schema);
    return Status::Ok();
  }

  Result<std::vector<std::string>> TableTypes() override {
    TGetTableTypesReq request;
    request.sessionHandle = core_->handle();
    request.__set_getDirectResults(
        WantDirectResults(core_->config().statement, core_->config().statement.page_rows));
    request.__set_runAsync(true);
    ASSIGN_OR_RETURN(TGetTableTypesResp reply, core_->Call(kGetTableTypes, request, nullptr));
    ASSIGN_OR_RETURN(
        const OpenedOperation opened,
        CarryOn(core_, reply.__isset.operationHandle ? &reply.operationHandle : nullptr,
                std::move(reply.directResults), core_->config().statement.page_rows, nullptr,
                nullptr));
    const auto& columns = opened.first_page.results.columns;
    if (columns.empty()) return std::vector<std::string>();
    if (!columns.front().__isset.stringVal) {
      return Status::InvalidData("GetTableTypes: the first column is no text");
    }
    return columns.front().stringVal.values;
  }

  Result<std::string> ServerVersion() override {
    TGetInfoReq request;
    request.sessionHandle = core_->handle();
    request.infoType = TGetInfoType::CLI_DBMS_VER;
    const auto reply = core_->Call(kGetInfo, request, nullptr);
    RETURN_IF_ERROR(core_->lost());
    return reply.ok() ? reply->infoValue.stringValue : std::string();
  }

  /// Sees to names that the server did not take over when it opened the session.
  Status UseNamesAsked(bool server_took_them) {
    const SessionConfig& config = core_->config().session;
    if (server_took_them) return Status::Ok();
    const std::string catalog = CatalogAsked(config);
    if (!catalog.empty()) RETURN_IF_ERROR(SetCatalog(catalog));
    if (!config.schema.empty()) RETURN_IF_ERROR(SetSchema(config.schema));
    return Status::Ok();
  }

 private:
  Status Use(std::string_view command, const std::string& name) {
    if (name.empty()) return Status::InvalidArgument(StrCat(command, "needs a name"));
    StatementRequest request;
    request.sql = StrCat(command, QuoteIdentifier(name));
    return Execute(request, nullptr).status();
  }

  const std::shared_ptr<SessionCore> core_;
};

Status CheckOpened(const TOpenSessionResp& reply) {
  RETURN_IF_ERROR(ToStatus(reply.status));
  if (!reply.__isset.sessionHandle) {
    return Status::InvalidData("the service gave no session handle");
  }
  if (reply.serverProtocolVersion < TProtocolVersion::SPARK_CLI_SERVICE_PROTOCOL_V1) {
    return Status::NotImplemented(StrCat("the server speaks protocol version ",
                                         static_cast<int>(reply.serverProtocolVersion),
                                         ": not a Databricks warehouse or cluster"));
  }
  return Status::Ok();
}

}  // namespace

Result<std::unique_ptr<Session>> OpenThriftSession(const SessionContext& context,
                                                   Cancellation* cancellation) {
  auto core = std::make_shared<SessionCore>(context);
  ASSIGN_OR_RETURN(
      const TOpenSessionResp reply,
      core->client().Call(kOpenSession, MakeOpenRequest(context.config->session), cancellation));
  RETURN_IF_ERROR(CheckOpened(reply).WithContext("OpenSession"));
  core->SetOpened(reply.sessionHandle, reply.serverProtocolVersion);
  const bool named = reply.__isset.initialNamespace;
  if (named) {
    core->SetNames(reply.initialNamespace.catalogName, reply.initialNamespace.schemaName);
  }
  context.log.Write(LogLevel::kInfo, "session.open",
                    {{"session_id", ToUuid(reply.sessionHandle.sessionId)},
                     {"protocol_version", static_cast<int>(reply.serverProtocolVersion)}});
  auto session = std::make_unique<ThriftSession>(std::move(core));
  RETURN_IF_ERROR(session->UseNamesAsked(named));
  return std::unique_ptr<Session>(std::move(session));
}

}  // namespace dbx::thrift
