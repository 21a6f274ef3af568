// SPDX-License-Identifier: Apache-2.0
#include "warehouse/thrift/testing/thrift_fixture.h"

namespace dbx::thrift {

void ThriftFixture::Open() {
  auto opened = TryOpen();
  ASSERT_TRUE(opened.ok()) << opened.status().ToString();
  session = *std::move(opened);
}

}  // namespace dbx::thrift
