// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "nanoarrow/nanoarrow.hpp"

namespace dbx::cli {

/// What has passed through a RowStream.
struct RowCounts {
  int64_t rows = 0;
  int64_t batches = 0;
  int64_t bytes = 0;  ///< of Arrow buffers
  std::optional<std::chrono::steady_clock::time_point> first_batch;
};

/// A stream of rows on its way from the driver to a writer: counts them, cuts them at a limit,
/// looks at each. One thread at a time; outlives what it is exported to.
class RowStream {
 public:
  /// `limit` < 0: none. `look`, if given, sees every batch that passes.
  RowStream(nanoarrow::UniqueArrayStream source, int64_t limit,
            std::function<void(const ArrowArray&)> look);

  const ArrowSchema* schema() const { return schema_.get(); }

  /// The next batch, or false after the last. Throws Failure with the driver's words.
  bool Next(ArrowArray* batch);

  /// A C stream that pulls from this; errors of Next become its errors.
  void Export(ArrowArrayStream* out);

  const RowCounts& counts() const { return counts_; }
  /// True when rows were left behind because of the limit.
  bool cut() const { return cut_; }

 private:
  static int GetSchema(ArrowArrayStream* stream, ArrowSchema* out);
  static int GetNext(ArrowArrayStream* stream, ArrowArray* out);
  static const char* GetLastError(ArrowArrayStream* stream);

  nanoarrow::UniqueArrayStream source_;
  nanoarrow::UniqueSchema schema_;
  const int64_t limit_;
  const std::function<void(const ArrowArray&)> look_;
  RowCounts counts_;
  bool cut_ = false;
  std::string last_error_;
};

}  // namespace dbx::cli
