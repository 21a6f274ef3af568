// SPDX-License-Identifier: Apache-2.0
#include "warehouse/session.h"

#include <gtest/gtest.h>

namespace dbx {
namespace {

TEST(QuoteIdentifier, DoublesBackTicks) {
  EXPECT_EQ(QuoteIdentifier("main"), "`main`");
  EXPECT_EQ(QuoteIdentifier("a`b"), "`a``b`");
  EXPECT_EQ(QuoteIdentifier(""), "``");
}

}  // namespace
}  // namespace dbx
