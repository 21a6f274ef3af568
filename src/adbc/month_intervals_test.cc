// SPDX-License-Identifier: Apache-2.0
#include "adbc/month_intervals.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "metadata/ready_stream.h"
#include "metadata/testing/fake_session.h"
#include "nanoarrow/nanoarrow.hpp"

namespace dbx {
namespace {

/// A column of months (14, NULL) and a struct that holds such a column.
std::unique_ptr<ResultStream> Months() {
  nanoarrow::UniqueSchema schema;
  ArrowSchemaInit(schema.get());
  NANOARROW_THROW_NOT_OK(ArrowSchemaSetTypeStruct(schema.get(), 2));
  NANOARROW_THROW_NOT_OK(ArrowSchemaSetType(schema->children[0], NANOARROW_TYPE_INTERVAL_MONTHS));
  NANOARROW_THROW_NOT_OK(ArrowSchemaSetTypeStruct(schema->children[1], 1));
  ArrowSchema* const inner = schema->children[1]->children[0];
  NANOARROW_THROW_NOT_OK(ArrowSchemaSetType(inner, NANOARROW_TYPE_INTERVAL_MONTHS));
  nanoarrow::UniqueArray rows;
  NANOARROW_THROW_NOT_OK(ArrowArrayInitFromSchema(rows.get(), schema.get(), nullptr));
  NANOARROW_THROW_NOT_OK(ArrowArrayStartAppending(rows.get()));
  ArrowInterval interval;
  ArrowIntervalInit(&interval, NANOARROW_TYPE_INTERVAL_MONTHS);
  interval.months = 14;
  for (const bool present : {true, false}) {
    for (ArrowArray* months : {rows->children[0], rows->children[1]->children[0]}) {
      if (present) {
        NANOARROW_THROW_NOT_OK(ArrowArrayAppendInterval(months, &interval));
      } else {
        NANOARROW_THROW_NOT_OK(ArrowArrayAppendNull(months, 1));
      }
    }
    NANOARROW_THROW_NOT_OK(ArrowArrayFinishElement(rows->children[1]));
    NANOARROW_THROW_NOT_OK(ArrowArrayFinishElement(rows.get()));
  }
  NANOARROW_THROW_NOT_OK(ArrowArrayFinishBuildingDefault(rows.get(), nullptr));
  std::vector<RecordBatch> batches;
  batches.emplace_back(rows.get());
  return MakeReadyStream(Schema::Take(schema.get()).value(), std::move(batches));
}

TEST(MonthIntervals, LeaveWithDaysAndNanoseconds) {
  Result<std::unique_ptr<ResultStream>> stream = WidenMonthIntervals(Months());
  ASSERT_TRUE(stream.ok());
  const ArrowSchema* const schema = (*stream)->schema()->c_schema();
  EXPECT_STREQ(schema->children[0]->format, "tin");
  EXPECT_STREQ(schema->children[1]->children[0]->format, "tin");
  Result<std::optional<RecordBatch>> batch = (*stream)->Next();
  ASSERT_TRUE(batch.ok() && batch->has_value());
  nanoarrow::UniqueArrayView view;
  ASSERT_EQ(ArrowArrayViewInitFromSchema(view.get(), schema, nullptr), NANOARROW_OK);
  ASSERT_EQ(ArrowArrayViewSetArray(view.get(), (*batch)->c_array(), nullptr), NANOARROW_OK);
  for (const ArrowArrayView* months : {view->children[0], view->children[1]->children[0]}) {
    ArrowInterval interval;
    ArrowIntervalInit(&interval, NANOARROW_TYPE_INTERVAL_MONTH_DAY_NANO);
    ArrowArrayViewGetIntervalUnsafe(months, 0, &interval);
    EXPECT_EQ(interval.months, 14);
    EXPECT_EQ(interval.days, 0);
    EXPECT_EQ(interval.ns, 0);
    EXPECT_TRUE(ArrowArrayViewIsNull(months, 1));
  }
}

TEST(MonthIntervals, CostNothingWhereThereAreNone) {
  std::unique_ptr<ResultStream> rows = MakeReadyStream(Int64Schema({"n"}), {});
  const ResultStream* const before = rows.get();
  Result<std::unique_ptr<ResultStream>> stream = WidenMonthIntervals(std::move(rows));
  ASSERT_TRUE(stream.ok());
  EXPECT_EQ(stream->get(), before);
}

}  // namespace
}  // namespace dbx
