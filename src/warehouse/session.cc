// SPDX-License-Identifier: Apache-2.0
#include "warehouse/session.h"

#include <utility>

#include "base/log.h"
#include "warehouse/protocol_memory.h"
#include "warehouse/sea/sea_session.h"
#include "warehouse/thrift/thrift_session.h"

namespace dbx {
namespace {

using OpenedSession = Result<std::unique_ptr<Session>>;

constexpr std::string_view kThriftRefused = "KP001";

/// The host's word that it has no such API, or has it elsewhere. One that is busy (429, 503) may
/// have it.
bool SpeaksNoSea(const Status& failure) {
  switch (failure.http_status()) {
    case 307:
    case 404:
    case 405:
    case 501:
      return true;
    default:
      return false;
  }
}

OpenedSession Open(Protocol protocol, const SessionContext& context, Cancellation* cancellation) {
  return protocol == Protocol::kSea ? sea::OpenSeaSession(context, cancellation)
                                    : thrift::OpenThriftSession(context, cancellation);
}

/// With `first`, or with the other protocol where the service says that it does not speak that one.
OpenedSession OpenEither(Protocol first, const SessionContext& context,
                         Cancellation* cancellation) {
  OpenedSession session = Open(first, context, cancellation);
  const bool other_wanted = first == Protocol::kSea ? SpeaksNoSea(session.status())
                                                    : session.status().sqlstate() == kThriftRefused;
  if (session.ok() || !other_wanted) return session;
  const Protocol second = first == Protocol::kSea ? Protocol::kThrift : Protocol::kSea;
  context.log.Write(LogLevel::kInfo, "protocol.refused",
                    {{"refused", first == Protocol::kSea ? "sea" : "thrift"},
                     {"error", session.status().ToString()}});
  session = Open(second, context, cancellation);
  if (session.ok()) ProtocolMemory::OfProcess().Remember(context.config->endpoint, second);
  return session;
}

}  // namespace

Result<std::unique_ptr<Session>> OpenSession(const SessionContext& context,
                                             Cancellation* cancellation) {
  const Config& config = *context.config;
  if (config.protocol != Protocol::kAuto) return Open(config.protocol, context, cancellation);
  if (config.endpoint.is_cluster()) return Open(Protocol::kThrift, context, cancellation);
  const auto known = ProtocolMemory::OfProcess().Recall(config.endpoint);
  return OpenEither(known.value_or(Protocol::kSea), context, cancellation);
}

std::string QuoteIdentifier(std::string_view name) {
  std::string quoted = "`";
  for (const char c : name) {
    if (c == '`') quoted.push_back('`');
    quoted.push_back(c);
  }
  quoted.push_back('`');
  return quoted;
}

}  // namespace dbx
