// SPDX-License-Identifier: Apache-2.0
#include "warehouse/thrift/testing/thrift_fixture.h"

#include "auth/auth_provider.h"

namespace dbx::thrift {

ThriftFixture::ThriftFixture() : auth_(MakeTokenAuthProvider(Secret("dapi-SECRET-TOKEN"))) {
  config.protocol = Protocol::kThrift;
  config.endpoint.host = "workspace.example";
  config.endpoint.http_path = "/sql/1.0/warehouses/abc";
  config.endpoint.warehouse_id = "abc";
  config.statement.poll_interval = std::chrono::milliseconds(1);
  config.statement.heartbeat_interval = std::chrono::milliseconds(0);
  config.retry.first_delay = std::chrono::milliseconds(1);
  config.retry.max_delay = std::chrono::milliseconds(2);
}

Result<std::unique_ptr<Session>> ThriftFixture::TryOpen(Cancellation* cancellation) {
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

void ThriftFixture::Open() {
  auto opened = TryOpen();
  ASSERT_TRUE(opened.ok()) << opened.status().ToString();
  session = *std::move(opened);
}

Result<Execution> ThriftFixture::Execute(StatementRequest request, Cancellation* cancellation) {
  if (!session) {
    ASSIGN_OR_RETURN(session, TryOpen());
  }
  return session->Execute(request, cancellation);
}

std::string ThriftFixture::LogText() const {
  MutexLock lock(log_lines_->mutex);
  return log_lines_->text;
}

}  // namespace dbx::thrift
