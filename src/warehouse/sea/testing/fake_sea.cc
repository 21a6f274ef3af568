// SPDX-License-Identifier: Apache-2.0
#include "warehouse/sea/testing/fake_sea.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>

#include "base/clock.h"
#include "base/str_cat.h"

namespace dbx::sea {
namespace {

constexpr std::string_view kApi = "/api/2.0/sql/";

std::string Joined(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += StrCat(text.empty() ? "" : ",", item);
  return text;
}

std::string StatementCall(HttpMethod method, std::string_view path) {
  const size_t chunks = path.find("/result/chunks/");
  if (chunks != std::string_view::npos) {
    const std::string_view index = path.substr(chunks + 15);
    return StrCat("chunk ", index.substr(0, index.find('?')));
  }
  if (path.ends_with("/cancel")) return "cancel";
  switch (method) {
    case HttpMethod::kPost:
      return "execute";
    case HttpMethod::kDelete:
      return "close";
    default:
      return "get";
  }
}

}  // namespace

FakeSea::FakeSea() : http_([this](const HttpRequest& request) { return Serve(request); }) {
  Reply("open", {R"({"session_id":"session-1"})"});
  for (const char* const end : {"delete session", "cancel", "close"}) Reply(end, {"{}"});
}

std::string FakeSea::NameOf(const HttpRequest& request) {
  const std::string& url = request.url.Reveal();
  const size_t path_start = url.find('/', url.find("://") + 3);
  const std::string_view path = std::string_view(url).substr(path_start);
  if (request.url.Host() != kWorkspaceHost) {
    return StrCat("file ", path.substr(0, path.find('?')));
  }
  if (path.starts_with(StrCat(kApi, "sessions"))) {
    return request.method == HttpMethod::kPost ? "open" : "delete session";
  }
  if (path.starts_with(StrCat(kApi, "statements"))) return StatementCall(request.method, path);
  return StrCat("other ", path);
}

void FakeSea::Handle(std::string name, Handler handler) {
  MutexLock lock(mutex_);
  handlers_[std::move(name)] = std::move(handler);
}

void FakeSea::InOrder(const std::string& name, std::vector<Answer> answers) {
  auto next = std::make_shared<size_t>(0);
  Handle(name, [answers = std::move(answers), next](const HttpRequest&) {
    const size_t index = std::min(*next, answers.size() - 1);
    ++*next;
    return answers[index];
  });
}

void FakeSea::Reply(const std::string& name, const std::vector<std::string>& bodies) {
  std::vector<Answer> answers;
  for (const std::string& body : bodies) answers.push_back(Json(200, body));
  InOrder(name, std::move(answers));
}

std::vector<std::string> FakeSea::calls() const {
  MutexLock lock(mutex_);
  return calls_;
}

int FakeSea::num_calls(std::string_view name) const {
  const std::vector<std::string> names = calls();
  return static_cast<int>(std::count(names.begin(), names.end(), name));
}

bool FakeSea::WaitForCalls(std::string_view name, int count) const {
  const SteadyTime deadline = Clock::Real().Now() + std::chrono::seconds(30);
  MutexLock lock(mutex_);
  while (std::count(calls_.begin(), calls_.end(), name) < count) {
    if (!changed_.WaitUntil(mutex_, deadline)) return false;
  }
  return true;
}

std::vector<HttpRequest> FakeSea::Requests(std::string_view name) const {
  std::vector<HttpRequest> requests;
  for (HttpRequest& sent : http_.requests()) {
    if (NameOf(sent) == name) requests.push_back(std::move(sent));
  }
  return requests;
}

FakeSea::Answer FakeSea::Serve(const HttpRequest& request) {
  const std::string name = NameOf(request);
  Handler handler;
  {
    MutexLock lock(mutex_);
    calls_.push_back(name);
    changed_.NotifyAll();
    if (const auto found = handlers_.find(name); found != handlers_.end()) handler = found->second;
  }
  if (!handler) throw std::runtime_error("the test has no answer to " + name);
  return handler(request);
}

FakeSea::Answer Json(int status, std::string body,
                     std::vector<std::pair<std::string, std::string>> headers) {
  headers.emplace_back("content-type", "application/json");
  return FakeHttpClient::Response(status, std::move(body), std::move(headers));
}

std::string EncodeBase64(std::string_view bytes) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t bits = 0;
    for (size_t j = 0; j < 3; ++j) {
      bits = (bits << 8) | (i + j < bytes.size() ? static_cast<uint8_t>(bytes[i + j]) : 0U);
    }
    for (size_t j = 0; j < 4; ++j) {
      const bool padding = i + j > bytes.size();
      text.push_back(padding ? '=' : kAlphabet[(bits >> (18 - 6 * j)) & 63]);
    }
  }
  return text;
}

std::string InState(std::string_view state, std::string_view members) {
  return StrCat(R"({"statement_id":"s1","status":{"state":")", state, R"("})",
                members.empty() ? "" : ",", members, "}");
}

std::string Failed(std::string_view error_json, std::string_view members) {
  return StrCat(R"({"statement_id":"s1","status":{"state":"FAILED","error":)", error_json,
                members.empty() ? "" : ",", members, "}}");
}

std::string Column(std::string_view name, std::string_view type_text, int position) {
  return StrCat(R"({"name":")", name, R"(","type_text":")", type_text, R"(","position":)", position,
                "}");
}

std::string Manifest(const ManifestText& text) {
  const std::string columns =
      !text.columns.empty()
          ? text.columns
          : StrCat("[", Column("row", "BIGINT", 0), ",", Column("text", "STRING", 1), ",",
                   Column("amount", "DECIMAL(18,2)", 2), "]");
  std::vector<std::string> chunks;
  int64_t rows = 0;
  for (const int64_t num_rows : text.chunk_rows) {
    chunks.push_back(StrCat(R"({"chunk_index":)", chunks.size(), R"(,"row_offset":)", rows,
                            R"(,"row_count":)", num_rows, R"(,"byte_count":)", text.bytes_of_chunk,
                            "}"));
    rows += num_rows;
  }
  std::string manifest =
      StrCat(R"("manifest":{"format":")", text.format, R"(","schema":{"columns":)", columns, "}");
  if (text.total_chunks) manifest += StrCat(R"(,"total_chunk_count":)", chunks.size());
  if (text.list_chunks && !chunks.empty())
    manifest += StrCat(R"(,"chunks":[)", Joined(chunks), "]");
  if (text.total_rows) manifest += StrCat(R"(,"total_row_count":)", rows);
  const auto num_chunks = static_cast<int64_t>(chunks.size());
  manifest += StrCat(R"(,"total_byte_count":)", text.bytes_of_chunk * num_chunks);
  if (text.lz4) manifest += R"(,"result_compression":"LZ4_FRAME")";
  return StrCat(manifest, R"(,"truncated":)", text.truncated, "}");
}

std::string Link(int64_t chunk, int64_t first_row, int64_t num_rows, std::string_view more,
                 std::string_view mark) {
  return StrCat(R"({"chunk_index":)", chunk, R"(,"row_offset":)", first_row, R"(,"row_count":)",
                num_rows, R"(,"byte_count":77,"external_link":"https://storage.example/)", mark,
                "/", chunk, R"(?X-Amz-Signature=SECRET","expiration":"2099-01-01T00:00:00.500Z")",
                more.empty() ? "" : ",", more, "}");
}

std::string ChunkOfLinks(const std::vector<std::string>& links, std::string_view more) {
  return StrCat(R"({"external_links":[)", Joined(links), "]", more.empty() ? "" : ",", more, "}");
}

std::string Links(const std::vector<std::string>& links, std::string_view more) {
  return StrCat(R"("result":)", ChunkOfLinks(links, more));
}

std::string Attachment(std::string_view bytes, std::string_view more) {
  return StrCat(R"("result":{"chunk_index":0,"row_offset":0,"attachment":")", EncodeBase64(bytes),
                "\"", more.empty() ? "" : ",", more, "}");
}

}  // namespace dbx::sea
