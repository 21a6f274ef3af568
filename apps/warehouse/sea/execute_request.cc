// SPDX-License-Identifier: Apache-2.0
#include "sea/execute_request.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/str_cat.h"
#include "net/http_text.h"
#include "sql/sql_text.h"

namespace dbx::local {
namespace {

using Json = nlohmann::json;

constexpr size_t kMaxParameters = 256;
constexpr size_t kMaxStatementBytes = 16 << 20;

Status Refused(std::string message) {
  return Status::InvalidArgument(std::move(message)).WithErrorClass("INVALID_PARAMETER_VALUE");
}

Result<Json> ParseObject(std::string_view body) {
  Json json = Json::parse(body, nullptr, /*allow_exceptions=*/false);
  if (json.is_object()) return json;
  return Status::InvalidArgument("The body of the request is not a JSON object.")
      .WithErrorClass("MALFORMED_REQUEST");
}

/// Absent and null are the same.
const Json* Find(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

Result<std::optional<std::string>> ReadText(const Json& object, const char* key) {
  const Json* const value = Find(object, key);
  if (value == nullptr) return std::optional<std::string>();
  if (!value->is_string()) return Refused(StrCat("Field '", key, "' is not a string."));
  return std::optional<std::string>(value->get<std::string>());
}

Result<std::optional<int64_t>> ReadLimit(const Json& object, const char* key) {
  const Json* const value = Find(object, key);
  if (value == nullptr) return std::optional<int64_t>();
  if (!value->is_number_integer() || *value < 0 ||
      (value->is_number_unsigned() && value->get<uint64_t>() > INT64_MAX)) {
    return Refused(StrCat("Field '", key, "' is not a count."));
  }
  return std::optional<int64_t>(value->get<int64_t>());
}

/// The place of a field's text among `words`; 0 when it is absent.
Result<size_t> ReadWord(const Json& object, const char* key,
                        std::initializer_list<std::string_view> words) {
  ASSIGN_OR_RETURN(const std::optional<std::string> text, ReadText(object, key));
  if (!text) return size_t{0};
  const auto found = std::find(words.begin(), words.end(), *text);
  if (found != words.end()) return static_cast<size_t>(found - words.begin());
  return Refused(StrCat("Field '", key, "' has the unknown value '", *text, "'."));
}

Result<std::chrono::seconds> ReadWaitTimeout(const Json& object) {
  ASSIGN_OR_RETURN(const std::optional<std::string> text, ReadText(object, "wait_timeout"));
  if (!text) return std::chrono::seconds(10);
  std::optional<uint64_t> seconds;
  if (text->ends_with('s'))
    seconds = ParseNumber(std::string_view(*text).substr(0, text->size() - 1));
  if (seconds && (*seconds == 0 || (*seconds >= 5 && *seconds <= 50)))
    return std::chrono::seconds(*seconds);
  return Refused(
      StrCat("Field 'wait_timeout' is '", *text, "': it must be 0s, or between 5s and 50s."));
}

/// Settings of the protocol itself, which the engine has no use for.
bool IsProtocolSetting(std::string_view key) {
  return key.starts_with("spark.thriftserver.") || key.starts_with("spark.sql.thriftserver.") ||
         EqualsIgnoreCase(key, "query_tags");
}

/// Null for the names by which clients mean the default.
void DropDefaultNames(std::optional<std::string>& catalog, std::optional<std::string>& schema) {
  if (catalog && IsDefaultCatalogAlias(*catalog)) catalog.reset();
  if (schema && schema->empty()) schema.reset();
}

struct PlacedParameter {
  int64_t ordinal = 0;
  SqlParameter parameter = {};
};

Result<PlacedParameter> ReadParameter(const Json& given, int64_t position) {
  if (!given.is_object()) return Refused("A parameter is not an object.");
  PlacedParameter placed{.ordinal = position};
  SqlParameter& parameter = placed.parameter;
  ASSIGN_OR_RETURN(parameter.name, ReadText(given, "name"));
  if (parameter.name && parameter.name->empty()) parameter.name.reset();
  ASSIGN_OR_RETURN(const std::optional<std::string> type, ReadText(given, "type"));
  parameter.type = type.value_or("STRING");
  const std::string kind = ToUpper(parameter.type);
  if (kind.starts_with("ARRAY") || kind.starts_with("MAP") || kind.starts_with("STRUCT"))
    return Refused(StrCat("A parameter of type ", parameter.type, " is not supported."));
  if (const Json* const value = Find(given, "value"); value != nullptr)
    parameter.value = value->is_string() ? value->get<std::string>() : value->dump();
  ASSIGN_OR_RETURN(const std::optional<int64_t> ordinal, ReadLimit(given, "ordinal"));
  placed.ordinal = ordinal.value_or(position);
  return placed;
}

Result<std::vector<SqlParameter>> ReadParameters(const Json& object) {
  std::vector<SqlParameter> parameters;
  const Json* const list = Find(object, "parameters");
  if (list == nullptr) return parameters;
  if (!list->is_array()) return Refused("Field 'parameters' is not a list.");
  if (list->size() > kMaxParameters)
    return Refused(
        StrCat("There are ", list->size(), " parameters, more than ", kMaxParameters, "."));
  std::vector<PlacedParameter> placed;
  for (const Json& given : *list) {
    ASSIGN_OR_RETURN(PlacedParameter next,
                     ReadParameter(given, static_cast<int64_t>(placed.size()) + 1));
    placed.push_back(std::move(next));
  }
  std::stable_sort(placed.begin(), placed.end(),
                   [](const auto& a, const auto& b) { return a.ordinal < b.ordinal; });
  for (PlacedParameter& next : placed) parameters.push_back(std::move(next.parameter));
  return parameters;
}

/// How the rows are wanted.
Status ReadForm(const Json& json, ExecuteRequest* request) {
  ASSIGN_OR_RETURN(
      const size_t disposition,
      ReadWord(json, "disposition", {"INLINE", "EXTERNAL_LINKS", "INLINE_OR_EXTERNAL_LINKS"}));
  request->disposition = static_cast<Disposition>(disposition);
  ASSIGN_OR_RETURN(const size_t format,
                   ReadWord(json, "format", {"JSON_ARRAY", "ARROW_STREAM", "CSV"}));
  request->format = static_cast<RowFormat>(format);
  if (request->format == RowFormat::kCsv && request->disposition != Disposition::kExternalLinks)
    return Refused("The format CSV needs the disposition EXTERNAL_LINKS.");
  ASSIGN_OR_RETURN(const size_t compression,
                   ReadWord(json, "result_compression", {"NONE", "LZ4_FRAME"}));
  request->lz4 = compression == 1 && request->format == RowFormat::kArrowStream;
  ASSIGN_OR_RETURN(request->limits.rows, ReadLimit(json, "row_limit"));
  if (request->limits.rows == 0) request->limits.rows.reset();
  ASSIGN_OR_RETURN(request->limits.bytes, ReadLimit(json, "byte_limit"));
  if (request->limits.bytes == 0) request->limits.bytes.reset();
  return Status::Ok();
}

}  // namespace

std::string_view ToText(RowFormat format) {
  switch (format) {
    case RowFormat::kJsonArray:
      return "JSON_ARRAY";
    case RowFormat::kArrowStream:
      return "ARROW_STREAM";
    case RowFormat::kCsv:
      break;
  }
  return "CSV";
}

Result<ExecuteRequest> ParseExecuteRequest(std::string_view body) {
  ASSIGN_OR_RETURN(const Json json, ParseObject(body));
  ExecuteRequest request;
  ASSIGN_OR_RETURN(std::optional<std::string> statement, ReadText(json, "statement"));
  if (!statement) return Refused("Field 'statement' is required.");
  if (statement->size() > kMaxStatementBytes)
    return Refused("Field 'statement' is longer than 16 MiB.");
  request.statement = *std::move(statement);
  ASSIGN_OR_RETURN(const std::optional<std::string> warehouse, ReadText(json, "warehouse_id"));
  if (!warehouse) return Refused("Field 'warehouse_id' is required.");
  ASSIGN_OR_RETURN(request.session_id, ReadText(json, "session_id"));
  if (request.session_id && request.session_id->empty()) request.session_id.reset();
  ASSIGN_OR_RETURN(request.catalog, ReadText(json, "catalog"));
  ASSIGN_OR_RETURN(request.schema, ReadText(json, "schema"));
  DropDefaultNames(request.catalog, request.schema);
  RETURN_IF_ERROR(ReadForm(json, &request));
  ASSIGN_OR_RETURN(request.wait_timeout, ReadWaitTimeout(json));
  ASSIGN_OR_RETURN(const size_t when_late,
                   ReadWord(json, "on_wait_timeout", {"CONTINUE", "CANCEL"}));
  request.cancel_when_late = when_late == 1 && request.wait_timeout.count() > 0;
  ASSIGN_OR_RETURN(request.parameters, ReadParameters(json));
  return request;
}

Result<SessionRequest> ParseSessionRequest(std::string_view body) {
  ASSIGN_OR_RETURN(const Json json, ParseObject(body));
  SessionRequest request;
  ASSIGN_OR_RETURN(request.catalog, ReadText(json, "catalog"));
  ASSIGN_OR_RETURN(request.schema, ReadText(json, "schema"));
  DropDefaultNames(request.catalog, request.schema);
  const Json* const confs = Find(json, "session_confs");
  if (confs == nullptr) return request;
  if (!confs->is_object()) return Refused("Field 'session_confs' is not an object.");
  for (const auto& [key, value] : confs->items()) {
    if (IsProtocolSetting(key)) continue;
    request.confs.emplace(key, value.is_string() ? value.get<std::string>() : value.dump());
  }
  return request;
}

}  // namespace dbx::local
