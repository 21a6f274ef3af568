// SPDX-License-Identifier: Apache-2.0
#include "sea/reply_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/str_cat.h"
#include "net/http_text.h"
#include "sea/cell_text.h"

namespace dbx::local {
namespace {

using Json = nlohmann::ordered_json;

std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string_view TypeName(SqlTypeId id) {
  switch (id) {
    case SqlTypeId::kVoid:
      return "NULL";
    case SqlTypeId::kBoolean:
      return "BOOLEAN";
    case SqlTypeId::kTinyint:
      return "BYTE";
    case SqlTypeId::kSmallint:
      return "SHORT";
    case SqlTypeId::kInt:
      return "INT";
    case SqlTypeId::kBigint:
      return "LONG";
    case SqlTypeId::kFloat:
      return "FLOAT";
    case SqlTypeId::kDouble:
      return "DOUBLE";
    case SqlTypeId::kDecimal:
      return "DECIMAL";
    case SqlTypeId::kBinary:
      return "BINARY";
    case SqlTypeId::kDate:
      return "DATE";
    case SqlTypeId::kTimestamp:
      return "TIMESTAMP";
    case SqlTypeId::kTimestampNtz:
      return "TIMESTAMP_NTZ";
    case SqlTypeId::kIntervalYearMonth:
    case SqlTypeId::kIntervalDayTime:
      return "INTERVAL";
    case SqlTypeId::kArray:
      return "ARRAY";
    case SqlTypeId::kMap:
      return "MAP";
    case SqlTypeId::kStruct:
      return "STRUCT";
    case SqlTypeId::kVariant:
      return "VARIANT";
    case SqlTypeId::kString:
    case SqlTypeId::kVarchar:
    case SqlTypeId::kChar:
      break;
  }
  return "STRING";
}

/// As the manifest spells a type: lengths of texts are lost, and a blank follows every comma and
/// colon within a complex one.
std::string TypeText(const SqlType& type) {
  switch (type.id) {
    case SqlTypeId::kVarchar:
    case SqlTypeId::kChar:
      return "STRING";
    case SqlTypeId::kArray:
      return StrCat("ARRAY<", TypeText(type.children[0]), ">");
    case SqlTypeId::kMap:
      return StrCat("MAP<", TypeText(type.children[0]), ", ", TypeText(type.children[1]), ">");
    case SqlTypeId::kStruct: {
      std::string text = "STRUCT<";
      for (size_t i = 0; i < type.children.size(); ++i) {
        text += StrCat(i == 0 ? "" : ", ", type.field_names[i], ": ", TypeText(type.children[i]));
      }
      return text + ">";
    }
    default:
      return type.Text();
  }
}

std::string IntervalKind(const SqlType& type) {
  std::string kind = type.Text();
  constexpr std::string_view kPrefix = "INTERVAL ";
  if (kind.starts_with(kPrefix)) kind.erase(0, kPrefix.size());
  return kind;
}

Json ColumnOf(const ResultColumn& column, size_t position) {
  Json json = {{"name", column.name},
               {"type_text", TypeText(column.type)},
               {"type_name", TypeName(column.type.id)},
               {"position", position}};
  if (column.type.id == SqlTypeId::kDecimal) {
    json["type_precision"] = column.type.precision;
    json["type_scale"] = column.type.scale;
  }
  if (TypeName(column.type.id) == "INTERVAL")
    json["type_interval_type"] = IntervalKind(column.type);
  return json;
}

Json SchemaOf(const ResultHeader& header) {
  Json schema = {{"column_count", header.columns.size()}};
  for (size_t i = 0; i < header.columns.size(); ++i)
    schema["columns"].push_back(ColumnOf(header.columns[i], i));
  return schema;
}

/// Rows within a JSON reply have no size of their own.
bool HasByteCounts(const SeaStatement& statement, const StoredResult& result) {
  return statement.format() != RowFormat::kJsonArray ||
         result.header().shape == ResultShape::kFiles;
}

std::string ManifestText(const SeaStatement& statement, const StoredResult& result) {
  const bool sized = HasByteCounts(statement, result);
  const StoredResult::Totals totals = result.totals();
  Json manifest = {{"format", ToText(statement.format())},
                   {"schema", SchemaOf(result.header())},
                   {"total_chunk_count", totals.num_pieces}};
  result.Visit(0, [&, index = size_t{0}](const ResultPiece& piece) mutable {
    Json chunk = {
        {"chunk_index", index++}, {"row_offset", piece.row_offset}, {"row_count", piece.num_rows}};
    if (sized) chunk["byte_count"] = piece.raw_bytes;
    manifest["chunks"].push_back(std::move(chunk));
    return true;
  });
  manifest["total_row_count"] = totals.num_rows;
  if (sized) manifest["total_byte_count"] = totals.raw_bytes;
  manifest["truncated"] = totals.cut;
  if (result.header().lz4) manifest["result_compression"] = "LZ4_FRAME";
  return Dump(manifest);
}

std::string ChunkPath(const SeaStatement& statement, size_t chunk_index) {
  return StrCat("/api/2.0/sql/statements/", statement.id(), "/result/chunks/", chunk_index);
}

void AddNextChunk(const SeaStatement& statement, const StoredResult& result, size_t chunk_index,
                  Json* json) {
  if (chunk_index + 1 >= result.totals().num_pieces) return;
  (*json)["next_chunk_index"] = chunk_index + 1;
  (*json)["next_chunk_internal_link"] = ChunkPath(statement, chunk_index + 1);
}

/// RFC 3339 with milliseconds.
std::string ExpirationText(WallTime time) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(time);
  const auto rest = std::chrono::floor<std::chrono::milliseconds>(time - whole).count();
  std::string text = IsoTime(whole);
  const std::string digits = StrCat(1000 + rest);
  text.replace(text.size() - 1, 1, StrCat(".", digits.substr(1), "Z"));
  return text;
}

/// Copies of the pieces [first, first + count): without their bytes, which files have not.
std::vector<ResultPiece> PiecesOf(const StoredResult& result, size_t first, size_t count) {
  std::vector<ResultPiece> pieces;
  result.Visit(first, [&](const ResultPiece& piece) {
    if (pieces.size() == count) return false;
    pieces.push_back(piece);
    return true;
  });
  return pieces;
}

std::string LinksText(SeaStatement* statement, const StoredResult& result, size_t first,
                      size_t max_links, const LinkTerms& terms, int64_t* links_given) {
  const bool raw_sizes = statement->fault().more.contains("raw_byte_count");
  Json links = Json::array();
  for (const ResultPiece& piece : PiecesOf(result, first, max_links)) {
    const size_t index = first + links.size();
    Json link = {{"chunk_index", index},
                 {"row_offset", piece.row_offset},
                 {"row_count", piece.num_rows},
                 {"byte_count", raw_sizes ? piece.raw_bytes : piece.stored_bytes}};
    AddNextChunk(*statement, result, index, &link);
    // Born expired by a fault: only when handed out for the first time, so that a refresh mends it.
    const bool is_first = statement->NoteLinkGiven(index);
    const bool expired = terms.born_expired || (is_first && statement->fault().expire_link);
    const std::chrono::seconds lifetime = expired ? std::chrono::seconds(0) : terms.lifetime;
    link["external_link"] = terms.signer->Sign(terms.base, piece.object_name, lifetime);
    link["expiration"] = ExpirationText(terms.now + lifetime);
    links.push_back(std::move(link));
  }
  *links_given += static_cast<int64_t>(links.size());
  return StrCat("{\"external_links\":", Dump(links), "}");
}

/// Rows in the reply itself. They are written behind the other fields, past the JSON library: there
/// may be megabytes of them.
std::string InlineText(const SeaStatement& statement, const StoredResult& result,
                       size_t chunk_index) {
  const std::vector<ResultPiece> pieces = PiecesOf(result, chunk_index, 1);
  const ResultPiece& piece = pieces.front();
  Json json = {{"chunk_index", chunk_index},
               {"row_offset", piece.row_offset},
               {"row_count", piece.num_rows}};
  const bool arrow = statement.format() == RowFormat::kArrowStream;
  if (arrow) json["byte_count"] = piece.stored_bytes;
  AddNextChunk(statement, result, chunk_index, &json);
  std::string text = Dump(json);
  text.pop_back();
  if (arrow) {
    text.append(",\"attachment\":\"");
    AppendBase64(piece.bytes, &text);
    text.append("\"}");
  } else {
    text.append(",\"data_array\":").append(piece.bytes).append("}");
  }
  return text;
}

std::string_view ErrorCodeOf(const Status& error) {
  switch (error.code()) {
    case StatusCode::kTimeout:
      return "DEADLINE_EXCEEDED";
    case StatusCode::kCancelled:
      return "CANCELLED";
    case StatusCode::kInternal:
      return "INTERNAL_ERROR";
    case StatusCode::kIo:
      return "IO_ERROR";
    default:
      return "BAD_REQUEST";
  }
}

/// With a line's end before it, and one behind it where the statement is shown.
std::string MessageOf(const Status& error) {
  std::string message = error.message();
  if (!message.starts_with("[")) {
    const std::string& name = error.error_class();
    message = StrCat("[", name.empty() ? "INTERNAL_ERROR" : name, "] ", message);
  }
  if (message.find("SQLSTATE: ") == std::string::npos && !error.sqlstate().empty())
    message += StrCat(" SQLSTATE: ", error.sqlstate());
  const bool ends = message.ends_with("\n") || message.find("== SQL ==") == std::string::npos;
  return StrCat("\n", message, ends ? "" : "\n");
}

std::string StatementStart(const SeaStatement& statement, const Json& status) {
  return StrCat("{\"statement_id\":\"", statement.id(), "\",\"status\":", Dump(status));
}

}  // namespace

HttpReply JsonReply(std::string body) {
  return {
      .status = 200, .headers = {{"Content-Type", "application/json"}}, .body = std::move(body)};
}

HttpReply RefusedReply(int http_status, std::string_view error_code, std::string_view message) {
  std::string phrase(message);  // it may quote the request, and a header has one line
  std::replace_if(
      phrase.begin(), phrase.end(), [](unsigned char c) { return c < 0x20 || c > 0x7E; }, ' ');
  return {.status = http_status,
          .headers = {{"Content-Type", "application/json"},
                      {"x-databricks-reason-phrase", std::move(phrase)}},
          .body = Dump(Json{{"error_code", error_code}, {"message", message}})};
}

std::string StatusText(const SeaStatement& statement, StatementState state, const Status& error) {
  Json status = {{"state", ToText(state)}};
  if (state == StatementState::kFailed) {
    status["error"] = {{"error_code", ErrorCodeOf(error)}, {"message", MessageOf(error)}};
    if (!error.sqlstate().empty()) status["sql_state"] = error.sqlstate();
  }
  return StatementStart(statement, status) + "}";
}

std::string ScriptedStatusText(const SeaStatement& statement, std::string_view state) {
  return StatementStart(statement, {{"state", state}}) + "}";
}

std::string ResultText(SeaStatement* statement, const StoredResult& result, const LinkTerms& terms,
                       int64_t* links_given) {
  const bool hybrid = statement->disposition() == Disposition::kHybrid;
  std::string rows = "{}";
  if (result.totals().num_pieces > 0) {
    rows = result.header().shape == ResultShape::kFiles
               ? LinksText(statement, result, 0,
                           hybrid ? static_cast<size_t>(std::max(terms.max_links, 1)) : 1, terms,
                           links_given)
               : InlineText(*statement, result, 0);
  }
  std::string text = StatementStart(*statement, {{"state", ToText(StatementState::kSucceeded)}});
  text.append(",\"manifest\":").append(ManifestText(*statement, result));
  return text.append(",\"result\":").append(rows).append("}");
}

std::string ChunkText(SeaStatement* statement, const StoredResult& result, size_t chunk_index,
                      const LinkTerms& terms, int64_t* links_given) {
  if (result.header().shape != ResultShape::kFiles)
    return InlineText(*statement, result, chunk_index);
  return LinksText(statement, result, chunk_index,
                   static_cast<size_t>(std::max(terms.max_links, 1)), terms, links_given);
}

}  // namespace dbx::local
