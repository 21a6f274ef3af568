// SPDX-License-Identifier: Apache-2.0
#include "warehouse/thrift/session_core.h"

#include <utility>

namespace dbx::thrift {

std::string SessionCore::catalog() const {
  MutexLock lock(mutex_);
  return catalog_;
}

std::string SessionCore::schema() const {
  MutexLock lock(mutex_);
  return schema_;
}

void SessionCore::SetNames(std::string catalog, std::string schema) {
  MutexLock lock(mutex_);
  catalog_ = std::move(catalog);
  schema_ = std::move(schema);
}

}  // namespace dbx::thrift
