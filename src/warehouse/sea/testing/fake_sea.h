// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "http/http_client.h"
#include "http/testing/fake_http_client.h"

namespace dbx::sea {

/// The Statement Execution API and its storage in this process, scripted by the test. Requests are
/// known by short names:
///   "open", "delete session"        sessions
///   "execute", "get", "cancel", "close"      statements, whatever their id
///   "chunk 3"                       links or rows of a chunk
///   "file /path"                    storage, on any other host than the workspace's
/// Calls without a script get what is usual: a session "session-1", `{}` for ends; anything else
/// throws. All methods from any thread.
class FakeSea {
 public:
  using Answer = Result<HttpResponse>;
  using Handler = std::function<Answer(const HttpRequest&)>;

  FakeSea();

  HttpClient* http() { return &http_; }

  /// Runs on the thread of the call and may block there.
  void Handle(std::string name, Handler handler) EXCLUDES(mutex_);
  /// The n-th call gets the n-th answer; the last one stays.
  void InOrder(const std::string& name, std::vector<Answer> answers);
  /// Status 200 with these bodies, in order.
  void Reply(const std::string& name, const std::vector<std::string>& bodies);

  /// Names of the calls, in order.
  std::vector<std::string> calls() const EXCLUDES(mutex_);
  int num_calls(std::string_view name) const;
  bool WaitForCalls(std::string_view name, int count) const EXCLUDES(mutex_);
  /// The requests of that name, in order.
  std::vector<HttpRequest> Requests(std::string_view name) const;

  static std::string NameOf(const HttpRequest& request);

 private:
  Answer Serve(const HttpRequest& request) EXCLUDES(mutex_);

  FakeHttpClient http_;
  mutable Mutex mutex_;
  mutable Condition changed_;
  std::map<std::string, Handler, std::less<>> handlers_ GUARDED_BY(mutex_);
  std::vector<std::string> calls_ GUARDED_BY(mutex_);
};

inline constexpr char kWorkspaceHost[] = "workspace.example";

/// An answer with a JSON body.
FakeSea::Answer Json(int status, std::string body,
                     std::vector<std::pair<std::string, std::string>> headers = {});

std::string EncodeBase64(std::string_view bytes);

/// `{"statement_id":"s1","status":{"state":…}}` with more members behind.
std::string InState(std::string_view state, std::string_view members = {});
/// The same of a failed statement.
std::string Failed(std::string_view error_json, std::string_view members = {});

struct ManifestText {
  std::string columns;              ///< JSON list; empty: those of RowSchema()
  std::vector<int64_t> chunk_rows;  ///< of each chunk
  bool lz4 = false;
  bool truncated = false;
  bool list_chunks = true;
  bool total_chunks = true;
  bool total_rows = true;
  int64_t bytes_of_chunk = 1 << 20;  ///< above what is fetched whole
  std::string format = "ARROW_STREAM";
};
/// `"manifest":{…}`.
std::string Manifest(const ManifestText& text);
/// One column's description.
std::string Column(std::string_view name, std::string_view type_text, int position);

/// A link to `num_rows` rows from `first_row` on, at https://storage.example/<mark>/<chunk>.
std::string Link(int64_t chunk, int64_t first_row, int64_t num_rows, std::string_view more = {},
                 std::string_view mark = "a");
/// `"result":{"external_links":[…]}`, and the body of a chunk's reply.
std::string Links(const std::vector<std::string>& links, std::string_view more = {});
std::string ChunkOfLinks(const std::vector<std::string>& links, std::string_view more = {});
/// `"result":{"attachment":…}` of these bytes.
std::string Attachment(std::string_view bytes, std::string_view more = {});

}  // namespace dbx::sea
