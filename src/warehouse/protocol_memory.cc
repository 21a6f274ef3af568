// SPDX-License-Identifier: Apache-2.0
#include "warehouse/protocol_memory.h"

#include <algorithm>
#include <cctype>

#include "base/str_cat.h"

namespace dbx {
namespace {

std::string KeyOf(const EndpointConfig& endpoint) {
  std::string host = endpoint.host;
  std::transform(host.begin(), host.end(), host.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return StrCat(host, ":", endpoint.port);
}

}  // namespace

ProtocolMemory& ProtocolMemory::OfProcess() {
  static auto* const memory = new ProtocolMemory();  // never destroyed: threads may outlive main
  return *memory;
}

std::optional<Protocol> ProtocolMemory::Recall(const EndpointConfig& endpoint) const {
  MutexLock lock(mutex_);
  const auto found = protocols_.find(KeyOf(endpoint));
  return found == protocols_.end() ? std::nullopt : std::optional(found->second);
}

void ProtocolMemory::Remember(const EndpointConfig& endpoint, Protocol protocol) {
  MutexLock lock(mutex_);
  protocols_[KeyOf(endpoint)] = protocol;
}

}  // namespace dbx
