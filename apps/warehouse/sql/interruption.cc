// SPDX-License-Identifier: Apache-2.0
#include "sql/interruption.h"

#include "sql/errors.h"

namespace dbx::local {

void Interruption::Request() {
  MutexLock lock(mutex_);
  requested_ = true;
  // Sets a flag of the connection and returns; under the lock, so that the connection is still
  // ours.
  if (connection_ != nullptr) duckdb_interrupt(connection_);
}

Status Interruption::Check() const {
  MutexLock lock(mutex_);
  if (!requested_) return Status::Ok();
  return SqlError(StatusCode::kCancelled, "OPERATION_CANCELED", "HY008",
                  "The statement was cancelled");
}

void Interruption::Repeat() const {
  MutexLock lock(mutex_);
  if (requested_ && connection_ != nullptr) duckdb_interrupt(connection_);
}

void Interruption::Attach(duckdb_connection connection) {
  MutexLock lock(mutex_);
  connection_ = connection;
}

}  // namespace dbx::local
