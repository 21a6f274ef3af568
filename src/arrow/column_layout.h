// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "arrow/record_batch.h"
#include "base/status.h"

namespace dbx {

/// What a column's arrays are made of: which buffers of which element width, and which children.
struct ColumnLayout {
  struct Buffer {
    ArrowBufferType kind = NANOARROW_BUFFER_TYPE_NONE;
    int64_t element_bits = 0;  ///< 0: bytes that the offsets before them divide
    size_t alignment = 1;      ///< of its first byte, for consumers that read elements in place
  };

  std::string name;
  ArrowType type = NANOARROW_TYPE_UNINITIALIZED;
  std::vector<Buffer> buffers;
  int64_t fixed_list_size = 0;  ///< elements of each list of a fixed-size list
  std::vector<ColumnLayout> children;
};

/// The layout of a struct that has the columns of `schema` as children. Errors: kNotImplemented for
/// types that the service never sends (dictionaries, unions, views, run-end encoding), naming the
/// column.
Result<ColumnLayout> LayoutOf(const Schema& schema);

/// The layout and its descendants / the buffers of all of them.
int64_t CountNodes(const ColumnLayout& layout);
int64_t CountBuffers(const ColumnLayout& layout);

/// Fails with kInvalidData unless both have the same column types in the same order: names,
/// nullability, metadata and the spelling of time zones may differ. The message names the first
/// column that differs and both types.
Status CheckSameTypes(const Schema& result, const Schema& file);

}  // namespace dbx
