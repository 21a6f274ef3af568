// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "warehouse/sea/testing/fake_sea.h"
#include "warehouse/testing/session_fixture.h"

namespace dbx::sea {

/// A session on a FakeSea.
class SeaFixture : public SessionFixture<FakeSea, Protocol::kSea> {
 protected:
  SeaFixture() : SessionFixture(kWorkspaceHost) {}

  /// The rows of a statement whose result comes inline, or the first failure.
  Result<std::vector<int64_t>> ExecuteAndRead();
  /// The links of a statement, or the first failure.
  Result<std::vector<ResultLink>> ExecuteAndReadLinks();
  /// Serves the file behind Link(0, 0, num_rows), plain.
  void ServeFirstFile(int64_t num_rows);
};

}  // namespace dbx::sea
