// SPDX-License-Identifier: Apache-2.0
#include "adbc/database.h"

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "adbc/fixed_options.h"
#include "base/str_cat.h"

namespace dbx {

Status Database::SetOption(std::string_view name, const TypedValue& value) {
  MutexLock lock(mutex_);
  if (workspace_) {
    return Status::InvalidState(StrCat(name, ": is set before the database is initialised"));
  }
  if (std::optional<Status> fixed = SetFixedOption(OptionScope::kDatabase, name, value)) {
    return *std::move(fixed);
  }
  return SetIn(options_, name, value);
}

Result<TypedValue> Database::GetOption(std::string_view name, ValueType type) const {
  if (std::optional<std::string> fixed = GetFixedOption(OptionScope::kDatabase, name)) {
    return TypedValue(*std::move(fixed));
  }
  MutexLock lock(mutex_);
  return GetFrom(options_, name, type);
}

Status Database::Init() {
  MutexLock lock(mutex_);
  if (workspace_) return Status::InvalidState("the database is initialised already");
  const std::array<const OptionSet*, 1> sets{&options_};
  ASSIGN_OR_RETURN(const Config config, ResolveConfig(sets, sources_));
  ASSIGN_OR_RETURN(workspace_, Workspace::Make(config));
  return Status::Ok();
}

Result<std::shared_ptr<Workspace>> Database::workspace() const {
  MutexLock lock(mutex_);
  if (!workspace_) return Status::InvalidState("the database is not initialised");
  return workspace_;
}

}  // namespace dbx
