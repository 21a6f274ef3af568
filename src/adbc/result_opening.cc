// SPDX-License-Identifier: Apache-2.0
#include "adbc/result_opening.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace dbx {
namespace {

CloudFetchOptions ToCloudFetchOptions(const Config& config) {
  const CloudFetchConfig& cloudfetch = config.cloudfetch;
  CloudFetchOptions options;
  options.parallel_downloads = cloudfetch.parallel_downloads.value_or(0);  // as many as pay off
  options.chunks_ahead = 2 * cloudfetch.prefetch_count;
  options.memory_limit_bytes = cloudfetch.memory_buffer_bytes;
  options.link_prefetch_window = cloudfetch.link_prefetch_window;
  options.file_timeout = cloudfetch.timeout;
  options.stall_timeout = cloudfetch.stall_timeout;
  options.retry = {
      .first_delay = config.retry.first_delay,
      .max_delay = config.retry.max_delay,
      .budget = cloudfetch.retry_budget,
      .rate_limit_budget = std::max(cloudfetch.retry_budget, config.retry.rate_limit_budget),
      .max_attempts = config.retry.max_attempts};
  options.expiry_margin = cloudfetch.expiry_margin;
  options.range_resume = cloudfetch.range_resume;
  options.hedge = cloudfetch.hedge;
  options.batch_rows = config.statement.batch_rows;
  return options;
}

/// Holds the session for as long as there is a result of it.
class SessionStream : public ResultStream {
 public:
  SessionStream(std::shared_ptr<LiveSession> session, std::unique_ptr<ResultStream> rows)
      : session_(std::move(session)), rows_(std::move(rows)) {}

  const std::shared_ptr<const Schema>& schema() const override { return rows_->schema(); }
  Result<std::optional<RecordBatch>> Next() override { return rows_->Next(); }
  void Cancel(Status reason) override { rows_->Cancel(std::move(reason)); }

 private:
  const std::shared_ptr<LiveSession> session_;
  const std::unique_ptr<ResultStream> rows_;  // last: uses the session until it is gone
};

}  // namespace

StatementRequest MakeRequest(const ExecutionPlace& place, std::string sql) {
  StatementRequest request;
  request.sql = std::move(sql);
  request.config = place.config;
  return request;
}

Result<Execution> Execute(const ExecutionPlace& place, const StatementRequest& request) {
  RETURN_IF_ERROR(place.cancellation->status());
  Result<Execution> execution = place.session->session->Execute(request, place.cancellation);
  // Someone who cancels wants to hear that and not what else it brought about.
  RETURN_IF_ERROR(place.cancellation->status());
  return execution;
}

Result<OpenedResult> OpenRows(const ExecutionPlace& place, Execution execution) {
  OpenedResult result;
  result.statement_id = std::move(execution.statement_id);
  result.rows_affected = execution.rows_affected;
  result.num_rows = execution.manifest.num_rows;
  std::unique_ptr<ResultStream> rows = std::move(execution.rows);
  if (execution.links) {
    ASSIGN_OR_RETURN(HttpClient * storage, place.session->workspace->storage_client());
    std::unique_ptr<CloudFetchStream> stream =
        MakeCloudFetchStream(std::move(execution.manifest), std::move(execution.links), storage,
                             place.session->workspace->slab_pool(),
                             ToCloudFetchOptions(*place.config), place.session->workspace->log());
    result.cloudfetch = stream.get();
    rows = std::move(stream);
  }
  if (!rows) return Status::Internal("the statement has neither rows nor links");
  result.stream = std::make_unique<SessionStream>(place.session, std::move(rows));
  return result;
}

}  // namespace dbx
