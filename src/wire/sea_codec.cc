// SPDX-License-Identifier: Apache-2.0
#include "wire/sea_codec.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "base/str_cat.h"
#include "wire/base64.h"

namespace dbx::sea {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

Status WrongType(std::string_view field, std::string_view wanted) {
  return Status::InvalidData(StrCat("reply: '", field, "' is no ", wanted));
}

/// The member called `name`, or null when it is absent or JSON's null.
const Json* Member(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

Status ReadText(const Json& object, const char* name, std::string* text) {
  const Json* const member = Member(object, name);
  if (member == nullptr) return Status::Ok();
  if (!member->is_string()) return WrongType(name, "text");
  *text = member->get_ref<const std::string&>();
  return Status::Ok();
}

/// Texts that some services send as numbers.
Status ReadTextOrNumber(const Json& object, const char* name, std::string* text) {
  const Json* const member = Member(object, name);
  if (member == nullptr || !member->is_number_integer()) return ReadText(object, name, text);
  *text = StrCat(member->get<int64_t>());
  return Status::Ok();
}

Status ReadFlag(const Json& object, const char* name, bool* flag) {
  const Json* const member = Member(object, name);
  if (member == nullptr) return Status::Ok();
  if (!member->is_boolean()) return WrongType(name, "boolean");
  *flag = member->get<bool>();
  return Status::Ok();
}

Status ReadCount(const Json& object, const char* name, std::optional<int64_t>* count) {
  const Json* const member = Member(object, name);
  if (member == nullptr) return Status::Ok();
  constexpr auto kMost = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  if (!member->is_number_unsigned() || member->get<uint64_t>() > kMost) {
    return WrongType(name, "count");
  }
  *count = member->get<int64_t>();
  return Status::Ok();
}

Status ReadCount(const Json& object, const char* name, int64_t* count) {
  std::optional<int64_t> stated;
  RETURN_IF_ERROR(ReadCount(object, name, &stated));
  if (stated) *count = *stated;
  return Status::Ok();
}

/// The array called `name`, or an empty one.
Result<const Json*> ReadArray(const Json& object, const char* name) {
  static const Json kNone = Json::array();
  const Json* const member = Member(object, name);
  if (member == nullptr) return &kNone;
  if (!member->is_array()) return WrongType(name, "list");
  return member;
}

Status ReadColumn(const Json& json, ColumnMessage* column) {
  if (!json.is_object()) return WrongType("columns", "list of objects");
  RETURN_IF_ERROR(ReadText(json, "name", &column->name));
  RETURN_IF_ERROR(ReadText(json, "type_text", &column->type_text));
  RETURN_IF_ERROR(ReadText(json, "type_name", &column->type_name));
  RETURN_IF_ERROR(ReadCount(json, "position", &column->position));
  RETURN_IF_ERROR(ReadCount(json, "type_precision", &column->precision));
  return ReadCount(json, "type_scale", &column->scale);
}

Status ReadChunk(const Json& json, ChunkMessage* chunk) {
  if (!json.is_object()) return WrongType("chunks", "list of objects");
  RETURN_IF_ERROR(ReadCount(json, "chunk_index", &chunk->chunk_index));
  RETURN_IF_ERROR(ReadCount(json, "row_offset", &chunk->row_offset));
  RETURN_IF_ERROR(ReadCount(json, "row_count", &chunk->row_count));
  return ReadCount(json, "byte_count", &chunk->byte_count);
}

Status ReadSchema(const Json& json, ManifestMessage* manifest) {
  const Json* const schema = Member(json, "schema");
  if (schema == nullptr) return Status::Ok();
  if (!schema->is_object()) return WrongType("schema", "object");
  ASSIGN_OR_RETURN(const Json* const columns, ReadArray(*schema, "columns"));
  for (const Json& column : *columns) {
    RETURN_IF_ERROR(ReadColumn(column, &manifest->columns.emplace_back()));
  }
  return Status::Ok();
}

Status ReadManifest(const Json& json, ManifestMessage* manifest) {
  if (!json.is_object()) return WrongType("manifest", "object");
  RETURN_IF_ERROR(ReadText(json, "format", &manifest->format));
  RETURN_IF_ERROR(ReadSchema(json, manifest));
  ASSIGN_OR_RETURN(const Json* const chunks, ReadArray(json, "chunks"));
  for (const Json& chunk : *chunks) {
    RETURN_IF_ERROR(ReadChunk(chunk, &manifest->chunks.emplace_back()));
  }
  RETURN_IF_ERROR(ReadCount(json, "total_chunk_count", &manifest->total_chunk_count));
  RETURN_IF_ERROR(ReadCount(json, "total_row_count", &manifest->total_row_count));
  RETURN_IF_ERROR(ReadCount(json, "total_byte_count", &manifest->total_byte_count));
  RETURN_IF_ERROR(ReadText(json, "result_compression", &manifest->result_compression));
  RETURN_IF_ERROR(ReadFlag(json, "truncated", &manifest->truncated));
  return ReadFlag(json, "is_volume_operation", &manifest->is_volume_operation);
}

Status ReadNext(const Json& json, NextChunk* next) {
  RETURN_IF_ERROR(ReadCount(json, "next_chunk_index", &next->chunk_index));
  return ReadText(json, "next_chunk_internal_link", &next->internal_link);
}

Status ReadHeaders(const Json& json, LinkMessage* link) {
  const Json* const headers = Member(json, "http_headers");
  if (headers == nullptr) return Status::Ok();
  if (!headers->is_object()) return WrongType("http_headers", "object");
  for (const auto& [name, value] : headers->items()) {
    if (!value.is_string()) return WrongType("http_headers", "object of texts");
    link->http_headers.emplace_back(name, Secret(value.get<std::string>()));
  }
  return Status::Ok();
}

Status ReadLink(const Json& json, LinkMessage* link) {
  if (!json.is_object()) return WrongType("external_links", "list of objects");
  std::string url;
  RETURN_IF_ERROR(ReadText(json, "external_link", &url));
  if (url.empty()) return Status::InvalidData("reply: a link without 'external_link'");
  link->external_link = SecretUrl(std::move(url));
  RETURN_IF_ERROR(ReadCount(json, "chunk_index", &link->chunk_index));
  RETURN_IF_ERROR(ReadCount(json, "row_offset", &link->row_offset));
  RETURN_IF_ERROR(ReadCount(json, "row_count", &link->row_count));
  RETURN_IF_ERROR(ReadCount(json, "byte_count", &link->byte_count));
  RETURN_IF_ERROR(ReadText(json, "expiration", &link->expiration));
  RETURN_IF_ERROR(ReadHeaders(json, link));
  return ReadNext(json, &link->next);
}

/// Text or NULL; a number or a truth value that a server may put there counts as its text.
std::optional<std::string> CellOf(const Json& json) {
  if (json.is_null()) return std::nullopt;
  if (json.is_string()) return json.get_ref<const std::string&>();
  return json.dump();
}

Status ReadRow(const Json& json, JsonRow* row) {
  if (!json.is_array()) return WrongType("data_array", "list of lists");
  row->reserve(json.size());
  for (const Json& cell : json) {
    if (cell.is_structured()) return WrongType("data_array", "list of lists of texts");
    row->push_back(CellOf(cell));
  }
  return Status::Ok();
}

Status ReadResult(const Json& json, ResultMessage* result) {
  if (!json.is_object()) return WrongType("result", "object");
  RETURN_IF_ERROR(ReadCount(json, "chunk_index", &result->chunk_index));
  RETURN_IF_ERROR(ReadCount(json, "row_offset", &result->row_offset));
  RETURN_IF_ERROR(ReadCount(json, "row_count", &result->row_count));
  RETURN_IF_ERROR(ReadNext(json, &result->next));
  ASSIGN_OR_RETURN(const Json* const links, ReadArray(json, "external_links"));
  for (const Json& link : *links) {
    RETURN_IF_ERROR(ReadLink(link, &result->external_links.emplace_back()));
  }
  ASSIGN_OR_RETURN(const Json* const rows, ReadArray(json, "data_array"));
  result->data_array.reserve(rows->size());
  for (const Json& row : *rows) RETURN_IF_ERROR(ReadRow(row, &result->data_array.emplace_back()));
  std::string attachment;
  RETURN_IF_ERROR(ReadText(json, "attachment", &attachment));
  std::optional<std::string> bytes = DecodeBase64(attachment);
  if (!bytes) return WrongType("attachment", "base64");
  result->attachment = *std::move(bytes);
  return Status::Ok();
}

State StateOf(std::string_view text) {
  constexpr std::pair<std::string_view, State> kStates[] = {
      {"PENDING", State::kPending},     {"RUNNING", State::kRunning},
      {"SUCCEEDED", State::kSucceeded}, {"FAILED", State::kFailed},
      {"CANCELED", State::kCanceled},   {"CLOSED", State::kClosed},
  };
  for (const auto& [name, state] : kStates) {
    if (name == text) return state;
  }
  return State::kOther;
}

Status ReadStatus(const Json& json, StatementReply* reply) {
  const Json* const status = Member(json, "status");
  if (status == nullptr) return Status::InvalidData("reply: no 'status'");
  if (!status->is_object()) return WrongType("status", "object");
  RETURN_IF_ERROR(ReadText(*status, "state", &reply->state_text));
  reply->state = StateOf(reply->state_text);
  const Json* const error = Member(*status, "error");
  if (error != nullptr && error->is_object()) {
    RETURN_IF_ERROR(ReadTextOrNumber(*error, "error_code", &reply->error.error_code));
    RETURN_IF_ERROR(ReadText(*error, "message", &reply->error.message));
    RETURN_IF_ERROR(ReadText(*error, "sql_state", &reply->error.sql_state));
  }
  return ReadText(*status, "sql_state", &reply->error.sql_state);
}

Result<Json> ParseObject(std::string_view body) {
  Json json = Json::parse(body, nullptr, false);
  if (!json.is_object()) return Status::InvalidData("reply: not a JSON object");
  return json;
}

std::string Dump(const OrderedJson& json) {
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

std::string_view NameOf(Disposition disposition) {
  switch (disposition) {
    case Disposition::kInline:
      return "INLINE";
    case Disposition::kExternalLinks:
      return "EXTERNAL_LINKS";
    case Disposition::kInlineOrExternalLinks:
      break;
  }
  return "INLINE_OR_EXTERNAL_LINKS";
}

OrderedJson ToJson(const ParameterMessage& parameter) {
  OrderedJson json;
  if (!parameter.name.empty()) json["name"] = parameter.name;
  json["type"] = parameter.type;
  if (parameter.value) json["value"] = *parameter.value;
  if (parameter.name.empty()) json["ordinal"] = parameter.ordinal;
  return json;
}

}  // namespace

std::string WriteOpenRequest(const OpenRequest& request) {
  OrderedJson json;
  json["warehouse_id"] = request.warehouse_id;
  if (!request.schema.empty()) json["schema"] = request.schema;
  if (!request.catalog.empty()) json["catalog"] = request.catalog;
  if (!request.session_confs.empty()) json["session_confs"] = request.session_confs;
  return Dump(json);
}

std::string WriteExecuteRequest(const ExecuteRequest& request) {
  OrderedJson json;
  json["statement"] = request.statement;
  json["warehouse_id"] = request.warehouse_id;
  json["session_id"] = request.session_id;
  json["disposition"] = NameOf(request.disposition);
  json["format"] = request.format == Format::kArrowStream ? "ARROW_STREAM" : "JSON_ARRAY";
  if (request.format == Format::kArrowStream) {
    json["result_compression"] = request.lz4 ? "LZ4_FRAME" : "NONE";
  }
  if (!request.wait_timeout.empty()) json["wait_timeout"] = request.wait_timeout;
  for (const ParameterMessage& parameter : request.parameters) {
    json["parameters"].push_back(ToJson(parameter));
  }
  for (const auto& [key, value] : request.query_tags) {
    OrderedJson tag{{"key", key}};
    if (!value.empty()) tag["value"] = value;
    json["query_tags"].push_back(std::move(tag));
  }
  return Dump(json);
}

Result<std::string> ReadOpenReply(std::string_view body) {
  ASSIGN_OR_RETURN(const Json json, ParseObject(body));
  std::string session_id;
  RETURN_IF_ERROR(ReadText(json, "session_id", &session_id));
  if (session_id.empty()) return Status::InvalidData("reply: no 'session_id'");
  return session_id;
}

Result<StatementReply> ReadStatementReply(std::string_view body) {
  ASSIGN_OR_RETURN(const Json json, ParseObject(body));
  StatementReply reply;
  RETURN_IF_ERROR(ReadText(json, "statement_id", &reply.statement_id));
  RETURN_IF_ERROR(ReadStatus(json, &reply));
  if (const Json* const manifest = Member(json, "manifest")) {
    RETURN_IF_ERROR(ReadManifest(*manifest, &reply.manifest.emplace()));
  }
  if (const Json* const result = Member(json, "result")) {
    RETURN_IF_ERROR(ReadResult(*result, &reply.result));
  }
  return reply;
}

Result<ResultMessage> ReadChunkReply(std::string_view body) {
  ASSIGN_OR_RETURN(const Json json, ParseObject(body));
  ResultMessage result;
  RETURN_IF_ERROR(ReadResult(json, &result));
  return result;
}

}  // namespace dbx::sea
