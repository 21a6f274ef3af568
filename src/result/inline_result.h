// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "result/page_source.h"
#include "result/result_manifest.h"
#include "result/result_stream.h"

namespace dbx {

/// The schema in one encapsulated Arrow Schema message (field metadata kept). Errors: kInvalidData,
/// kNotImplemented.
Result<std::shared_ptr<const Schema>> DecodeSchemaMessage(std::string_view message);

/// The rows of inline pages in order. Batches are decoded on the reader's thread, one at a time:
/// LZ4 where the frames' magic number stands, whatever the manifest says. Batches are cut to their
/// row counts, and the pages' offsets must join without a gap (kIntegrity otherwise).
std::unique_ptr<ResultStream> MakeInlineStream(std::shared_ptr<const Schema> schema,
                                               std::unique_ptr<PageSource> pages);

/// A stream that ends at once.
std::unique_ptr<ResultStream> MakeEmptyStream(std::shared_ptr<const Schema> schema);

/// The integer in the first row of the column called `name`, read ahead: `*stream` still gives
/// every row after this. nullopt: no such column, no row, NULL, not an integer.
Result<std::optional<int64_t>> PeekInteger(std::unique_ptr<ResultStream>* stream,
                                           std::string_view name);

}  // namespace dbx
