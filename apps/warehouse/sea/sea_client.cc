// SPDX-License-Identifier: Apache-2.0
#include "sea/sea_client.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <algorithm>
#include <utility>

#include "base/str_cat.h"

namespace dbx::local {

std::string SeaAnswer::error() const {
  const auto& told = json["status"];
  return StrCat(told["error"]["error_code"].get<std::string>(), " ",
                told.value("sql_state", std::string("-")));
}

SeaFixture::SeaFixture(SeaOptions options) {
  options.clock = &clock;
  options.statement_threads = 4;
  if (options.storage_port == 0) options.storage_port = 9000;
  if (options.long_poll == SeaOptions().long_poll) options.long_poll = std::chrono::milliseconds(0);
  service = SeaService::Make(&engine, &spool, &signer, &faults, std::move(options));
}

SeaAnswer SeaFixture::Send(const std::string& method, const std::string& target,
                           const std::string& body) {
  const size_t question = target.find('?');
  HttpRequest request{.method = method, .path = target.substr(0, question)};
  if (question != std::string::npos) request.query = target.substr(question + 1);
  request.body = body;
  request.scheme = "http";
  request.host = "127.0.0.1:8443";
  SeaAnswer answer;
  answer.reply = service->Handle(request);
  answer.status = answer.reply.status;
  answer.json = Json::parse(answer.reply.body, nullptr, /*allow_exceptions=*/false);
  return answer;
}

std::string SeaFixture::Open(const Json& more) {
  Json body = {{"warehouse_id", "w1"}};
  body.update(more);
  session = Ask("POST", "/api/2.0/sql/sessions", body).json["session_id"];
  return session;
}

SeaAnswer SeaFixture::Execute(const std::string& sql, const Json& more) {
  Json body = {{"statement", sql}, {"warehouse_id", "w1"}};
  if (!session.empty()) body["session_id"] = session;
  body.update(more);
  return Ask("POST", "/api/2.0/sql/statements", body);
}

SeaAnswer SeaFixture::Chunk(const std::string& id, size_t index) {
  return Ask("GET", StrCat(Path(id), "/result/chunks/", index));
}

SeaFixture::Json SeaFixture::Arrow(const std::string& disposition, bool lz4) {
  Json form = {{"disposition", disposition}, {"format", "ARROW_STREAM"}};
  if (lz4) form["result_compression"] = "LZ4_FRAME";
  return form;
}

std::string SeaFixture::File(const Json& link) const {
  return spool.Bytes(ObjectOf(link["external_link"]));
}

std::string DecodeBase64(const std::string& text) {
  std::string bytes(text.size() / 4 * 3, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()),
                                   static_cast<int>(text.size()));
  EXPECT_GE(size, 0);
  bytes.resize(static_cast<size_t>(size) -
               static_cast<size_t>(std::count(text.begin(), text.end(), '=')));
  return bytes;
}

}  // namespace dbx::local
