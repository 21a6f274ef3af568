// SPDX-License-Identifier: Apache-2.0
#include "result/column_values.h"

#include <gtest/gtest.h>

#include <cstring>

namespace dbx {
namespace {

using Texts = std::vector<std::string>;

/// The column `values` as Arrow of `type`, viewed; the batch keeps what the view looks at.
struct Viewed {
  Status status;
  RecordBatch batch;
  nanoarrow::UniqueArrayView view;

  int64_t Integer(int64_t row) const { return ArrowArrayViewGetIntUnsafe(view.get(), row); }
  double Double(int64_t row) const { return ArrowArrayViewGetDoubleUnsafe(view.get(), row); }
  std::string Text(int64_t row) const {
    const ArrowStringView text = ArrowArrayViewGetStringUnsafe(view.get(), row);
    return std::string(text.data, static_cast<size_t>(text.size_bytes));
  }
  bool IsNull(int64_t row) const { return ArrowArrayViewIsNull(view.get(), row) != 0; }
};

Viewed Convert(const ColumnDescription& type, ColumnValues values) {
  Viewed viewed;
  const auto schema = MakeSchema({type});
  if (!schema.ok()) return {.status = schema.status(), .batch = {}, .view = {}};
  auto batch = ColumnsToBatch(**schema, {std::move(values)});
  viewed.status = batch.status();
  if (!batch.ok()) return viewed;
  viewed.batch = *std::move(batch);
  const ArrowSchema* const child = (*schema)->c_schema()->children[0];
  EXPECT_EQ(ArrowArrayViewInitFromSchema(viewed.view.get(), child, nullptr), NANOARROW_OK);
  EXPECT_EQ(ArrowArrayViewSetArray(viewed.view.get(), viewed.batch.c_array()->children[0], nullptr),
            NANOARROW_OK);
  return viewed;
}

ColumnDescription Type(ColumnType type) {
  ColumnDescription description;
  description.name = "c";
  description.type = type;
  return description;
}

TEST(ColumnValues, ConvertsIntegersOfEveryWidth) {
  EXPECT_EQ(Convert(Type(ColumnType::kInt8), {std::vector<int8_t>{-128, 127}, ""}).Integer(0),
            -128);
  EXPECT_EQ(Convert(Type(ColumnType::kInt16), {std::vector<int16_t>{-5, 32767}, ""}).Integer(1),
            32767);
  EXPECT_EQ(Convert(Type(ColumnType::kInt32), {std::vector<int32_t>{7}, ""}).Integer(0), 7);
  EXPECT_EQ(Convert(Type(ColumnType::kInt64), {std::vector<int64_t>{INT64_MIN}, ""}).Integer(0),
            INT64_MIN);
  EXPECT_EQ(Convert(Type(ColumnType::kInt64), {std::vector<int32_t>{-1}, ""}).Integer(0), -1);
  EXPECT_EQ(Convert(Type(ColumnType::kInt16), {std::vector<int32_t>{300}, ""}).Integer(0), 300);
  EXPECT_EQ(Convert(Type(ColumnType::kInt32), {Texts{"-17"}, ""}).Integer(0), -17);
}

TEST(ColumnValues, ConvertsOtherPlainTypes) {
  const Viewed truth = Convert(Type(ColumnType::kBool), {std::vector<bool>{true, false}, ""});
  EXPECT_EQ(truth.Integer(0), 1);
  EXPECT_EQ(truth.Integer(1), 0);
  EXPECT_EQ(Convert(Type(ColumnType::kFloat), {std::vector<double>{1.5}, ""}).Double(0), 1.5);
  EXPECT_EQ(Convert(Type(ColumnType::kDouble), {std::vector<double>{-0.1}, ""}).Double(0), -0.1);
  EXPECT_EQ(Convert(Type(ColumnType::kString), {Texts{"", "\xe3\x81\x82"}, ""}).Text(1),
            "\xe3\x81\x82");
  EXPECT_EQ(Convert(Type(ColumnType::kBinary), {Texts{std::string("\0\xff", 2)}, ""}).Text(0),
            std::string("\0\xff", 2));
}

TEST(ColumnValues, ReadsDatesTimestampsAndDecimalsFromText) {
  EXPECT_EQ(Convert(Type(ColumnType::kDate), {Texts{"2023-05-15"}, ""}).Integer(0), 19492);
  ColumnDescription timestamp = Type(ColumnType::kTimestamp);
  timestamp.timezone = "UTC";
  EXPECT_EQ(Convert(timestamp, {Texts{"2021-01-01 10:00:00"}, ""}).Integer(0), 1609495200000000);
  ColumnDescription decimal = Type(ColumnType::kDecimal);
  decimal.precision = 38;
  decimal.scale = 2;
  const Viewed viewed = Convert(decimal, {Texts{"-12.30", "99999999999999999999.99"}, ""});
  ASSERT_TRUE(viewed.status.ok()) << viewed.status.ToString();
  ArrowDecimal value;
  ArrowDecimalInit(&value, 128, 38, 2);
  ArrowArrayViewGetDecimalUnsafe(viewed.view.get(), 0, &value);
  EXPECT_EQ(ArrowDecimalGetIntUnsafe(&value), -1230);
}

TEST(ColumnValues, ReadsNullBitmapsThatAreShortLongOrMissing) {
  const std::vector<int32_t> values(10, 3);
  EXPECT_FALSE(Convert(Type(ColumnType::kInt32), {values, ""}).IsNull(9));
  const Viewed shorter = Convert(Type(ColumnType::kInt32), {values, "\x11"});
  EXPECT_TRUE(shorter.IsNull(0) && shorter.IsNull(4));
  EXPECT_FALSE(shorter.IsNull(1) || shorter.IsNull(8));
  const Viewed longer =
      Convert(Type(ColumnType::kInt32), {values, std::string("\x80\x02\xff\xff", 4)});
  EXPECT_TRUE(longer.IsNull(7) && longer.IsNull(9));
  EXPECT_FALSE(longer.IsNull(8));
}

TEST(ColumnValues, IgnoresWhatStandsUnderANull) {
  const Viewed viewed = Convert(Type(ColumnType::kDate), {Texts{"", "1970-01-02"}, "\x01"});
  ASSERT_TRUE(viewed.status.ok()) << viewed.status.ToString();
  EXPECT_TRUE(viewed.IsNull(0));
  EXPECT_EQ(viewed.Integer(1), 1);
}

TEST(ColumnValues, TakesEveryRowOfANullColumnForNull) {
  const Viewed viewed = Convert(Type(ColumnType::kNull), {Texts{"", ""}, std::string(1, '\0')});
  ASSERT_TRUE(viewed.status.ok()) << viewed.status.ToString();
  EXPECT_EQ(viewed.batch.num_rows(), 2);
  EXPECT_EQ(viewed.batch.c_array()->children[0]->null_count, 2);
}

TEST(ColumnValues, RefusesValuesThatDoNotFitWithoutShowingThem) {
  for (const Status& status :
       {Convert(Type(ColumnType::kInt8), {std::vector<int32_t>{1, 128}, ""}).status,
        Convert(Type(ColumnType::kDate), {Texts{"1970-01-01", "private"}, ""}).status,
        Convert(Type(ColumnType::kString), {std::vector<int32_t>{1}, ""}).status,
        Convert(Type(ColumnType::kInt32), {std::vector<double>{1.5}, ""}).status}) {
    EXPECT_EQ(status.code(), StatusCode::kInvalidData);
    EXPECT_NE(status.message().find("column 'c'"), std::string::npos) << status.message();
    EXPECT_EQ(status.message().find("private"), std::string::npos);
  }
}

TEST(ColumnValues, RefusesShapesThatDoNotFit) {
  const auto schema = MakeSchema({Type(ColumnType::kInt32), Type(ColumnType::kInt32)});
  const ColumnValues one{std::vector<int32_t>{1}, ""};
  const ColumnValues two{std::vector<int32_t>{1, 2}, ""};
  EXPECT_EQ(ColumnsToBatch(**schema, {one}).status().code(), StatusCode::kInvalidData);
  EXPECT_EQ(ColumnsToBatch(**schema, {one, two}).status().code(), StatusCode::kInvalidData);
  EXPECT_TRUE(ColumnsToBatch(**schema, {two, two}).ok());
  ColumnDescription decimal = Type(ColumnType::kDecimal);
  decimal.precision = 99;
  EXPECT_EQ(MakeSchema({decimal}).status().code(), StatusCode::kInvalidData);
}

TEST(ColumnValues, NamesNestedTypesAsNotDone) {
  nanoarrow::UniqueSchema schema;
  ArrowSchemaInit(schema.get());
  ASSERT_EQ(ArrowSchemaSetTypeStruct(schema.get(), 1), NANOARROW_OK);
  ASSERT_EQ(ArrowSchemaSetType(schema->children[0], NANOARROW_TYPE_LIST), NANOARROW_OK);
  ASSERT_EQ(ArrowSchemaSetType(schema->children[0]->children[0], NANOARROW_TYPE_INT32),
            NANOARROW_OK);
  const auto taken = Schema::Take(schema.get());
  ASSERT_TRUE(taken.ok());
  EXPECT_EQ(ColumnsToBatch(**taken, {{Texts{"[1]"}, ""}}).status().code(),
            StatusCode::kNotImplemented);
}

}  // namespace
}  // namespace dbx
