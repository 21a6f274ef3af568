// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "arrow/record_batch.h"
#include "base/cancellation.h"
#include "base/status.h"
#include "warehouse/sea/sea_links.h"

namespace dbx::sea {

/// The whole first file of a result, as stored; `links` has one. Retries as downloads do, and asks
/// for a fresh link when storage refuses the one at hand. For small files: it is held in memory.
Result<std::string> FetchFirstFile(SeaLinkSource& links, Cancellation* cancellation);

/// The schema at the front of the first file, of which no more is fetched than that takes. Links
/// and manifest tell types, but neither what may be NULL nor the time zone. Errors also:
/// kInvalidData for a file that does not begin as an Arrow stream.
Result<std::shared_ptr<const Schema>> FetchFirstSchema(SeaLinkSource& links,
                                                       Cancellation* cancellation);

}  // namespace dbx::sea
