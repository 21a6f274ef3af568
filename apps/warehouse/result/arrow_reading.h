// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanoarrow/nanoarrow.hpp>
#include <string>
#include <vector>

namespace dbx::local {

/// A decoded Arrow stream: its schema and each cell as text ("null" for NULL, texts as they are).
struct ArrowTable {
  nanoarrow::UniqueSchema schema;
  std::vector<std::vector<std::string>> rows;
  std::vector<int64_t> batch_rows;
};

/// Decodes a whole IPC stream. A failure fails the test.
ArrowTable ReadArrowStream(const std::string& stream);

/// The value of `key` in a field's metadata, or empty.
std::string FieldMetadata(const ArrowSchema& field, const std::string& key);

/// All LZ4 frames, one after another; `num_frames` counts them. A failure fails the test.
std::string DecodeLz4Frames(const std::string& bytes, int* num_frames = nullptr);

}  // namespace dbx::local
