// SPDX-License-Identifier: Apache-2.0
#include "metadata/table_types.h"

#include <gtest/gtest.h>

#include <string>

#include "metadata/testing/fake_session.h"
#include "nanoarrow/nanoarrow.hpp"

namespace dbx {
namespace {

TEST(TableTypes, AreOneTextColumnWithoutNulls) {
  FakeSession session([](const StatementRequest&, Cancellation*) { return Int64Result("n", {}); },
                      std::make_shared<FakeSessionRecord>());
  const auto stream = MakeTableTypesStream(session);
  ASSERT_TRUE(stream.ok());
  const ArrowSchema* const schema = (*stream)->schema()->c_schema();
  ASSERT_EQ(schema->n_children, 1);
  EXPECT_STREQ(schema->children[0]->name, "table_type");
  EXPECT_STREQ(schema->children[0]->format, "u");
  EXPECT_EQ(schema->children[0]->flags, 0);
  Result<std::optional<RecordBatch>> batch = (*stream)->Next();
  ASSERT_TRUE(batch.ok() && batch->has_value());
  nanoarrow::UniqueArrayView view;
  ASSERT_EQ(ArrowArrayViewInitFromSchema(view.get(), schema, nullptr), 0);
  ASSERT_EQ(ArrowArrayViewSetArray(view.get(), (*batch)->c_array(), nullptr), 0);
  ASSERT_EQ(view->length, 2);
  const ArrowStringView second = ArrowArrayViewGetStringUnsafe(view->children[0], 1);
  EXPECT_EQ(std::string(second.data, static_cast<size_t>(second.size_bytes)), "VIEW");
  batch = (*stream)->Next();
  ASSERT_TRUE(batch.ok());
  EXPECT_FALSE(batch->has_value());
}

}  // namespace
}  // namespace dbx
