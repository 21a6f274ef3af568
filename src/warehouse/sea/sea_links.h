// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/cancellation.h"
#include "base/clock.h"
#include "base/status.h"
#include "result/link_source.h"
#include "warehouse/background_call.h"
#include "warehouse/sea/sea_statement.h"
#include "wire/sea_messages.h"

namespace dbx::sea {

/// The moment of "2025-03-10T19:01:07.305Z"; nullopt: none that can be read.
std::optional<WallTime> ParseExpiration(std::string_view text);

/// The links of one result. Uses every link of every reply, whatever their order, and asks for the
/// chunk that is missing next, by index where one is known. Where replies hold few links, those of
/// the chunks after it are asked for at the same time. Keeps the statement alive.
class SeaLinkSource : public LinkSource {
 public:
  SeaLinkSource(std::unique_ptr<SeaStatement> statement, const ManifestMessage& manifest);

  /// Takes the links of a reply in. Errors: kInvalidData for inline rows among links.
  Status Append(ResultMessage reply);
  /// The first link, which Next still gives; nullopt: the result has no rows. Before Next only.
  Result<std::optional<ResultLink>> Peek(Cancellation* cancellation);
  /// A fresh first link, for Peek and Next.
  Result<ResultLink> RefreshFirst(Cancellation* cancellation);

  Result<std::optional<ResultLink>> Next() override;
  Result<ResultLink> Refresh(const ResultLink& stale) override;
  void Cancel(Status reason) override;

  SeaStatement& statement() { return *statement_; }
  /// Gives the statement away; nothing else may be called after this.
  std::unique_ptr<SeaStatement> TakeStatement() { return std::move(statement_); }

 private:
  Result<std::optional<ResultLink>> FindNext(Cancellation* cancellation);
  Status FetchMissing(Cancellation* cancellation);
  Result<ResultMessage> FetchByIndex(Cancellation* cancellation);
  void AskAhead();
  bool AtEnd() const;
  Status CheckTotals() const;
  Result<ResultLink> ToResultLink(const LinkMessage& link) const;
  Result<LinkMessage> FetchAnew(int64_t chunk_index, Cancellation* cancellation);
  void Keep(LinkMessage link);
  bool IsFresh(const LinkMessage& link, const ResultLink& stale) const;

  /// A call under way for the links from a chunk on.
  struct CallAhead {
    int64_t chunk_index;
    std::unique_ptr<BackgroundCall<ResultMessage>> call;
  };

  // Set once.
  std::unique_ptr<SeaStatement> statement_;
  const std::optional<int64_t> total_chunks_;
  const std::optional<int64_t> total_rows_;
  const bool truncated_;
  std::map<int64_t, ChunkMessage> manifest_chunks_;  // by index
  Cancellation cancelled_;

  // Touched by the caller of the other methods alone. Indices here are the service's.
  std::map<int64_t, LinkMessage> known_;  // not handed out yet
  std::map<int64_t, LinkMessage> fresh_;  // of chunks handed out already
  std::vector<int64_t> handed_out_;       // index of each link given, by its chunk_index
  NextChunk following_;                   // behind the last link known
  int64_t last_known_ = -1;
  int64_t next_index_ = 0;
  int64_t next_row_ = 0;
  std::optional<ResultLink> peeked_;
  size_t links_per_reply_ = 0;   // 0: no reply has shown it yet
  std::deque<CallAhead> ahead_;  // the first is for next_index_; uses the statement
  Status failure_;
};

}  // namespace dbx::sea
