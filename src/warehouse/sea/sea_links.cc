// SPDX-License-Identifier: Apache-2.0
#include "warehouse/sea/sea_links.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/str_cat.h"
#include "result/value_text.h"

namespace dbx::sea {
namespace {

// So many links are worth a call of their own; with fewer, several calls run at once.
constexpr size_t kManyLinks = 8;
constexpr size_t kMostCalls = 4;

}  // namespace

std::optional<WallTime> ParseExpiration(std::string_view text) {
  const std::optional<int64_t> moment = ParseTimestamp(text);
  // Far moments do not fit the clock; they never come anyway.
  constexpr int64_t kLast = std::numeric_limits<int64_t>::max() / 2000;
  if (!moment || *moment <= 0 || *moment > kLast) return std::nullopt;
  return WallTime(
      std::chrono::duration_cast<WallTime::duration>(std::chrono::microseconds(*moment)));
}

SeaLinkSource::SeaLinkSource(std::unique_ptr<SeaStatement> statement,
                             const ManifestMessage& manifest)
    : statement_(std::move(statement)),
      total_chunks_(manifest.total_chunk_count),
      total_rows_(manifest.total_row_count),
      truncated_(manifest.truncated) {
  for (const ChunkMessage& chunk : manifest.chunks) manifest_chunks_[chunk.chunk_index] = chunk;
}

Status SeaLinkSource::Append(ResultMessage reply) {
  if (reply.has_rows()) {
    return Status::InvalidData("the service sent inline rows in the middle of links");
  }
  // Where no link says what follows, the reply may.
  if (reply.next.is_known()) following_ = reply.next;
  for (LinkMessage& link : reply.external_links) {
    if (link.chunk_index >= last_known_ && (link.next.is_known() || !reply.next.is_known())) {
      following_ = link.next;
    }
    last_known_ = std::max(last_known_, link.chunk_index);
    if (link.chunk_index >= next_index_) known_.insert_or_assign(link.chunk_index, std::move(link));
  }
  return Status::Ok();
}

Result<std::optional<ResultLink>> SeaLinkSource::Peek(Cancellation* cancellation) {
  if (!peeked_) {
    ASSIGN_OR_RETURN(peeked_, FindNext(cancellation));
  }
  return peeked_;
}

Result<ResultLink> SeaLinkSource::RefreshFirst(Cancellation* cancellation) {
  if (!peeked_) return Status::Internal("there is no first link");
  ASSIGN_OR_RETURN(const LinkMessage anew, FetchAnew(handed_out_.front(), cancellation));
  peeked_->presigned_url = anew.external_link;
  peeked_->headers = anew.http_headers;
  peeked_->expires_at = ParseExpiration(anew.expiration);
  return *peeked_;
}

Result<std::optional<ResultLink>> SeaLinkSource::Next() {
  RETURN_IF_ERROR(cancelled_.status());
  RETURN_IF_ERROR(failure_);
  if (peeked_) return std::exchange(peeked_, std::nullopt);
  Result<std::optional<ResultLink>> link = FindNext(&cancelled_);
  RETURN_IF_ERROR(cancelled_.status());
  if (!link.ok()) failure_ = link.status().WithStatementId(statement_->statement_id());
  return failure_.ok() ? std::move(link) : failure_;
}

Result<std::optional<ResultLink>> SeaLinkSource::FindNext(Cancellation* cancellation) {
  while (true) {
    auto found = known_.find(next_index_);
    if (found == known_.end()) {
      if (AtEnd()) {
        RETURN_IF_ERROR(CheckTotals());
        return std::optional<ResultLink>();
      }
      RETURN_IF_ERROR(FetchMissing(cancellation));
      found = known_.find(next_index_);
      // Nothing polls for a link: a reply without the one asked for is a fault.
      if (found == known_.end()) {
        return Status::Integrity(StrCat("the service has no link to chunk ", next_index_));
      }
    }
    ASSIGN_OR_RETURN(ResultLink link, ToResultLink(found->second));
    known_.erase(found);
    const int64_t index = next_index_++;
    if (link.num_rows == 0) continue;  // no file worth a request
    next_row_ += link.num_rows;
    handed_out_.push_back(index);
    return std::optional<ResultLink>(std::move(link));
  }
}

Status SeaLinkSource::FetchMissing(Cancellation* cancellation) {
  const bool by_index =
      total_chunks_.has_value() || following_.chunk_index || following_.internal_link.empty();
  Result<ResultMessage> reply =
      by_index ? FetchByIndex(cancellation) : statement_->Chunk(following_, cancellation);
  if (!reply.ok()) return reply.status();
  links_per_reply_ = std::max<size_t>(1, reply->external_links.size());
  return Append(*std::move(reply));
}

Result<ResultMessage> SeaLinkSource::FetchByIndex(Cancellation* cancellation) {
  while (!ahead_.empty() && ahead_.front().chunk_index < next_index_) ahead_.pop_front();
  if (!ahead_.empty() && ahead_.front().chunk_index != next_index_) ahead_.clear();
  AskAhead();
  if (ahead_.empty()) return statement_->Chunk(next_index_, cancellation);
  Result<ResultMessage> reply = ahead_.front().call->Wait(cancellation);
  ahead_.pop_front();
  return reply;
}

/// Where each reply holds few links, a call's time would bound the speed of the whole result.
void SeaLinkSource::AskAhead() {
  if (!total_chunks_ || links_per_reply_ == 0 || links_per_reply_ >= kManyLinks) return;
  const size_t most = std::min(kMostCalls, kManyLinks / links_per_reply_);
  const auto stride = static_cast<int64_t>(links_per_reply_);
  int64_t index = ahead_.empty() ? next_index_ : ahead_.back().chunk_index + stride;
  for (; ahead_.size() < most && index < *total_chunks_; index += stride) {
    ahead_.push_back({index, std::make_unique<BackgroundCall<ResultMessage>>(
                                 [statement = statement_.get(), index](Cancellation* broken_off) {
                                   return statement->Chunk(index, broken_off);
                                 })});
  }
}

bool SeaLinkSource::AtEnd() const {
  if (total_chunks_) return next_index_ >= *total_chunks_;
  if (total_rows_) return next_row_ >= *total_rows_;
  return !following_.is_known();
}

Status SeaLinkSource::CheckTotals() const {
  if (total_rows_ && *total_rows_ != next_row_) {
    return Status::Integrity(
        StrCat("the links lead to ", next_row_, " rows, the result has ", *total_rows_));
  }
  if (!truncated_) return Status::Ok();
  return Status::Integrity(
      StrCat("the service cut the result off after ", next_row_, " rows, at a limit of its own"));
}

Result<ResultLink> SeaLinkSource::ToResultLink(const LinkMessage& link) const {
  const auto listed = manifest_chunks_.find(link.chunk_index);
  const bool is_listed = listed != manifest_chunks_.end();
  ResultLink result;
  result.chunk_index = static_cast<int64_t>(handed_out_.size());
  result.row_offset = link.row_offset.value_or(is_listed ? listed->second.row_offset : next_row_);
  if (!link.row_count && !is_listed) return Status::InvalidData("a link without a row count");
  result.num_rows = link.row_count ? *link.row_count : listed->second.row_count;
  if (result.row_offset != next_row_) {
    return Status::Integrity(StrCat("a link starts at row ", result.row_offset, " where row ",
                                    next_row_, " was to come"));
  }
  if (result.num_rows > std::numeric_limits<int64_t>::max() - next_row_) {
    return Status::InvalidData(StrCat("a link to ", result.num_rows, " rows"));
  }
  // The manifest's count is that of decoded bytes; the link's may be that of the file.
  result.num_bytes =
      is_listed && listed->second.byte_count > 0 ? listed->second.byte_count : link.byte_count;
  result.presigned_url = link.external_link;
  result.headers = link.http_headers;
  result.expires_at = ParseExpiration(link.expiration);
  return result;
}

Result<ResultLink> SeaLinkSource::Refresh(const ResultLink& stale) {
  RETURN_IF_ERROR(cancelled_.status());
  if (stale.chunk_index < 0 || stale.chunk_index >= static_cast<int64_t>(handed_out_.size())) {
    return Status::Internal(StrCat("no link to chunk ", stale.chunk_index, " was given"));
  }
  const int64_t index = handed_out_[static_cast<size_t>(stale.chunk_index)];
  std::optional<LinkMessage> anew;
  if (const auto kept = fresh_.find(index); kept != fresh_.end()) {
    if (IsFresh(kept->second, stale)) anew = kept->second;
    fresh_.erase(kept);
  }
  if (!anew) {
    ASSIGN_OR_RETURN(anew, FetchAnew(index, &cancelled_));
  }
  if (anew->row_offset.value_or(stale.row_offset) != stale.row_offset ||
      anew->row_count.value_or(stale.num_rows) != stale.num_rows) {
    return Status::Integrity(StrCat("the service has no link any more for the ", stale.num_rows,
                                    " rows from row ", stale.row_offset, " on"))
        .WithStatementId(statement_->statement_id());
  }
  ResultLink link = stale;
  link.presigned_url = anew->external_link;
  link.headers = anew->http_headers;
  link.expires_at = ParseExpiration(anew->expiration);
  return link;
}

Result<LinkMessage> SeaLinkSource::FetchAnew(int64_t chunk_index, Cancellation* cancellation) {
  ASSIGN_OR_RETURN(ResultMessage reply, statement_->Chunk(chunk_index, cancellation));
  std::optional<LinkMessage> found;
  for (LinkMessage& link : reply.external_links) {
    if (link.chunk_index == chunk_index) {
      found = std::move(link);
    } else {
      Keep(std::move(link));
    }
  }
  if (found) return *std::move(found);
  return Status::Integrity(StrCat("the service has no link any more to chunk ", chunk_index))
      .WithStatementId(statement_->statement_id());
}

/// Links of other chunks that came along with a refresh.
void SeaLinkSource::Keep(LinkMessage link) {
  const int64_t index = link.chunk_index;
  const auto waiting = known_.find(index);
  if (waiting != known_.end()) {
    waiting->second = std::move(link);
  } else if (index < next_index_) {
    fresh_.insert_or_assign(index, std::move(link));
  }
}

/// Whether `link`, kept from an earlier refresh, may stand in for `stale`.
bool SeaLinkSource::IsFresh(const LinkMessage& link, const ResultLink& stale) const {
  const std::optional<WallTime> expires_at = ParseExpiration(link.expiration);
  return link.external_link != stale.presigned_url && expires_at &&
         *expires_at - statement_->config().cloudfetch.expiry_margin > Clock::Real().WallNow();
}

void SeaLinkSource::Cancel(Status reason) {
  cancelled_.Cancel(std::move(reason));
  statement_->Close();
}

}  // namespace dbx::sea
