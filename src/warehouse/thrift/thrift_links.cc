// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <deque>
#include <limits>
#include <map>
#include <utility>

#include "base/clock.h"
#include "base/str_cat.h"
#include "warehouse/thrift/thrift_rows.h"

namespace dbx::thrift {
namespace {

class ThriftLinkSource : public LinkSource {
 public:
  ThriftLinkSource(std::unique_ptr<Operation> operation, const FetchRange& page_size)
      : operation_(std::move(operation)), page_size_(page_size) {}

  /// Takes the links of a page in; each must begin where the one before it ended.
  Status Append(const TFetchResultsResp& page) {
    const PageKind kind = KindOf(page);
    if (kind == PageKind::kBatches || kind == PageKind::kColumns) {
      return Status::InvalidData("the service sent inline rows in the middle of links");
    }
    for (const TSparkArrowResultLink& wire_link : page.results.resultLinks) {
      if (wire_link.rowCount == 0) continue;  // no file worth a request
      ASSIGN_OR_RETURN(ResultLink link, ToResultLink(wire_link, next_chunk_));
      if (link.row_offset != next_row_) {
        return Status::Integrity(StrCat("a link starts at row ", link.row_offset, " where row ",
                                        next_row_, " was to come"));
      }
      next_row_ += link.num_rows;
      ++next_chunk_;
      queued_.push_back(std::move(link));
    }
    more_ = HasMore(page);
    return Status::Ok();
  }

  Result<std::optional<ResultLink>> Next() override {
    RETURN_IF_ERROR(cancelled_.status());
    RETURN_IF_ERROR(failure_);
    failure_ = FillQueue();
    RETURN_IF_ERROR(failure_);
    if (queued_.empty()) return std::optional<ResultLink>();
    std::optional<ResultLink> link(std::move(queued_.front()));
    queued_.pop_front();
    return link;
  }

  Result<ResultLink> Refresh(const ResultLink& stale) override {
    RETURN_IF_ERROR(cancelled_.status());
    if (const auto known = fresh_.find(stale.row_offset); known != fresh_.end()) {
      const ResultLink link = known->second;
      fresh_.erase(known);
      if (IsBetter(link, stale)) return WithIndex(link, stale.chunk_index);
    }
    return FetchAnew(stale);
  }

  void Cancel(Status reason) override {
    cancelled_.Cancel(std::move(reason));
    operation_->Close();
  }

 private:
  Status FillQueue() {
    while (queued_.empty() && more_) {
      const int64_t first_row = next_row_;
      ASSIGN_OR_RETURN(const TFetchResultsResp page, FetchFrom(first_row));
      RETURN_IF_ERROR(Append(page).WithStatementId(operation_->statement_id()));
      if (more_ && next_row_ == first_row) {
        // "Ask again": not in a tight loop.
        RETURN_IF_ERROR(cancelled_.WaitFor(operation_->config().statement.poll_interval));
      }
    }
    return Status::Ok();
  }

  Result<TFetchResultsResp> FetchFrom(int64_t row) {
    FetchRange range = page_size_;
    range.start_row = row;
    return operation_->Fetch(range, &cancelled_);
  }

  /// Asks for links from the stale one's row on; those of later chunks are kept for their own
  /// refresh.
  Result<ResultLink> FetchAnew(const ResultLink& stale) {
    ASSIGN_OR_RETURN(const TFetchResultsResp page, FetchFrom(stale.row_offset));
    std::optional<ResultLink> found;
    for (const TSparkArrowResultLink& wire_link : page.results.resultLinks) {
      ASSIGN_OR_RETURN(ResultLink link, ToResultLink(wire_link, stale.chunk_index));
      if (link.row_offset == stale.row_offset) {
        found = std::move(link);
      } else if (link.row_offset > stale.row_offset) {
        Keep(std::move(link));
      }
    }
    if (!found || found->num_rows != stale.num_rows) {
      return Status::Integrity(StrCat("the service has no link any more for the ", stale.num_rows,
                                      " rows from row ", stale.row_offset, " on"))
          .WithStatementId(operation_->statement_id());
    }
    return *std::move(found);
  }

  void Keep(ResultLink link) {
    for (ResultLink& waiting : queued_) {
      if (waiting.row_offset != link.row_offset || waiting.num_rows != link.num_rows) continue;
      waiting = WithIndex(std::move(link), waiting.chunk_index);
      return;
    }
    const int64_t row_offset = link.row_offset;
    if (row_offset < next_row_) fresh_.insert_or_assign(row_offset, std::move(link));
  }

  /// Whether `link`, remembered from an earlier refresh, may stand in for `stale`.
  bool IsBetter(const ResultLink& link, const ResultLink& stale) const {
    const auto margin = operation_->config().cloudfetch.expiry_margin;
    return link.num_rows == stale.num_rows && link.presigned_url != stale.presigned_url &&
           link.expires_at && *link.expires_at - margin > Clock::Real().WallNow();
  }

  static ResultLink WithIndex(ResultLink link, int64_t chunk_index) {
    link.chunk_index = chunk_index;
    return link;
  }

  // Set once.
  const std::unique_ptr<Operation> operation_;
  const FetchRange page_size_;
  Cancellation cancelled_;

  // Touched by the caller of Next and Refresh alone.
  std::deque<ResultLink> queued_;
  std::map<int64_t, ResultLink> fresh_;  // by row offset, of chunks handed out already
  int64_t next_row_ = 0;
  int64_t next_chunk_ = 0;
  bool more_ = true;
  Status failure_;
};

}  // namespace

Result<ResultLink> ToResultLink(const TSparkArrowResultLink& link, int64_t chunk_index) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  if (link.startRowOffset < 0 || link.rowCount <= 0 ||
      link.rowCount > kMost - link.startRowOffset) {
    return Status::InvalidData(
        StrCat("a link to ", link.rowCount, " rows from row ", link.startRowOffset, " on"));
  }
  if (link.fileLink.empty()) return Status::InvalidData("a link without a URL");
  ResultLink result;
  result.chunk_index = chunk_index;
  result.row_offset = link.startRowOffset;
  result.num_rows = link.rowCount;
  result.num_bytes = std::max<int64_t>(link.bytesNum, 0);
  result.presigned_url = SecretUrl(link.fileLink);
  for (const auto& [name, value] : link.httpHeaders)
    result.headers.emplace_back(name, Secret(value));
  // Far moments do not fit the clock; they never come anyway.
  constexpr int64_t kLastMillisecond = kMost / 2'000'000;
  if (link.expiryTime > 0 && link.expiryTime < kLastMillisecond) {
    result.expires_at = WallTime(Milliseconds(link.expiryTime));
  }
  return result;
}

Result<std::unique_ptr<LinkSource>> MakeThriftLinkSource(std::unique_ptr<Operation> operation,
                                                         const TFetchResultsResp& first,
                                                         const FetchRange& page_size) {
  const std::string statement_id = operation->statement_id();
  auto links = std::make_unique<ThriftLinkSource>(std::move(operation), page_size);
  RETURN_IF_ERROR(links->Append(first).WithStatementId(statement_id));
  return std::unique_ptr<LinkSource>(std::move(links));
}

}  // namespace dbx::thrift
