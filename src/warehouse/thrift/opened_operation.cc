// SPDX-License-Identifier: Apache-2.0
#include "warehouse/thrift/opened_operation.h"

#include <algorithm>
#include <utility>

#include "warehouse/thrift/thrift_rows.h"
#include "warehouse/thrift/thrift_schema.h"

namespace dbx::thrift {
namespace {

// A page of inline rows is held in memory whole, twice when the next one is fetched ahead.
constexpr int64_t kMaxInlinePageBytes = int64_t{16} << 20;

/// True when the server has closed the operation by itself and said so.
bool ClosedByServer(const TSparkDirectResults& direct) {
  return direct.__isset.closeOperation && ToStatus(direct.closeOperation.status).ok();
}

Result<TGetOperationStatusResp> FinalStatus(Operation& operation, TSparkDirectResults& direct,
                                            Cancellation* cancellation) {
  if (!direct.__isset.operationStatus || !IsTerminal(direct.operationStatus)) {
    // A result in the reply is proof enough of the end.
    const bool have_rows = direct.__isset.resultSet && direct.__isset.resultSetMetadata;
    if (!have_rows) return operation.WaitUntilFinished(cancellation);
    return std::move(direct.operationStatus);
  }
  const Status status = operation.core().Note(ToStatus(direct.operationStatus));
  if (!status.ok()) return status.WithStatementId(operation.statement_id());
  return std::move(direct.operationStatus);
}

FetchRange PageSize(const StatementConfig& config, bool links, int64_t max_rows) {
  FetchRange range;
  range.max_rows = links ? config.page_rows : max_rows;
  range.max_bytes = links ? config.page_bytes : std::min(config.page_bytes, kMaxInlinePageBytes);
  return range;
}

bool AnnouncesLinks(const TGetResultSetMetadataResp& metadata) {
  return metadata.__isset.resultFormat && metadata.resultFormat == TSparkRowSetType::URL_BASED_SET;
}

/// What every reply with metadata has to pass.
Status CheckMetadata(const TGetResultSetMetadataResp& metadata) {
  RETURN_IF_ERROR(ToStatus(metadata.status));
  if (!metadata.isStagingOperation) return Status::Ok();
  return Status::NotImplemented(
      "PUT, GET and REMOVE of volume files are not done by this driver; no local file was touched");
}

class Opening {
 public:
  Opening(std::unique_ptr<Operation> operation, int64_t max_rows, Cancellation* cancellation)
      : max_rows_(max_rows), cancellation_(cancellation) {
    opened_.operation = std::move(operation);
  }

  Result<OpenedOperation> Run(TSparkDirectResults direct) {
    const bool closed = ClosedByServer(direct);
    if (closed) opened_.operation->MarkClosed();
    ASSIGN_OR_RETURN(opened_.status, FinalStatus(*opened_.operation, direct, cancellation_));
    RETURN_IF_ERROR(TakeMetadata(direct, closed));
    RETURN_IF_ERROR(TakeFirstPage(direct, closed));
    const bool links =
        KindOf(opened_.first_page) == PageKind::kLinks ||
        (KindOf(opened_.first_page) == PageKind::kEmpty && AnnouncesLinks(opened_.metadata));
    opened_.page_size = PageSize(config(), links, max_rows_);
    return std::move(opened_);
  }

 private:
  const StatementConfig& config() const { return opened_.operation->config().statement; }

  Status TakeMetadata(TSparkDirectResults& direct, bool closed) {
    if (direct.__isset.resultSetMetadata) opened_.metadata = std::move(direct.resultSetMetadata);
    // Closed without metadata: a statement that has no result at all.
    if (!closed && !HasSchema(opened_.metadata)) {
      ASSIGN_OR_RETURN(opened_.metadata, opened_.operation->Metadata(cancellation_));
    }
    return Checked(CheckMetadata(opened_.metadata));
  }

  Status TakeFirstPage(TSparkDirectResults& direct, bool closed) {
    if (direct.__isset.resultSet) {
      opened_.first_page = std::move(direct.resultSet);
      return Checked(ToStatus(opened_.first_page.status));
    }
    if (closed) return Status::Ok();
    const bool links = AnnouncesLinks(opened_.metadata);
    FetchRange range = PageSize(config(), links, max_rows_);
    if (links) range.start_row = 0;
    range.with_metadata = !HasSchema(opened_.metadata);
    ASSIGN_OR_RETURN(opened_.first_page, opened_.operation->Fetch(range, cancellation_));
    if (range.with_metadata && opened_.first_page.__isset.resultSetMetadata) {
      opened_.metadata = std::move(opened_.first_page.resultSetMetadata);
    }
    return Checked(CheckMetadata(opened_.metadata));
  }

  Status Checked(const Status& status) {
    return opened_.operation->core().Note(
        status.WithStatementId(opened_.operation->statement_id()));
  }

  const int64_t max_rows_;
  Cancellation* const cancellation_;
  OpenedOperation opened_;
};

}  // namespace

Result<OpenedOperation> CarryOn(const std::shared_ptr<SessionCore>& core,
                                const TOperationHandle* handle, TSparkDirectResults direct,
                                int64_t max_rows, std::shared_ptr<const Config> config,
                                Cancellation* cancellation) {
  if (handle == nullptr) return Status::InvalidData("the service gave no operation handle");
  Opening opening(std::make_unique<Operation>(core, *handle, std::move(config)), max_rows,
                  cancellation);
  return opening.Run(std::move(direct));
}

}  // namespace dbx::thrift
