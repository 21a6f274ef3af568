// SPDX-License-Identifier: Apache-2.0
#include "warehouse/thrift/thrift_rows.h"

#include <algorithm>
#include <utility>

#include "base/str_cat.h"

namespace dbx::thrift {
namespace {

template <typename Column>
ColumnValues TakeValues(Column& column) {
  return {std::move(column.values), std::move(column.nulls)};
}

ColumnValues TakeColumn(TColumn& column) {
  if (column.__isset.boolVal) return TakeValues(column.boolVal);
  if (column.__isset.byteVal) return TakeValues(column.byteVal);
  if (column.__isset.i16Val) return TakeValues(column.i16Val);
  if (column.__isset.i32Val) return TakeValues(column.i32Val);
  if (column.__isset.i64Val) return TakeValues(column.i64Val);
  if (column.__isset.doubleVal) return TakeValues(column.doubleVal);
  if (column.__isset.binaryVal) return TakeValues(column.binaryVal);
  return TakeValues(column.stringVal);
}

class ThriftPageSource : public PageSource {
 public:
  ThriftPageSource(std::unique_ptr<Operation> operation, TFetchResultsResp first,
                   const FetchRange& page_size)
      : operation_(std::move(operation)), page_size_(page_size), more_(HasMore(first)) {
    first_ = TakeInlinePage(std::move(first));
    if (!more_) operation_->Close();
  }

  Result<std::optional<InlinePage>> Next() override {
    RETURN_IF_ERROR(cancelled_.status());
    RETURN_IF_ERROR(failure_);
    if (first_) return std::exchange(first_, std::nullopt);
    if (!more_) return std::optional<InlinePage>();
    Result<std::optional<InlinePage>> page = Fetch();
    if (!page.ok()) failure_ = page.status();
    return page;
  }

  void Cancel(Status reason) override {
    cancelled_.Cancel(std::move(reason));
    operation_->Close();
  }

 private:
  Result<std::optional<InlinePage>> Fetch() {
    ASSIGN_OR_RETURN(TFetchResultsResp page, operation_->Fetch(page_size_, &cancelled_));
    const PageKind kind = KindOf(page);
    if (kind == PageKind::kLinks) {
      return Status::InvalidData("the service sent links in the middle of inline rows")
          .WithStatementId(operation_->statement_id());
    }
    more_ = HasMore(page);
    if (!more_) {
      operation_->Close();
    } else if (kind == PageKind::kEmpty) {
      // "Ask again": not in a tight loop.
      RETURN_IF_ERROR(cancelled_.WaitFor(operation_->config().statement.poll_interval));
    }
    return std::optional<InlinePage>(TakeInlinePage(std::move(page)));
  }

  // Set once.
  const std::unique_ptr<Operation> operation_;
  const FetchRange page_size_;
  Cancellation cancelled_;

  // Touched by the caller of Next alone.
  std::optional<InlinePage> first_;
  bool more_;
  Status failure_;
};

}  // namespace

PageKind KindOf(const TFetchResultsResp& page) {
  if (!page.results.resultLinks.empty()) return PageKind::kLinks;
  if (!page.results.arrowBatches.empty()) return PageKind::kBatches;
  if (!page.results.columns.empty()) return PageKind::kColumns;
  return PageKind::kEmpty;
}

InlinePage TakeInlinePage(TFetchResultsResp page) {
  InlinePage taken;
  TRowSet& rows = page.results;
  if (KindOf(page) != PageKind::kEmpty && rows.__isset.startRowOffset) {
    taken.row_offset = rows.startRowOffset;
  }
  for (TSparkArrowBatch& batch : rows.arrowBatches) {
    taken.batches.push_back({std::move(batch.batch), batch.rowCount});
  }
  for (TColumn& column : rows.columns) taken.columns.push_back(TakeColumn(column));
  return taken;
}

std::unique_ptr<PageSource> MakeThriftPageSource(std::unique_ptr<Operation> operation,
                                                 TFetchResultsResp first,
                                                 const FetchRange& page_size) {
  return std::make_unique<ThriftPageSource>(std::move(operation), std::move(first), page_size);
}

}  // namespace dbx::thrift
