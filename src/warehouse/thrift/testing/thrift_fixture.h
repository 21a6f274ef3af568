// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "arrow/testing/ipc_writer.h"
#include "warehouse/testing/session_fixture.h"
#include "warehouse/thrift/testing/fake_replies.h"
#include "warehouse/thrift/testing/fake_service.h"

namespace dbx::thrift {

/// A session on a FakeService.
class ThriftFixture : public SessionFixture<FakeService, Protocol::kThrift> {
 protected:
  ThriftFixture() : SessionFixture("workspace.example") {}

  /// Opens `session`, or fails the test.
  void Open();
};

}  // namespace dbx::thrift
