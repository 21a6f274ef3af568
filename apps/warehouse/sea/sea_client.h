// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "result/arrow_reading.h"
#include "result/fake_engine.h"
#include "result/fake_parts.h"
#include "sea/sea_service.h"

namespace dbx::local {

/// What came back for one request.
struct SeaAnswer {
  int status = 0;
  nlohmann::ordered_json json;
  HttpReply reply;

  std::string state() const { return json["status"]["state"]; }
  std::string id() const { return json["statement_id"]; }
  /// "BAD_REQUEST 42601".
  std::string error() const;
};

/// The service with fakes around it and one client at its door. Status requests are not held.
class SeaFixture {
 public:
  using Json = nlohmann::ordered_json;

  explicit SeaFixture(SeaOptions options = {});

  FakeEngine engine;
  FakeSpool spool;
  FakeSigner signer;
  FakeFaults faults;
  FakeClock clock;
  std::unique_ptr<SeaService> service;

  SeaAnswer Send(const std::string& method, const std::string& target, const std::string& body);
  SeaAnswer Ask(const std::string& method, const std::string& target) {
    return Send(method, target, "");
  }
  SeaAnswer Ask(const std::string& method, const std::string& target, const Json& body) {
    return Send(method, target, body.dump());
  }
  /// Opens a session and remembers it.
  std::string Open(const Json& more = Json::object());
  /// In the session if one is open. `more` holds further fields of the request.
  SeaAnswer Execute(const std::string& sql, const Json& more = Json::object());
  SeaAnswer Get(const std::string& id) { return Ask("GET", Path(id)); }
  SeaAnswer Chunk(const std::string& id, size_t index);

  static std::string Path(const std::string& id) { return "/api/2.0/sql/statements/" + id; }
  static Json Arrow(const std::string& disposition, bool lz4 = false);
  /// The stored bytes that a link stands for.
  std::string File(const Json& link) const;

  std::string session;
};

/// The bytes of an attachment.
std::string DecodeBase64(const std::string& text);

}  // namespace dbx::local
