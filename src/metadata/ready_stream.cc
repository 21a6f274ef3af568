// SPDX-License-Identifier: Apache-2.0
#include "metadata/ready_stream.h"

#include <utility>

#include "base/mutex.h"

namespace dbx {
namespace {

class ReadyStream : public ResultStream {
 public:
  ReadyStream(std::shared_ptr<const Schema> schema, std::vector<RecordBatch> batches)
      : schema_(std::move(schema)), batches_(std::move(batches)) {}

  const std::shared_ptr<const Schema>& schema() const override { return schema_; }

  Result<std::optional<RecordBatch>> Next() override {
    MutexLock lock(mutex_);
    if (!cancelled_.ok()) return cancelled_;
    while (next_ < batches_.size() && batches_[next_].num_rows() == 0) ++next_;
    if (next_ == batches_.size()) return std::optional<RecordBatch>();
    return std::optional<RecordBatch>(std::move(batches_[next_++]));
  }

  void Cancel(Status reason) override {
    MutexLock lock(mutex_);
    if (cancelled_.ok()) cancelled_ = std::move(reason);
  }

 private:
  const std::shared_ptr<const Schema> schema_;
  Mutex mutex_;
  std::vector<RecordBatch> batches_ GUARDED_BY(mutex_);
  size_t next_ GUARDED_BY(mutex_) = 0;
  Status cancelled_ GUARDED_BY(mutex_);
};

}  // namespace

std::unique_ptr<ResultStream> MakeReadyStream(std::shared_ptr<const Schema> schema,
                                              std::vector<RecordBatch> batches) {
  return std::make_unique<ReadyStream>(std::move(schema), std::move(batches));
}

}  // namespace dbx
