// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/cancellation.h"
#include "base/status.h"
#include "warehouse/thrift/operation.h"
#include "warehouse/thrift/thrift_types.h"

namespace dbx::thrift {

/// An operation that has finished well, with what is known of its result.
struct OpenedOperation {
  std::unique_ptr<Operation> operation;
  TGetOperationStatusResp status;
  TGetResultSetMetadataResp metadata;
  TFetchResultsResp first_page;
  FetchRange page_size;  ///< for the pages after the first
};

/// Carries on from wherever the reply that started an operation stopped: waits for its end, asks
/// for the metadata, fetches the first page; whatever of that the direct results hold is taken from
/// there.
///
/// `max_rows` bounds a page of inline rows; `config` holds the statement's options, null for the
/// session's. Errors: kInvalidData when there is no handle to go on with; kNotImplemented for
/// statements that move files between a volume and this machine; the statement's own failure.
Result<OpenedOperation> CarryOn(const std::shared_ptr<SessionCore>& core,
                                const TOperationHandle* handle, TSparkDirectResults direct,
                                int64_t max_rows, std::shared_ptr<const Config> config,
                                Cancellation* cancellation);

}  // namespace dbx::thrift
