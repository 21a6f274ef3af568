// SPDX-License-Identifier: Apache-2.0
#include "adbc/running_call.h"

#include <algorithm>
#include <utility>

namespace dbx {
namespace {

class CallStream : public ResultStream {
 public:
  CallStream(std::shared_ptr<RunningCall> call, std::shared_ptr<const Schema> schema)
      : call_(std::move(call)), schema_(std::move(schema)) {}
  ~CallStream() override { call_->End(); }

  const std::shared_ptr<const Schema>& schema() const override { return schema_; }
  Result<std::optional<RecordBatch>> Next() override { return call_->Next(); }
  void Cancel(Status reason) override { call_->Cancel(reason); }

 private:
  const std::shared_ptr<RunningCall> call_;
  const std::shared_ptr<const Schema> schema_;
};

}  // namespace

void RunningCall::SetStatementId(std::string id) {
  MutexLock lock(mutex_);
  if (!id.empty()) statement_id_ = std::move(id);
}

std::string RunningCall::statement_id() const {
  MutexLock lock(mutex_);
  return statement_id_;
}

void RunningCall::BeginReading(std::unique_ptr<ResultStream> stream,
                               const CloudFetchStream* cloudfetch) {
  MutexLock lock(mutex_);
  stream_ = std::move(stream);
  cloudfetch_ = cloudfetch;
}

Result<std::optional<RecordBatch>> RunningCall::Next() {
  RETURN_IF_ERROR(cancellation_.status());
  std::shared_ptr<ResultStream> stream;
  {
    MutexLock lock(mutex_);
    stream = stream_;
  }
  if (!stream) return Status::InvalidState("the result is closed");
  Result<std::optional<RecordBatch>> batch = stream->Next();
  MutexLock lock(mutex_);
  if (batch.ok() && batch->has_value()) {
    ++delivered_.batches;
    delivered_.rows += (*batch)->num_rows();
  } else {
    ended_ = true;
    read_whole_ = batch.ok();
  }
  return batch;
}

StatementStatistics RunningCall::statistics() const {
  std::shared_ptr<ResultStream> stream;  // keeps `cloudfetch` alive
  const CloudFetchStream* cloudfetch = nullptr;
  StatementStatistics delivered;
  {
    MutexLock lock(mutex_);
    stream = stream_;
    cloudfetch = cloudfetch_;
    delivered = delivered_;
  }
  if (cloudfetch == nullptr) return delivered;
  StatementStatistics statistics;
  static_cast<CloudFetchStatistics&>(statistics) = cloudfetch->statistics();
  statistics.through_cloudfetch = true;
  // What the application has, not what lies ready for it.
  statistics.batches = delivered.batches;
  statistics.rows = delivered.rows;
  return statistics;
}

void RunningCall::End() {
  StatementStatistics last = statistics();
  std::shared_ptr<ResultStream> stream;  // dies outside the lock
  MutexLock lock(mutex_);
  ended_ = true;
  delivered_ = last;
  cloudfetch_ = nullptr;
  stream = std::move(stream_);
}

bool RunningCall::Cancel(const Status& reason) {
  std::shared_ptr<ResultStream> stream;
  {
    MutexLock lock(mutex_);
    if (ended_) return false;
    stream = stream_;
  }
  cancellation_.Cancel(reason);
  if (stream) stream->Cancel(reason);
  return true;
}

double RunningCall::progress() const {
  {
    MutexLock lock(mutex_);
    if (read_whole_) return 1;
  }
  const StatementStatistics counted = statistics();
  if (counted.chunks_total <= 0) return 0;
  const double share =
      static_cast<double>(counted.chunks) / static_cast<double>(counted.chunks_total);
  return std::clamp(share, 0.0, 1.0);
}

void RunningCalls::Add(const std::shared_ptr<RunningCall>& call) {
  MutexLock lock(mutex_);
  std::erase_if(calls_, [](const std::weak_ptr<RunningCall>& known) {
    const std::shared_ptr<RunningCall> alive = known.lock();
    return !alive || alive->ended();
  });
  calls_.push_back(call);
}

std::vector<std::shared_ptr<RunningCall>> RunningCalls::Live() {
  std::vector<std::shared_ptr<RunningCall>> live;
  MutexLock lock(mutex_);
  for (const std::weak_ptr<RunningCall>& known : calls_) {
    if (std::shared_ptr<RunningCall> call = known.lock()) live.push_back(std::move(call));
  }
  return live;
}

Status RunningCalls::CancelAll() {
  const Status reason = Status::Cancelled("cancelled by the application").WithSqlstate("57014");
  bool any = false;
  for (const std::shared_ptr<RunningCall>& call : Live()) any = call->Cancel(reason) || any;
  return any ? Status::Ok() : Status::InvalidState("nothing is running that could be cancelled");
}

std::unique_ptr<ResultStream> MakeCallStream(std::shared_ptr<RunningCall> call,
                                             std::shared_ptr<const Schema> schema) {
  return std::make_unique<CallStream>(std::move(call), std::move(schema));
}

}  // namespace dbx
