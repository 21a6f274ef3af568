// SPDX-License-Identifier: Apache-2.0
#include "warehouse/sea/testing/sea_fixture.h"

#include "arrow/testing/ipc_writer.h"

namespace dbx::sea {

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

}  // namespace dbx::sea
