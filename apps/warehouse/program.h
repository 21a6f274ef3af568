// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "program_options.h"

namespace dbx::local {

/// A running warehouse. Serves from Start to Stop.
class Program {
 public:
  virtual ~Program() = default;  ///< stops

  /// Opens the engine (which may make test data first), then both listeners. `progress` gets lines
  /// for a person, on this thread or the engine's.
  static Result<std::unique_ptr<Program>> Start(const ProgramOptions& options,
                                                std::function<void(std::string_view)> progress);

  /// For clients, with a token.
  virtual std::string uri() const = 0;
  virtual uint16_t port() const = 0;
  virtual uint16_t storage_port() const = 0;
  /// Interrupts statements, closes connections, joins threads.
  virtual void Stop() = 0;
};

}  // namespace dbx::local
