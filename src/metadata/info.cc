// SPDX-License-Identifier: Apache-2.0
#include "metadata/info.h"

#include <array>
#include <utility>
#include <variant>

#include "metadata/array_building.h"

namespace dbx {
namespace {

/// Codes of the ADBC standard. What is missing from the list has no meaning for this service.
enum InfoCode : uint32_t {
  kVendorName = 0,
  kVendorVersion = 1,
  kVendorSql = 3,
  kVendorSubstrait = 4,
  kDriverName = 100,
  kDriverVersion = 101,
  kDriverArrowVersion = 102,
  kDriverAdbcVersion = 103,
};

constexpr std::array<uint32_t, 8> kAllCodes{kVendorName,         kVendorVersion,    kVendorSql,
                                            kVendorSubstrait,    kDriverName,       kDriverVersion,
                                            kDriverArrowVersion, kDriverAdbcVersion};

/// Children of the union: their positions are their type ids.
enum UnionChild : int8_t { kText, kBool, kInt64, kInt32Bitmask, kTextList, kInt32ListMap };
constexpr int64_t kNumUnionChildren = 6;

using InfoValue = std::variant<std::monostate, std::string, bool, int64_t>;

Status SetListOf(ArrowSchema* field, const char* name, ArrowType item) {
  RETURN_IF_ERROR(SetField(field, name, NANOARROW_TYPE_LIST, true));
  return SetField(field->children[0], "item", item, true);
}

Status SetMapOfLists(ArrowSchema* field) {
  RETURN_IF_ERROR(SetField(field, "int32_to_int32_list_map", NANOARROW_TYPE_MAP, true));
  ArrowSchema* const entries = field->children[0];
  entries->flags = 0;
  RETURN_IF_ERROR(SetField(entries->children[0], "key", NANOARROW_TYPE_INT32, false));
  return SetListOf(entries->children[1], "value", NANOARROW_TYPE_INT32);
}

Status SetUnion(ArrowSchema* field) {
  RETURN_IF_ERROR(FromArrow(
      ArrowSchemaSetTypeUnion(field, NANOARROW_TYPE_DENSE_UNION, kNumUnionChildren), "info_value"));
  RETURN_IF_ERROR(FromArrow(ArrowSchemaSetName(field, "info_value"), "info_value"));
  ArrowSchema** const children = field->children;
  RETURN_IF_ERROR(SetField(children[kText], "string_value", NANOARROW_TYPE_STRING, true));
  RETURN_IF_ERROR(SetField(children[kBool], "bool_value", NANOARROW_TYPE_BOOL, true));
  RETURN_IF_ERROR(SetField(children[kInt64], "int64_value", NANOARROW_TYPE_INT64, true));
  RETURN_IF_ERROR(SetField(children[kInt32Bitmask], "int32_bitmask", NANOARROW_TYPE_INT32, true));
  RETURN_IF_ERROR(SetListOf(children[kTextList], "string_list", NANOARROW_TYPE_STRING));
  return SetMapOfLists(children[kInt32ListMap]);
}

Result<nanoarrow::UniqueSchema> InfoSchema() {
  nanoarrow::UniqueSchema schema;
  ArrowSchemaInit(schema.get());
  RETURN_IF_ERROR(FromArrow(ArrowSchemaSetTypeStruct(schema.get(), 2), "info"));
  RETURN_IF_ERROR(SetField(schema->children[0], "info_name", NANOARROW_TYPE_UINT32, false));
  RETURN_IF_ERROR(SetUnion(schema->children[1]));
  return schema;
}

Result<InfoValue> ValueOf(const InfoFacts& facts, uint32_t code) {
  switch (code) {
    case kVendorName:
      return InfoValue(facts.vendor_name);
    case kVendorVersion: {
      ASSIGN_OR_RETURN(std::string version, facts.vendor_version());
      return version.empty() ? InfoValue() : InfoValue(std::move(version));
    }
    case kVendorSql:
      return InfoValue(true);
    case kVendorSubstrait:
      return InfoValue(false);
    case kDriverName:
      return InfoValue(facts.driver_name);
    case kDriverVersion:
      return InfoValue(facts.driver_version);
    case kDriverArrowVersion:
      return InfoValue(facts.driver_arrow_version);
    case kDriverAdbcVersion:
      return InfoValue(facts.adbc_version);
    default:
      return InfoValue();
  }
}

Result<int8_t> AppendToChild(ArrowArray* value, const InfoValue& content) {
  ArrowArray** const children = value->children;
  if (const auto* text = std::get_if<std::string>(&content)) {
    const ArrowStringView view{text->data(), static_cast<int64_t>(text->size())};
    RETURN_IF_ERROR(FromArrow(ArrowArrayAppendString(children[kText], view), "info_value"));
    return int8_t{kText};
  }
  if (const auto* flag = std::get_if<bool>(&content)) {
    RETURN_IF_ERROR(FromArrow(ArrowArrayAppendInt(children[kBool], *flag ? 1 : 0), "info_value"));
    return int8_t{kBool};
  }
  const int64_t number = std::get<int64_t>(content);
  RETURN_IF_ERROR(FromArrow(ArrowArrayAppendInt(children[kInt64], number), "info_value"));
  return int8_t{kInt64};
}

Status AppendRow(ArrowArray* rows, uint32_t code, const InfoValue& content) {
  RETURN_IF_ERROR(FromArrow(ArrowArrayAppendUInt(rows->children[0], code), "info_name"));
  ASSIGN_OR_RETURN(const int8_t child, AppendToChild(rows->children[1], content));
  RETURN_IF_ERROR(FromArrow(ArrowArrayFinishUnionElement(rows->children[1], child), "info_value"));
  return FromArrow(ArrowArrayFinishElement(rows), "info");
}

}  // namespace

Result<std::unique_ptr<ResultStream>> MakeInfoStream(
    const InfoFacts& facts, std::optional<std::span<const uint32_t>> codes) {
  ASSIGN_OR_RETURN(nanoarrow::UniqueSchema schema, InfoSchema());
  ASSIGN_OR_RETURN(nanoarrow::UniqueArray rows, StartArray(schema.get()));
  for (const uint32_t code : codes.value_or(kAllCodes)) {
    ASSIGN_OR_RETURN(const InfoValue content, ValueOf(facts, code));
    if (std::holds_alternative<std::monostate>(content)) continue;
    RETURN_IF_ERROR(AppendRow(rows.get(), code, content));
  }
  return FinishStream(std::move(schema), std::move(rows));
}

}  // namespace dbx
