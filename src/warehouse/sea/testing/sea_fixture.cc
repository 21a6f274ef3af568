// SPDX-License-Identifier: Apache-2.0
#include "warehouse/sea/testing/sea_fixture.h"

#include <utility>

#include "arrow/testing/ipc_writer.h"
#include "auth/auth_provider.h"

namespace dbx::sea {

SeaFixture::SeaFixture() : auth_(MakeTokenAuthProvider(Secret("dapi-SECRET-TOKEN"))) {
  config.protocol = Protocol::kSea;
  config.endpoint.host = kWorkspaceHost;
  config.endpoint.http_path = "/sql/1.0/warehouses/abc";
  config.endpoint.warehouse_id = "abc";
  config.statement.poll_interval = std::chrono::milliseconds(1);
  config.statement.heartbeat_interval = std::chrono::milliseconds(0);
  config.retry.first_delay = std::chrono::milliseconds(1);
  config.retry.max_delay = std::chrono::milliseconds(2);
}

Result<std::unique_ptr<Session>> SeaFixture::TryOpen(Cancellation* cancellation) {
  const auto keep = [lines = log_lines_](LogLevel, std::string_view line) {
    MutexLock lock(lines->mutex);
    lines->text.append(line).push_back('\n');
  };
  return OpenSession({.config = &config,
                      .http = service.http(),
                      .auth = auth_.get(),
                      .log = Log(LogLevel::kTrace, keep)},
                     cancellation);
}

Result<Execution> SeaFixture::Execute(StatementRequest request, Cancellation* cancellation) {
  if (!session) {
    ASSIGN_OR_RETURN(session, TryOpen());
  }
  return session->Execute(request, cancellation);
}

Result<std::vector<int64_t>> SeaFixture::ExecuteAndRead() {
  ASSIGN_OR_RETURN(const Execution execution, Execute());
  if (!execution.rows) return Status::Internal("the result did not come inline");
  return ReadRows(*execution.rows);
}

Result<std::vector<ResultLink>> SeaFixture::ExecuteAndReadLinks() {
  ASSIGN_OR_RETURN(const Execution execution, Execute());
  if (!execution.links) return Status::Internal("the result did not come as links");
  return ReadLinks(*execution.links);
}

void SeaFixture::ServeFirstFile(int64_t num_rows) {
  service.InOrder("file /a/0", {FakeHttpClient::Response(206, MakeIpcStream(0, num_rows, 1000))});
}

std::string SeaFixture::LogText() const {
  MutexLock lock(log_lines_->mutex);
  return log_lines_->text;
}

}  // namespace dbx::sea
