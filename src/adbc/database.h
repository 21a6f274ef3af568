// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "adbc/option_access.h"
#include "adbc/workspace.h"
#include "base/mutex.h"
#include "options/config.h"
#include "options/option_set.h"
#include "options/resolve.h"

namespace dbx {

/// What an AdbcDatabase stands for: options until Init, then what its connections share. Methods
/// from any thread, setters and Init from one at a time.
class Database {
 public:
  explicit Database(SessionFactory open_session = OpenSession,
                    OptionSources sources = OptionSources::Real())
      : open_session_(std::move(open_session)), sources_(std::move(sources)) {}

  /// Options in any order until Init. Errors: those of OptionSet; kInvalidState after Init.
  Status SetOption(std::string_view name, const TypedValue& value) EXCLUDES(mutex_);
  Result<TypedValue> GetOption(std::string_view name, ValueType type) const EXCLUDES(mutex_);

  /// Checks all options together. Asks nobody. Errors: those of ResolveConfig and Workspace::Make.
  Status Init() EXCLUDES(mutex_);

  /// What connections get once Init has succeeded (kInvalidState before).
  Result<std::shared_ptr<Workspace>> workspace() const EXCLUDES(mutex_);

  /// Unchanged after Init, so that it is then read without a lock.
  const OptionSet& options() const { return options_; }
  const OptionSources& sources() const { return sources_; }
  const SessionFactory& open_session() const { return open_session_; }

 private:
  const SessionFactory open_session_;
  const OptionSources sources_;
  mutable Mutex mutex_;
  OptionSet options_{OptionScope::kDatabase};  // written under mutex_, and not after Init
  std::shared_ptr<Workspace> workspace_ GUARDED_BY(mutex_);
};

}  // namespace dbx
