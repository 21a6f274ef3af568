// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "base/status.h"
#include "nanoarrow/nanoarrow.hpp"
#include "result/result_stream.h"

namespace dbx {

/// Ok, or kInternal that names what was being built: nanoarrow fails here for lack of memory alone.
Status FromArrow(ArrowErrorCode code, std::string_view what);

/// Gives `field` a type and a name. Errors: kInternal.
Status SetField(ArrowSchema* field, std::string_view name, ArrowType type, bool nullable);

/// An array without rows that takes values of `schema`.
Result<nanoarrow::UniqueArray> StartArray(const ArrowSchema* schema);

/// Finishes `rows` (a struct array of `schema`) and makes it the only batch of a stream.
Result<std::unique_ptr<ResultStream>> FinishStream(nanoarrow::UniqueSchema schema,
                                                   nanoarrow::UniqueArray rows);

}  // namespace dbx
