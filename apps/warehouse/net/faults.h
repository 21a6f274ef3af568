// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "net/http_server.h"

namespace dbx::local {

/// Where a rule is asked for.
enum class FaultPoint : uint8_t {
  kHttp,     ///< any request to the control listener: before the handler
  kThrift,   ///< a Thrift call, by method name
  kSea,      ///< a call of the Statement Execution API, by its name
  kStorage,  ///< a GET of a result file, by chunk
  kResult,   ///< when a statement's result is laid out (extra rows, duplicate frame, …)
};

/// What is happening, for a rule to match.
struct FaultContext {
  FaultPoint point = FaultPoint::kHttp;
  std::string_view http_method = {};
  std::string_view path = {};
  std::string_view thrift_method = {};  ///< or the name of a call of the Statement Execution API
  std::string_view sql = {};
  std::optional<int64_t> chunk_index = {};
};

/// What a rule does. A field that the point has no use for is ignored.
struct FaultAction {
  std::optional<int> status = {};  ///< answer this HTTP status instead
  HeaderList headers =
      {};  ///< and these headers ("Retry-After: 1", "x-thriftserver-error-message: …")
  std::string body = {};
  ReplyFault reply = {};  ///< delay, reset, truncate, stall, wrong length, corrupt byte, rate
  bool expire_link =
      false;  ///< storage answers as for an expired link; result: links are born expired
  bool forget_session = false;  ///< the session (and its statements) are gone from now on
  bool forget_operation = false;
  int64_t extra_rows = 0;        ///< each file holds that many rows more than its link says
  bool duplicate_frame = false;  ///< the last LZ4 frame of a file is there twice
  bool split_frames = false;     ///< one LZ4 frame a message instead of one a file
  bool checksums = false;        ///< LZ4 block and content checksums
  bool content_size = false;     ///< LZ4 frames state their content size
  bool no_arrow_schema = false;  ///< metadata lacks arrowSchema
  std::vector<std::string> states =
      {};  ///< the first status answers are these in turn: PENDING, RUNNING, ERROR, …
  std::map<std::string, std::string> more = {};  ///< anything else, by name
};

/// The script of what goes wrong. Deterministic: the same requests in the same order meet the same
/// faults; random choices ("at a random byte") come from the script's seed. Thread-safe.
class FaultScript {
 public:
  virtual ~FaultScript() = default;
  static std::unique_ptr<FaultScript> Make();

  /// Replaces all rules. JSON, or TOML of the same shape when `text` does not begin with '{':
  ///
  ///     {"seed": 7, "rules": [{"match": {"point": "storage", "chunk": 3, "nth": 1}, "action":
  ///     {"status": 503}}]}
  ///
  /// match: `point` ("http", "thrift", "sea", "storage", "result"; needed), `http_method`, `path`,
  /// `sql` (parts of the text), `method` (of Thrift or SEA), `chunk`; `nth` (from the n-th match
  /// on), `times` (so often at most; 1 when `nth` is given, else without end), `attempt` (the n-th
  /// time that this same chunk, method or path is asked for), `probability`. action: the fields of
  /// FaultAction and ReplyFault by their names; a whole number may be {"random": [low, high]}.
  /// Unknown keys are refused by name, and the rules that were there stay.
  virtual Status Load(std::string_view text) = 0;
  virtual void Clear() = 0;

  /// The first rule that matches and is not used up, with its random choices made; counts it as
  /// used.
  virtual std::optional<FaultAction> Next(const FaultContext& context) = 0;
  /// True when no rules are loaded: then nothing is locked or compared.
  virtual bool empty() const = 0;
  /// JSON: the rules as they were loaded, each with `matched` and `used` counts.
  virtual std::string Describe() const = 0;
};

}  // namespace dbx::local
