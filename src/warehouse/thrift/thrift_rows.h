// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/status.h"
#include "result/link_source.h"
#include "result/page_source.h"
#include "warehouse/thrift/operation.h"
#include "warehouse/thrift/thrift_types.h"

namespace dbx::thrift {

/// What a page holds is told by what is filled, not by what the metadata announces.
enum class PageKind : uint8_t { kEmpty, kBatches, kColumns, kLinks };
PageKind KindOf(const TFetchResultsResp& page);

/// True when the server says that there is more to fetch, even after an empty page.
inline bool HasMore(const TFetchResultsResp& page) {
  return page.__isset.hasMoreRows && page.hasMoreRows;
}

/// The rows of an inline page; batches and texts are moved, not copied.
InlinePage TakeInlinePage(TFetchResultsResp page);

/// A link as the driver knows it. Errors: kInvalidData for numbers that cannot be.
Result<ResultLink> ToResultLink(const TSparkArrowResultLink& link, int64_t chunk_index);

/// Pages of rows, from `first` on; each further one by FetchResults of `page_size`. Owns the
/// operation and closes it as soon as the last page is here.
std::unique_ptr<PageSource> MakeThriftPageSource(std::unique_ptr<Operation> operation,
                                                 TFetchResultsResp first,
                                                 const FetchRange& page_size);

/// The links of a result, from `first` on. Owns the operation, which stays open (the files live
/// with it) until this dies or is cancelled. Errors: kInvalidData when `first` holds what cannot
/// be.
Result<std::unique_ptr<LinkSource>> MakeThriftLinkSource(std::unique_ptr<Operation> operation,
                                                         const TFetchResultsResp& first,
                                                         const FetchRange& page_size);

}  // namespace dbx::thrift
