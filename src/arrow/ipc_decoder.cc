// SPDX-License-Identifier: Apache-2.0
#include "arrow/ipc_decoder.h"

#include <exception>
#include <utility>

#include "arrow/array_tree.h"
#include "arrow/batch_reader.h"
#include "arrow/column_layout.h"

namespace dbx {
namespace {

constexpr size_t kIdleCopyBytes = size_t{8} << 20;

class LayoutDecoder : public IpcDecoder {
 public:
  LayoutDecoder(std::shared_ptr<const Schema> schema, ColumnLayout layout,
                std::shared_ptr<SlabPool> pool)
      : schema_(std::move(schema)),
        pool_(std::move(pool)),
        layout_(std::move(layout)),
        num_nodes_(CountNodes(layout_)),
        num_buffers_(CountBuffers(layout_)) {}

  Status CheckSchema(const Schema& stream_schema) const override {
    return CheckSameTypes(*schema_, stream_schema);
  }

  Result<RecordBatch> DecodeBatch(const IpcMessage& message,
                                  std::shared_ptr<const void> owner) override {
    if (message.kind != IpcMessageKind::kRecordBatch) {
      return Status::InvalidData("IPC message: a record batch was expected");
    }
    try {
      return Read(message, std::move(owner));
    } catch (const std::exception&) {
      return Status::Internal("record batch: out of memory");
    }
  }

  int64_t misaligned_copies() const override { return misaligned_copies_; }
  int64_t copied_bytes() const override { return copied_bytes_; }

 private:
  Result<RecordBatch> Read(const IpcMessage& message, std::shared_ptr<const void> owner) {
    auto tree =
        std::make_unique<ArrayTree>(num_nodes_, num_buffers_, std::move(owner), pool_.get());
    BatchReader reader(layout_, message.metadata, message.body, tree.get());
    if (Status read = reader.Read(); !read.ok()) return read.WithContext("record batch");
    misaligned_copies_ += reader.num_copies();
    copied_bytes_ += reader.copied_bytes();
    ArrowArray root = {};
    ArrayTree::HandOut(std::move(tree), &root);
    return RecordBatch(&root);
  }

  const std::shared_ptr<const Schema> schema_;
  const std::shared_ptr<SlabPool> pool_;
  const ColumnLayout layout_;
  const int64_t num_nodes_;
  const int64_t num_buffers_;
  int64_t misaligned_copies_ = 0;
  int64_t copied_bytes_ = 0;
};

}  // namespace

Result<std::unique_ptr<IpcDecoder>> IpcDecoder::Make(std::shared_ptr<const Schema> schema,
                                                     std::shared_ptr<SlabPool> copies) {
  if (!schema) return Status::InvalidArgument("a decoder needs a schema");
  ASSIGN_OR_RETURN(ColumnLayout layout, LayoutOf(*schema));
  if (!copies) copies = SlabPool::Make(kIdleCopyBytes);
  return std::unique_ptr<IpcDecoder>(
      std::make_unique<LayoutDecoder>(std::move(schema), std::move(layout), std::move(copies)));
}

}  // namespace dbx
