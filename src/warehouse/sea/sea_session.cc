// SPDX-License-Identifier: Apache-2.0
#include "warehouse/sea/sea_session.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/str_cat.h"
#include "warehouse/sea/sea_execution.h"
#include "warehouse/sea/session_core.h"
#include "warehouse/session_names.h"

namespace dbx::sea {
namespace {

constexpr Milliseconds kClosePatience{1000};

class SeaSession : public Session {
 public:
  explicit SeaSession(std::shared_ptr<SessionCore> core) : core_(std::move(core)) {}

  ~SeaSession() override {
    if (core_->lost().ok()) {
      core_->housekeeper().RunSoon([core = core_.get()](Cancellation* cancellation) {
        const Status sent = core->client().DeleteSession(core->session_id(), cancellation);
        core->log().Write(LogLevel::kDebug, "session.close", {{"sent", sent.ok()}});
      });
    }
    core_->housekeeper().Shutdown(kClosePatience);
  }

  Result<Execution> Execute(const StatementRequest& request, Cancellation* cancellation) override {
    return sea::Execute(core_, request, cancellation);
  }

  std::string catalog() const override { return Names().catalog; }
  std::string schema() const override { return Names().schema; }

  Status SetCatalog(const std::string& catalog) override { return Use("USE CATALOG ", catalog); }
  Status SetSchema(const std::string& schema) override { return Use("USE SCHEMA ", schema); }

  /// The service has no call for them; its other clients know them by heart too.
  Result<std::vector<std::string>> TableTypes() override {
    return std::vector<std::string>{"SYSTEM TABLE", "TABLE", "VIEW"};
  }

  Result<std::string> ServerVersion() override {
    const Result<std::vector<std::string>> row = FirstRow(core_, "SELECT version()", nullptr);
    RETURN_IF_ERROR(core_->lost());
    if (!row.ok() || row->empty()) return std::string();
    const std::string& text = row->front();  // the number, then what it was built from
    return text.substr(0, text.find(' '));
  }

 private:
  Status Use(std::string_view command, const std::string& name) {
    if (name.empty()) return Status::InvalidArgument(StrCat(command, "needs a name"));
    StatementRequest request;
    request.sql = StrCat(command, QuoteIdentifier(name));
    return sea::Execute(core_, request, nullptr).status();
  }

  /// No reply tells the names in force: asked for when somebody wants them.
  SessionCore::Names Names() const {
    if (const auto names = core_->names()) return *names;
    const Result<std::vector<std::string>> row =
        FirstRow(core_, "SELECT current_catalog(), current_schema()", nullptr);
    if (!row.ok() || row->size() != 2) return {};
    SessionCore::Names names{(*row)[0], (*row)[1]};
    core_->SetNames(names);
    return names;
  }

  const std::shared_ptr<SessionCore> core_;
};

OpenRequest MakeOpenRequest(const Config& config) {
  OpenRequest request;
  request.warehouse_id = config.endpoint.warehouse_id;
  request.catalog = CatalogAsked(config.session);
  request.schema = config.session.schema;
  request.session_confs = config.session.settings;
  return request;
}

}  // namespace

Result<std::unique_ptr<Session>> OpenSeaSession(const SessionContext& context,
                                                Cancellation* cancellation) {
  if (context.config->endpoint.is_cluster()) {
    return Status::InvalidArgument(
        "databricks.protocol=sea: clusters speak Thrift alone; use 'thrift' or 'auto'");
  }
  auto core = std::make_shared<SessionCore>(context);
  ASSIGN_OR_RETURN(std::string session_id,
                   core->client().OpenSession(MakeOpenRequest(*context.config), cancellation));
  context.log.Write(LogLevel::kInfo, "session.open",
                    {{"session_id", session_id}, {"protocol", "sea"}});
  core->SetSessionId(std::move(session_id));
  return std::unique_ptr<Session>(std::make_unique<SeaSession>(std::move(core)));
}

}  // namespace dbx::sea
