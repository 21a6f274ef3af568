// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/mutex.h"
#include "options/config.h"

namespace dbx {

/// Which protocol the warehouses of a host turned out to speak, so that `auto` finds out once. All
/// methods from any thread.
class ProtocolMemory {
 public:
  /// The process's own; lives for ever.
  static ProtocolMemory& OfProcess();

  std::optional<Protocol> Recall(const EndpointConfig& endpoint) const EXCLUDES(mutex_);
  void Remember(const EndpointConfig& endpoint, Protocol protocol) EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  std::map<std::string, Protocol> protocols_ GUARDED_BY(mutex_);  // by host and port
};

}  // namespace dbx
