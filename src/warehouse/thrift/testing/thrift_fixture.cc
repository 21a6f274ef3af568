// SPDX-License-Identifier: Apache-2.0
#include "warehouse/thrift/testing/thrift_fixture.h"

#include "auth/auth_provider.h"

namespace dbx::thrift {

ThriftFixture::ThriftFixture() : auth_(MakeTokenAuthProvider(Secret("dapi-SECRET-TOKEN"))) {
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

Result<std::vector<int64_t>> ThriftFixture::ReadRows(ResultStream& rows) {
  std::vector<int64_t> numbers;
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<RecordBatch> batch, rows.Next());
    if (!batch) return numbers;
    RETURN_IF_ERROR(CheckRows(*batch, static_cast<int64_t>(numbers.size())));
    const std::vector<int64_t> more = RowNumbers(*batch);
    numbers.insert(numbers.end(), more.begin(), more.end());
  }
}

std::string ThriftFixture::LogText() const {
  MutexLock lock(log_lines_->mutex);
  return log_lines_->text;
}

Result<std::vector<ResultLink>> ReadLinks(LinkSource& links) {
  std::vector<ResultLink> all;
  while (true) {
    ASSIGN_OR_RETURN(std::optional<ResultLink> link, links.Next());
    if (!link) return all;
    all.push_back(*std::move(link));
  }
}

void Gate::Open() {
  MutexLock lock(mutex_);
  open_ = true;
  changed_.NotifyAll();
}

void Gate::Wait() {
  MutexLock lock(mutex_);
  while (!open_) changed_.Wait(mutex_);
}

}  // namespace dbx::thrift
