// SPDX-License-Identifier: Apache-2.0
#include "thrift/result_pages.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "base/str_cat.h"
#include "thrift/column_set.h"
#include "thrift/error_status.h"
#include "thrift/wire_types.h"

namespace dbx::local {
namespace {

using thrift::TCloudFetchDisabledReason;
using thrift::TSparkRowSetType;

TSparkRowSetType::type FormatOf(ResultShape shape) {
  switch (shape) {
    case ResultShape::kRows:
      return TSparkRowSetType::COLUMN_BASED_SET;
    case ResultShape::kBatches:
      return TSparkRowSetType::ARROW_BASED_SET;
    case ResultShape::kFiles:
      break;
  }
  return TSparkRowSetType::URL_BASED_SET;
}

TCloudFetchDisabledReason::type ReasonOf(NoFilesBecause reason) {
  switch (reason) {
    case NoFilesBecause::kSmall:
      return TCloudFetchDisabledReason::SMALL_RESULT_SIZE;
    case NoFilesBecause::kNoArrow:
      return TCloudFetchDisabledReason::ARROW_SUPPORT;
    case NoFilesBecause::kNotAsked:
      return TCloudFetchDisabledReason::CLOUD_FETCH_SUPPORT;
    case NoFilesBecause::kOldProtocol:
      return TCloudFetchDisabledReason::PROTOCOL_VERSION;
    case NoFilesBecause::kMetadataCall:
      break;
  }
  return TCloudFetchDisabledReason::METADATA_OPERATION;
}

int64_t LimitOf(int64_t limit) {
  return limit > 0 ? limit : std::numeric_limits<int64_t>::max();
}

/// Counts what goes on a page; the first piece always fits.
class PageRoom {
 public:
  PageRoom(const PageRequest& request, int64_t max_pieces)
      : max_rows_(request.max_rows < 0 ? std::numeric_limits<int64_t>::max() : request.max_rows),
        max_bytes_(LimitOf(request.max_bytes)),
        max_pieces_(max_pieces) {}

  bool Take(int64_t rows, int64_t bytes) {
    if (max_rows_ == 0) return false;
    if (pieces_ > 0 &&
        (pieces_ >= max_pieces_ || rows > max_rows_ - rows_ || bytes > max_bytes_ - bytes_)) {
      return false;
    }
    pieces_ += 1;
    rows_ += rows;
    bytes_ += bytes;
    return true;
  }

 private:
  const int64_t max_rows_, max_bytes_, max_pieces_;
  int64_t rows_ = 0, bytes_ = 0, pieces_ = 0;
};

/// The ranges of rows [first, first + count) in a column set's batches.
std::vector<RowRange> RangesOf(const StoredResult& result, int64_t first, int64_t count) {
  std::vector<RowRange> ranges;
  for (const nanoarrow::UniqueArray& batch : result.row_batches()) {
    if (count > 0 && first < batch->length) {
      const int64_t rows = std::min(count, batch->length - first);
      ranges.push_back({batch.get(), first, rows});
      count -= rows;
      first = 0;
    } else {
      first -= std::min(first, batch->length);
    }
  }
  return ranges;
}

Status FetchColumns(const StoredResult& result, const PageRequest& request,
                    Operation::Cursor* cursor, thrift::TRowSet* rows, bool* has_more) {
  ASSIGN_OR_RETURN([[maybe_unused]] const bool any, result.WaitForPiece(0));  // false: complete
  const int64_t num_rows = result.totals().num_rows;
  if (request.start_row_offset) cursor->row = *request.start_row_offset;
  cursor->row = std::clamp<int64_t>(cursor->row, 0, num_rows);
  int64_t count = num_rows - cursor->row;
  if (request.max_rows >= 0) count = std::min(count, request.max_rows);
  std::vector<RowRange> ranges = RangesOf(result, cursor->row, count);
  if (request.max_bytes > 0 && !ranges.empty()) {
    int64_t num_bytes = 0;
    for (const RowRange& range : ranges) num_bytes += EstimateBytes(result.header().columns, range);
    if (num_bytes > request.max_bytes) {
      const double share = static_cast<double>(request.max_bytes) / static_cast<double>(num_bytes);
      count = std::max<int64_t>(1, static_cast<int64_t>(static_cast<double>(count) * share));
      ranges = RangesOf(result, cursor->row, count);
    }
  }
  rows->startRowOffset = cursor->row;
  rows->__set_columns(MakeColumns(result.header().columns, ranges, result.header().zone));
  cursor->row += count;
  *has_more = cursor->row < num_rows;
  return Status::Ok();
}

/// Sets the cursor to where this page begins.
Status Seek(const StoredResult& result, const PageRequest& request, Operation::Cursor* cursor) {
  if (request.start_row_offset) {
    ASSIGN_OR_RETURN(cursor->piece,
                     result.WaitForRow(std::max<int64_t>(*request.start_row_offset, 0)));
  } else if (result.header().shape == ResultShape::kFiles && cursor->exhausted) {
    // A client that asks on after the last link wants all links anew: theirs have expired.
    cursor->piece = 0;
  }
  return Status::Ok();
}

void AddBatches(const Operation& operation, const PageRequest& request, Operation::Cursor* cursor,
                thrift::TRowSet* rows) {
  const auto& more = operation.fault().more;
  PageRoom room(request, std::numeric_limits<int64_t>::max());
  std::vector<thrift::TSparkArrowBatch> batches;
  operation.result().Visit(cursor->piece, [&](const ResultPiece& piece) {
    if (!room.Take(piece.num_rows, piece.stored_bytes)) return false;
    thrift::TSparkArrowBatch batch;
    batch.__set_batch(piece.bytes);
    batch.__set_rowCount(more.contains("inline_rowcount_zero") ? 0 : piece.num_rows);
    batches.push_back(std::move(batch));
    ++cursor->piece;
    return true;
  });
  if (batches.empty() && more.contains("absent_batch_list")) return;
  rows->arrowBatches = std::move(batches);
  rows->__isset.arrowBatches = true;
}

int64_t AddLinks(const Operation& operation, const PageRequest& request, const LinkTerms& terms,
                 Operation::Cursor* cursor, thrift::TRowSet* rows) {
  PageRoom room(request, terms.max_links);
  std::vector<thrift::TSparkArrowResultLink> links;
  operation.result().Visit(cursor->piece, [&](const ResultPiece& piece) {
    if (!room.Take(piece.num_rows, piece.raw_bytes)) return false;
    // Born expired by a fault: only when handed out for the first time, so that a refresh mends it.
    const bool expired = terms.born_expired ||
                         (operation.fault().expire_link && cursor->piece >= cursor->links_given);
    const std::chrono::seconds lifetime = expired ? std::chrono::seconds(-60) : terms.lifetime;
    thrift::TSparkArrowResultLink link;
    link.__set_fileLink(terms.signer->Sign(terms.base, piece.object_name, lifetime));
    link.__set_expiryTime(std::chrono::duration_cast<std::chrono::milliseconds>(
                              (terms.now + lifetime).time_since_epoch())
                              .count());
    link.__set_startRowOffset(piece.row_offset);
    link.__set_rowCount(piece.num_rows);
    link.__set_bytesNum(piece.raw_bytes);
    link.__set_httpHeaders({});
    links.push_back(std::move(link));
    ++cursor->piece;
    return true;
  });
  cursor->links_given = std::max(cursor->links_given, cursor->piece);
  const auto count = static_cast<int64_t>(links.size());
  rows->resultLinks = std::move(links);
  rows->__isset.resultLinks = true;
  return count;
}

/// The row at which piece `index` begins, or the number of rows.
int64_t RowOffsetOf(const StoredResult& result, size_t index) {
  int64_t offset = result.totals().num_rows;
  result.Visit(index, [&](const ResultPiece& piece) {
    offset = piece.row_offset;
    return false;
  });
  return offset;
}

bool WantsEmptyPage(const Operation& operation, const Operation::Cursor& cursor) {
  const auto entry = operation.fault().more.find("empty_pages");
  return entry != operation.fault().more.end() && StrCat(cursor.pages) < entry->second;
}

}  // namespace

Result<int64_t> FetchPage(Operation* operation, const PageRequest& request, const LinkTerms& terms,
                          thrift::TRowSet* rows, bool* has_more) {
  const StoredResult& result = operation->result();
  Operation::Cursor cursor = operation->cursor();
  if (request.orientation == thrift::TFetchOrientation::FETCH_FIRST) {
    cursor.row = 0;
    cursor.piece = 0;
  }
  const bool links = result.header().shape == ResultShape::kFiles;
  PageRequest wanted = request;
  if (WantsEmptyPage(*operation, cursor)) wanted.max_rows = 0;
  cursor.pages += 1;
  int64_t num_links = 0;
  if (result.header().shape == ResultShape::kRows) {
    RETURN_IF_ERROR(FetchColumns(result, wanted, &cursor, rows, has_more));
  } else {
    RETURN_IF_ERROR(Seek(result, wanted, &cursor));
    ASSIGN_OR_RETURN([[maybe_unused]] const bool any, result.WaitForPiece(cursor.piece));
    rows->startRowOffset = RowOffsetOf(result, cursor.piece);
    if (links) {
      num_links = AddLinks(*operation, wanted, terms, &cursor, rows);
    } else {
      AddBatches(*operation, wanted, &cursor, rows);
    }
    const StoredResult::Totals totals = result.totals();
    *has_more = !totals.complete || cursor.piece < totals.num_pieces;
  }
  cursor.exhausted = !*has_more;
  operation->set_cursor(cursor);
  return num_links;
}

thrift::TGetResultSetMetadataResp MakeResultMetadata(const Operation& operation,
                                                     int64_t inline_limit_bytes) {
  const ResultHeader& header = operation.result().header();
  thrift::TGetResultSetMetadataResp metadata;
  metadata.__set_status(Success());
  metadata.__set_schema(MakeTableSchema(header.columns));
  metadata.__set_resultFormat(FormatOf(header.shape));
  if (header.is_metadata_call) {
    metadata.__set_reasonForNoCloudFetch(ReasonOf(header.no_files_because));
    return metadata;
  }
  const StoredResult::Totals totals = operation.result().totals();
  metadata.__set_lz4Compressed(header.lz4);
  if (!header.arrow_schema.empty()) metadata.__set_arrowSchema(header.arrow_schema);
  metadata.__set_cacheLookupResult(operation.cache());
  if (totals.complete) {
    metadata.__set_uncompressedBytes(totals.raw_bytes);
    metadata.__set_compressedBytes(totals.stored_bytes);
  }
  metadata.__set_isStagingOperation(header.columns.size() >= 2 &&
                                    header.columns[0].name == "operation" &&
                                    header.columns[1].name == "presignedUrl");
  if (header.shape != ResultShape::kFiles) {
    const bool small =
        header.shape != ResultShape::kBatches || totals.raw_bytes <= inline_limit_bytes;
    metadata.__set_reasonForNoCloudFetch(header.shape == ResultShape::kBatches && small
                                             ? TCloudFetchDisabledReason::SMALL_RESULT_SIZE
                                             : ReasonOf(header.no_files_because));
  }
  metadata.__set_truncatedByThriftLimit(totals.cut);
  return metadata;
}

}  // namespace dbx::local
