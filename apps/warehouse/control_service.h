// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "net/faults.h"
#include "net/http_server.h"
#include "net/request_log.h"
#include "net/spool.h"
#include "sea/sea_service.h"
#include "thrift/thrift_service.h"

namespace dbx::local {

struct ControlOptions {
  std::vector<std::string> tokens;  ///< any of them opens the door
  uint16_t storage_port = 0;
  /// True on an address that other machines reach: then `/__warehouse__/…` wants a token too.
  bool guard_observation = false;
};

/// What the control service needs and does not own. All outlive it.
struct ControlParts {
  ThriftService* thrift = nullptr;  ///< null: statements are answered with 503
  SeaService* sea = nullptr;        ///< likewise
  FaultScript& faults;
  RequestLog& log;
  const Spool& spool;
  std::function<ServerCounters()> server_counters;
};

/// Answers what is asked of the warehouse's own port: both protocols behind a bearer check, what
/// official clients ask when they connect, and `/__warehouse__/…` for tests. Thread-safe; blocks
/// where Thrift does.
class ControlService {
 public:
  ControlService(ControlParts parts, ControlOptions options)
      : parts_(std::move(parts)), options_(std::move(options)) {}

  HttpReply Handle(const HttpRequest& request) const;

 private:
  HttpReply Answer(const HttpRequest& request) const;
  HttpReply AnswerApi(const HttpRequest& request) const;
  HttpReply AnswerObservation(const HttpRequest& request) const;
  HttpReply AnswerFaults(const HttpRequest& request) const;
  HttpReply CallThrift(const HttpRequest& request) const;
  HttpReply CallSea(const HttpRequest& request) const;
  HttpReply Unauthenticated(const HttpRequest& request) const;
  HttpReply Welcome() const;
  std::string Stats() const;
  bool HasToken(const HttpRequest& request) const;

  const ControlParts parts_;
  const ControlOptions options_;
};

/// True for the paths at which the service takes Thrift calls: `/sql/1.0/warehouses/<id>`,
/// `/sql/1.0/endpoints/<id>` and
/// `/sql/protocolv1/o/<org>/<cluster>`, each with or without a slash behind.
bool IsThriftPath(std::string_view path);

/// The method's name in a Thrift call, or "unknown". Believes nothing of the bytes.
std::string_view ThriftMethodOf(std::string_view call);

}  // namespace dbx::local
