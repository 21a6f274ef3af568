// SPDX-License-Identifier: Apache-2.0
#include "metadata/info.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "nanoarrow/nanoarrow.hpp"

namespace dbx {
namespace {

InfoFacts Facts() {
  return {.driver_name = "driver",
          .driver_version = "1.2.3",
          .driver_arrow_version = "v0.9.0",
          .adbc_version = 1001000,
          .vendor_name = "Databricks",
          .vendor_version = [] { return Result<std::string>(std::string("17.3")); }};
}

std::vector<uint32_t> CodesIn(ResultStream& stream) {
  std::vector<uint32_t> codes;
  Result<std::optional<RecordBatch>> batch = stream.Next();
  if (!batch.ok() || !batch->has_value()) return codes;
  nanoarrow::UniqueArrayView view;
  EXPECT_EQ(ArrowArrayViewInitFromSchema(view.get(), stream.schema()->c_schema(), nullptr), 0);
  EXPECT_EQ(ArrowArrayViewSetArray(view.get(), (*batch)->c_array(), nullptr), 0);
  for (int64_t row = 0; row < view->length; ++row) {
    codes.push_back(static_cast<uint32_t>(ArrowArrayViewGetUIntUnsafe(view->children[0], row)));
  }
  return codes;
}

TEST(Info, HasTheSchemaOfTheStandard) {
  const auto stream = MakeInfoStream(Facts(), std::nullopt);
  ASSERT_TRUE(stream.ok());
  const ArrowSchema* const schema = (*stream)->schema()->c_schema();
  ASSERT_EQ(schema->n_children, 2);
  EXPECT_STREQ(schema->children[0]->name, "info_name");
  EXPECT_STREQ(schema->children[0]->format, "I");
  EXPECT_EQ(schema->children[0]->flags, 0);
  const ArrowSchema* const value = schema->children[1];
  EXPECT_STREQ(value->name, "info_value");
  EXPECT_STREQ(value->format, "+ud:0,1,2,3,4,5");
  constexpr std::array kFormats{"u", "b", "l", "i", "+l", "+m"};
  constexpr std::array kNames{"string_value",  "bool_value",  "int64_value",
                              "int32_bitmask", "string_list", "int32_to_int32_list_map"};
  for (size_t i = 0; i < kFormats.size(); ++i) {
    EXPECT_STREQ(value->children[i]->format, kFormats[i]);
    EXPECT_STREQ(value->children[i]->name, kNames[i]);
  }
  EXPECT_STREQ(value->children[5]->children[0]->name, "entries");
  EXPECT_EQ(value->children[5]->children[0]->flags & ARROW_FLAG_NULLABLE, 0);
}

TEST(Info, GivesAllCodesWithoutAList) {
  const auto stream = MakeInfoStream(Facts(), std::nullopt);
  ASSERT_TRUE(stream.ok());
  EXPECT_EQ(CodesIn(**stream), (std::vector<uint32_t>{0, 1, 3, 4, 100, 101, 102, 103}));
}

TEST(Info, GivesWhatWasAskedAndLeavesOutWhatNobodyKnows) {
  const std::array<uint32_t, 3> codes{103, 9999, 0};
  const auto stream = MakeInfoStream(Facts(), codes);
  ASSERT_TRUE(stream.ok());
  Result<std::optional<RecordBatch>> batch = (*stream)->Next();
  ASSERT_TRUE(batch.ok() && batch->has_value());
  nanoarrow::UniqueArrayView view;
  ASSERT_EQ(ArrowArrayViewInitFromSchema(view.get(), (*stream)->schema()->c_schema(), nullptr), 0);
  ASSERT_EQ(ArrowArrayViewSetArray(view.get(), (*batch)->c_array(), nullptr), 0);
  ASSERT_EQ(view->length, 2);
  const ArrowArrayView* const value = view->children[1];
  EXPECT_EQ(ArrowArrayViewUnionTypeId(value, 0), 2);
  EXPECT_EQ(ArrowArrayViewGetIntUnsafe(value->children[2], 0), 1001000);
  EXPECT_EQ(ArrowArrayViewUnionTypeId(value, 1), 0);
  const ArrowStringView name = ArrowArrayViewGetStringUnsafe(value->children[0], 0);
  EXPECT_EQ(std::string(name.data, static_cast<size_t>(name.size_bytes)), "Databricks");
}

TEST(Info, AsksTheServiceOnlyForItsVersion) {
  InfoFacts facts = Facts();
  int num_asked = 0;
  facts.vendor_version = [&num_asked] {
    ++num_asked;
    return Result<std::string>(std::string());
  };
  const std::array<uint32_t, 1> name{0};
  ASSERT_TRUE(MakeInfoStream(facts, name).ok());
  EXPECT_EQ(num_asked, 0);
  const std::array<uint32_t, 1> version{1};
  const auto stream = MakeInfoStream(facts, version);
  ASSERT_TRUE(stream.ok());
  EXPECT_EQ(num_asked, 1);
  EXPECT_TRUE(CodesIn(**stream).empty());
}

TEST(Info, PassesOnTheFailureOfTheVersion) {
  InfoFacts facts = Facts();
  facts.vendor_version = [] { return Result<std::string>(Status::Unavailable("gone")); };
  EXPECT_EQ(MakeInfoStream(facts, std::nullopt).status().code(), StatusCode::kUnavailable);
}

}  // namespace
}  // namespace dbx
