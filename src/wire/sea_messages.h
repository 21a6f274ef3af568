// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/secret.h"

/// The messages of the Statement Execution API (SEA) as structs. The words are the wire's; they go
/// no further than warehouse/sea.
namespace dbx::sea {

enum class Disposition : uint8_t { kInline, kExternalLinks, kInlineOrExternalLinks };
enum class Format : uint8_t { kJsonArray, kArrowStream };

struct OpenRequest {
  std::string warehouse_id = {};
  std::string catalog = {};  ///< empty: not sent
  std::string schema = {};
  std::map<std::string, std::string> session_confs = {};
};

struct ParameterMessage {
  std::string name = {};  ///< of `:name`; empty: `ordinal` counts
  int32_t ordinal = 0;    ///< 1-based, of `?`
  std::string type = {};
  std::optional<std::string> value = {};  ///< nullopt: NULL
};

struct ExecuteRequest {
  std::string statement = {};
  std::string warehouse_id = {};
  std::string session_id = {};
  Disposition disposition = Disposition::kInlineOrExternalLinks;
  Format format = Format::kArrowStream;
  bool lz4 = false;
  std::string wait_timeout = {};  ///< "0s", "5s" to "50s"; empty: not sent, the server decides
  std::vector<ParameterMessage> parameters = {};
  std::map<std::string, std::string> query_tags = {};  ///< empty value: tag without value
};

enum class State : uint8_t { kPending, kRunning, kSucceeded, kFailed, kCanceled, kClosed, kOther };

/// What went wrong with a statement; all parts may be empty.
struct ErrorMessage {
  std::string error_code = {};  ///< also of numbers
  std::string message = {};
  std::string sql_state = {};
};

struct ColumnMessage {
  std::string name = {};
  std::string type_text = {};  ///< "DECIMAL(18,2)", "ARRAY<INT>"
  std::string type_name = {};  ///< "DECIMAL", "ARRAY"
  std::optional<int64_t> position = {};
  std::optional<int64_t> precision = {};
  std::optional<int64_t> scale = {};
};

struct ChunkMessage {
  int64_t chunk_index = 0;
  int64_t row_offset = 0;
  int64_t row_count = 0;
  int64_t byte_count = 0;  ///< decoded; 0: not stated
};

struct ManifestMessage {
  std::string format = {};
  std::vector<ColumnMessage> columns = {};  ///< as listed; empty for statements without a result
  std::vector<ChunkMessage> chunks = {};
  std::optional<int64_t> total_chunk_count = {};
  std::optional<int64_t> total_row_count = {};
  std::optional<int64_t> total_byte_count = {};
  std::string result_compression = {};  ///< empty: none
  bool truncated = false;
  bool is_volume_operation = false;
};

/// Where the chunks after this reply are; neither: there are none.
struct NextChunk {
  std::optional<int64_t> chunk_index = {};
  std::string internal_link = {};  ///< path, perhaps with host and query

  bool is_known() const { return chunk_index.has_value() || !internal_link.empty(); }
};

struct LinkMessage {
  int64_t chunk_index = 0;
  std::optional<int64_t> row_offset = {};
  std::optional<int64_t> row_count = {};
  int64_t byte_count = 0;  ///< of the file or decoded: servers differ
  SecretUrl external_link = {};
  std::string expiration = {};  ///< RFC 3339
  std::vector<std::pair<std::string, Secret>> http_headers = {};
  NextChunk next = {};
};

using JsonRow = std::vector<std::optional<std::string>>;

/// A piece of a result: links, or rows as text, or bytes of an Arrow stream, or nothing.
struct ResultMessage {
  std::optional<int64_t> chunk_index = {};
  std::optional<int64_t> row_offset = {};
  std::optional<int64_t> row_count = {};
  NextChunk next = {};
  std::vector<LinkMessage> external_links = {};
  std::vector<JsonRow> data_array = {};
  std::string attachment = {};  ///< decoded from base64, perhaps in LZ4 frames; empty: none

  bool has_rows() const { return !data_array.empty() || !attachment.empty(); }
};

struct StatementReply {
  std::string statement_id = {};
  State state = State::kOther;
  std::string state_text = {};
  ErrorMessage error = {};
  std::optional<ManifestMessage> manifest = {};
  ResultMessage result = {};
};

}  // namespace dbx::sea
