// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/mutex.h"
#include "base/status.h"
#include "duckdb.h"

namespace dbx::local {

/// Lets another thread stop the engine's work for one statement, and that statement's alone.
/// Thread-safe.
class Interruption {
 public:
  void Request();
  /// kCancelled once Request was called.
  Status Check() const;
  /// Passes an earlier Request on again: the engine forgets one that came before its query began.
  void Repeat() const;
  /// The connection that works for the statement; nullptr when it works for someone else from now
  /// on.
  void Attach(duckdb_connection connection);

 private:
  mutable Mutex mutex_;
  bool requested_ GUARDED_BY(mutex_) = false;
  duckdb_connection connection_ GUARDED_BY(mutex_) = nullptr;
};

}  // namespace dbx::local
