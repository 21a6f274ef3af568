// SPDX-License-Identifier: Apache-2.0
#include "adbc/parameter_value.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>

namespace dbx {
namespace {

/// One column of one type, filled by a test.
class Column {
 public:
  using SetType = std::function<ArrowErrorCode(ArrowSchema*)>;
  using Append = std::function<ArrowErrorCode(ArrowArray*)>;

  explicit Column(ArrowType type)
      : Column([type](ArrowSchema* schema) { return ArrowSchemaSetType(schema, type); }) {}
  explicit Column(const SetType& set_type) {
    ArrowSchemaInit(schema_.get());
    EXPECT_EQ(set_type(schema_.get()), NANOARROW_OK);
    EXPECT_EQ(ArrowSchemaSetName(schema_.get(), "p"), NANOARROW_OK);
  }

  ArrowSchema* schema() { return schema_.get(); }

  /// The parameter made of the one value that `append` adds.
  Result<BoundValue> Value(const Append& append) {
    nanoarrow::UniqueArray array;
    EXPECT_EQ(ArrowArrayInitFromSchema(array.get(), schema_.get(), nullptr), NANOARROW_OK);
    EXPECT_EQ(ArrowArrayStartAppending(array.get()), NANOARROW_OK);
    EXPECT_EQ(append(array.get()), NANOARROW_OK);
    EXPECT_EQ(ArrowArrayFinishBuildingDefault(array.get(), nullptr), NANOARROW_OK);
    ASSIGN_OR_RETURN(const ParameterColumn column, ParameterColumn::Make(schema_.get()));
    nanoarrow::UniqueArrayView view;
    EXPECT_EQ(ArrowArrayViewInitFromSchema(view.get(), schema_.get(), nullptr), NANOARROW_OK);
    EXPECT_EQ(ArrowArrayViewSetArray(view.get(), array.get(), nullptr), NANOARROW_OK);
    return column.At(view.get(), 0);
  }

  Result<BoundValue> Int(int64_t value) {
    return Value([value](ArrowArray* array) { return ArrowArrayAppendInt(array, value); });
  }
  Result<BoundValue> Null() {
    return Value([](ArrowArray* array) { return ArrowArrayAppendNull(array, 1); });
  }

 private:
  nanoarrow::UniqueSchema schema_;
};

Column::SetType DateTime(ArrowType type, ArrowTimeUnit unit, const char* zone = nullptr) {
  return [=](ArrowSchema* schema) { return ArrowSchemaSetTypeDateTime(schema, type, unit, zone); };
}

Column::SetType Decimal(ArrowType type, int32_t precision, int32_t scale) {
  return [=](ArrowSchema* schema) {
    return ArrowSchemaSetTypeDecimal(schema, type, precision, scale);
  };
}

/// "TYPE text", "TYPE NULL", a literal, or the failure.
std::string Shown(const Result<BoundValue>& value) {
  if (!value.ok()) return value.status().ToString();
  if (!value->literal.empty()) return value->literal;
  return value->parameter.type + " " + value->parameter.value.value_or("NULL");
}

TEST(ParameterValue, GivesIntegersTheirWidth) {
  EXPECT_EQ(Shown(Column(NANOARROW_TYPE_INT8).Int(-128)), "TINYINT -128");
  EXPECT_EQ(Shown(Column(NANOARROW_TYPE_INT16).Int(-7)), "SMALLINT -7");
  EXPECT_EQ(Shown(Column(NANOARROW_TYPE_INT32).Int(7)), "INT 7");
  EXPECT_EQ(Shown(Column(NANOARROW_TYPE_INT64).Int(INT64_MIN)), "BIGINT -9223372036854775808");
  EXPECT_EQ(Shown(Column(NANOARROW_TYPE_UINT8).Int(255)), "SMALLINT 255");
  EXPECT_EQ(Shown(Column(NANOARROW_TYPE_UINT16).Int(65'535)), "INT 65535");
  EXPECT_EQ(Shown(Column(NANOARROW_TYPE_UINT32).Int(4'294'967'295)), "BIGINT 4294967295");
  const auto largest = [](ArrowArray* array) { return ArrowArrayAppendUInt(array, UINT64_MAX); };
  EXPECT_EQ(Shown(Column(NANOARROW_TYPE_UINT64).Value(largest)),
            "DECIMAL(20,0) 18446744073709551615");
  EXPECT_EQ(Shown(Column(NANOARROW_TYPE_BOOL).Int(1)), "BOOLEAN true");
  EXPECT_EQ(Shown(Column(NANOARROW_TYPE_BOOL).Int(0)), "BOOLEAN false");
}

TEST(ParameterValue, GivesFloatsInFull) {
  const auto tenth = [](ArrowArray* array) { return ArrowArrayAppendDouble(array, 0.1); };
  const auto half = [](ArrowArray* array) { return ArrowArrayAppendDouble(array, 1.5); };
  EXPECT_EQ(Shown(Column(NANOARROW_TYPE_DOUBLE).Value(tenth)), "DOUBLE 0.1");
  EXPECT_EQ(Shown(Column(NANOARROW_TYPE_FLOAT).Value(half)), "FLOAT 1.5");
  EXPECT_EQ(Shown(Column(NANOARROW_TYPE_HALF_FLOAT).Value(half)), "FLOAT 1.5");
}

TEST(ParameterValue, TakesTextInAllForms) {
  const auto text = [](ArrowArray* array) {
    return ArrowArrayAppendString(array, ArrowCharView("caf\xC3\xA9's long enough for a view"));
  };
  for (const ArrowType type :
       {NANOARROW_TYPE_STRING, NANOARROW_TYPE_LARGE_STRING, NANOARROW_TYPE_STRING_VIEW}) {
    EXPECT_EQ(Shown(Column(type).Value(text)), "STRING caf\xC3\xA9's long enough for a view");
  }
}

TEST(ParameterValue, MakesBytesLiterals) {
  const auto bytes = [](ArrowArray* array) {
    ArrowBufferView view;
    view.data.data = "\x00\xFF";
    view.size_bytes = 2;
    return ArrowArrayAppendBytes(array, view);
  };
  for (const ArrowType type :
       {NANOARROW_TYPE_BINARY, NANOARROW_TYPE_LARGE_BINARY, NANOARROW_TYPE_BINARY_VIEW}) {
    EXPECT_EQ(Shown(Column(type).Value(bytes)), "X'00ff'");
  }
  EXPECT_EQ(Shown(Column(NANOARROW_TYPE_BINARY).Null()), "CAST(NULL AS BINARY)");
}

TEST(ParameterValue, TakesDatesAndTimesInAllUnits) {
  EXPECT_EQ(Shown(Column(NANOARROW_TYPE_DATE32).Int(-1)), "DATE 1969-12-31");
  EXPECT_EQ(Shown(Column(NANOARROW_TYPE_DATE64).Int(-86'400'000)), "DATE 1969-12-31");
  EXPECT_EQ(Shown(Column(NANOARROW_TYPE_DATE64).Int(86'400'000)), "DATE 1970-01-02");
  const ArrowType stamp = NANOARROW_TYPE_TIMESTAMP;
  EXPECT_EQ(Shown(Column(DateTime(stamp, NANOARROW_TIME_UNIT_MICRO)).Int(-1)),
            "TIMESTAMP_NTZ 1969-12-31 23:59:59.999999");
  EXPECT_EQ(Shown(Column(DateTime(stamp, NANOARROW_TIME_UNIT_SECOND, "Asia/Kolkata")).Int(1)),
            "TIMESTAMP 1970-01-01 00:00:01+00:00");
  EXPECT_EQ(Shown(Column(DateTime(stamp, NANOARROW_TIME_UNIT_MILLI, "UTC")).Int(1)),
            "TIMESTAMP 1970-01-01 00:00:00.001+00:00");
  EXPECT_EQ(Shown(Column(DateTime(stamp, NANOARROW_TIME_UNIT_NANO)).Int(1'000)),
            "TIMESTAMP_NTZ 1970-01-01 00:00:00.000001");
  EXPECT_EQ(Shown(Column(DateTime(NANOARROW_TYPE_TIME32, NANOARROW_TIME_UNIT_SECOND)).Int(1)),
            "STRING 00:00:01");
}

TEST(ParameterValue, RefusesWhatTheServiceWouldRound) {
  Column stamps(DateTime(NANOARROW_TYPE_TIMESTAMP, NANOARROW_TIME_UNIT_NANO));
  EXPECT_EQ(stamps.Int(1).status().code(), StatusCode::kInvalidArgument);
  EXPECT_NE(stamps.Int(1).status().message().find("'p'"), std::string::npos);
  Column lengths(DateTime(NANOARROW_TYPE_DURATION, NANOARROW_TIME_UNIT_NANO));
  EXPECT_EQ(lengths.Int(1).status().code(), StatusCode::kInvalidArgument);
}

TEST(ParameterValue, TakesLengthsOfTime) {
  EXPECT_EQ(Shown(Column(DateTime(NANOARROW_TYPE_DURATION, NANOARROW_TIME_UNIT_SECOND)).Int(-42)),
            "INTERVAL DAY TO SECOND -0 00:00:42");
  ArrowInterval interval;
  ArrowIntervalInit(&interval, NANOARROW_TYPE_INTERVAL_MONTH_DAY_NANO);
  Column mixed(NANOARROW_TYPE_INTERVAL_MONTH_DAY_NANO);
  const auto append = [&](ArrowArray* array) { return ArrowArrayAppendInterval(array, &interval); };
  interval.months = 14;
  EXPECT_EQ(Shown(mixed.Value(append)), "INTERVAL YEAR TO MONTH 1-2");
  interval.days = 1;
  EXPECT_EQ(mixed.Value(append).status().code(), StatusCode::kNotImplemented);
  interval.months = 0;
  EXPECT_EQ(Shown(mixed.Value(append)), "INTERVAL DAY TO SECOND 1 00:00:00");
}

TEST(ParameterValue, TakesDecimalsOfAllWidths) {
  ArrowDecimal decimal;
  ArrowDecimalInit(&decimal, 128, 10, 2);
  ArrowDecimalSetInt(&decimal, -12'345);
  const auto narrow = [&](ArrowArray* array) { return ArrowArrayAppendDecimal(array, &decimal); };
  EXPECT_EQ(Shown(Column(Decimal(NANOARROW_TYPE_DECIMAL128, 10, 2)).Value(narrow)),
            "DECIMAL(10,2) -123.45");
  EXPECT_EQ(Shown(Column(Decimal(NANOARROW_TYPE_DECIMAL128, 2, -2)).Value(narrow)),
            "DECIMAL(4,0) -1234500");
  ArrowDecimalInit(&decimal, 256, 76, 0);
  ASSERT_EQ(ArrowDecimalSetDigits(&decimal, ArrowCharView(std::string(39, '9').c_str())),
            NANOARROW_OK);
  EXPECT_EQ(Column(Decimal(NANOARROW_TYPE_DECIMAL256, 76, 0)).Value(narrow).status().code(),
            StatusCode::kInvalidArgument);
}

TEST(ParameterValue, KeepsTheTypeOfANull) {
  EXPECT_EQ(Shown(Column(NANOARROW_TYPE_INT64).Null()), "BIGINT NULL");
  EXPECT_EQ(Shown(Column(Decimal(NANOARROW_TYPE_DECIMAL128, 5, 1)).Null()), "DECIMAL(5,1) NULL");
  EXPECT_EQ(Shown(Column(NANOARROW_TYPE_NA).Null()), "VOID NULL");
}

TEST(ParameterValue, LooksBehindDictionaries) {
  nanoarrow::UniqueSchema schema;
  ArrowSchemaInit(schema.get());
  ASSERT_EQ(ArrowSchemaSetType(schema.get(), NANOARROW_TYPE_INT8), NANOARROW_OK);
  ASSERT_EQ(ArrowSchemaSetName(schema.get(), "p"), NANOARROW_OK);
  ASSERT_EQ(ArrowSchemaAllocateDictionary(schema.get()), NANOARROW_OK);
  ASSERT_EQ(ArrowSchemaInitFromType(schema->dictionary, NANOARROW_TYPE_STRING), NANOARROW_OK);
  nanoarrow::UniqueArray array;
  ASSERT_EQ(ArrowArrayInitFromSchema(array.get(), schema.get(), nullptr), NANOARROW_OK);
  ASSERT_EQ(ArrowArrayStartAppending(array.get()), NANOARROW_OK);
  ASSERT_EQ(ArrowArrayAppendInt(array.get(), 1), NANOARROW_OK);
  for (const char* word : {"a", "b"}) {
    ASSERT_EQ(ArrowArrayAppendString(array->dictionary, ArrowCharView(word)), NANOARROW_OK);
  }
  ASSERT_EQ(ArrowArrayFinishBuildingDefault(array.get(), nullptr), NANOARROW_OK);
  nanoarrow::UniqueArrayView view;
  ASSERT_EQ(ArrowArrayViewInitFromSchema(view.get(), schema.get(), nullptr), NANOARROW_OK);
  ASSERT_EQ(ArrowArrayViewSetArray(view.get(), array.get(), nullptr), NANOARROW_OK);
  const Result<ParameterColumn> column = ParameterColumn::Make(schema.get());
  ASSERT_TRUE(column.ok());
  EXPECT_EQ(Shown(column->At(view.get(), 0)), "STRING b");
}

TEST(ParameterValue, RefusesNestedColumnsByName) {
  Column list(NANOARROW_TYPE_LIST);
  ASSERT_EQ(ArrowSchemaSetType(list.schema()->children[0], NANOARROW_TYPE_INT32), NANOARROW_OK);
  const Status status = ParameterColumn::Make(list.schema()).status();
  EXPECT_EQ(status.code(), StatusCode::kNotImplemented);
  EXPECT_NE(status.message().find("'p'"), std::string::npos);
}

}  // namespace
}  // namespace dbx
