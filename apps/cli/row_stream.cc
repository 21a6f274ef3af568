// SPDX-License-Identifier: Apache-2.0
#include "row_stream.h"

#include <cerrno>
#include <utility>

#include "failure.h"
#include "interrupt.h"

namespace dbx::cli {
namespace {

[[noreturn]] void Throw(ArrowArrayStream* source, int code) {
  const char* const message = source->get_last_error(source);
  if (code == ECANCELED && Interrupt::Requested()) throw Failure(Exit::kInterrupted, "interrupted");
  throw Failure(Exit::kFailed, message != nullptr ? message : "the driver gave no message");
}

/// Bytes of the buffers of `view`, children included.
int64_t NumBytes(const ArrowArrayView& view) {
  int64_t num_bytes = 0;
  for (const ArrowBufferView& buffer : view.buffer_views)
    num_bytes += buffer.size_bytes > 0 ? buffer.size_bytes : 0;
  for (int64_t i = 0; i < view.n_children; ++i) num_bytes += NumBytes(*view.children[i]);
  return num_bytes;
}

/// Keeps the first `num_rows` rows; columns are shortened too, since some readers want them as long
/// as the batch.
void Cut(int64_t num_rows, ArrowArray& batch) {
  batch.length = num_rows;
  for (int64_t i = 0; i < batch.n_children; ++i) {
    ArrowArray& column = *batch.children[i];
    column.length = batch.offset + num_rows;
    if (column.null_count > 0) column.null_count = -1;
  }
}

}  // namespace

RowStream::RowStream(nanoarrow::UniqueArrayStream source, int64_t limit,
                     std::function<void(const ArrowArray&)> look)
    : source_(std::move(source)), limit_(limit), look_(std::move(look)) {
  if (const int code = source_->get_schema(source_.get(), schema_.get()); code != 0)
    Throw(source_.get(), code);
}

bool RowStream::Next(ArrowArray* batch) {
  if (limit_ >= 0 && counts_.rows >= limit_) {
    cut_ = true;
    return false;
  }
  nanoarrow::UniqueArray next;
  if (const int code = source_->get_next(source_.get(), next.get()); code != 0)
    Throw(source_.get(), code);
  if (next->release == nullptr) return false;
  if (!counts_.first_batch) counts_.first_batch = std::chrono::steady_clock::now();
  nanoarrow::UniqueArrayView view;
  NANOARROW_THROW_NOT_OK(ArrowArrayViewInitFromSchema(view.get(), schema_.get(), nullptr));
  NANOARROW_THROW_NOT_OK(ArrowArrayViewSetArray(view.get(), next.get(), nullptr));
  counts_.bytes += NumBytes(*view.get());
  if (limit_ >= 0 && counts_.rows + next->length > limit_) {
    Cut(limit_ - counts_.rows, *next.get());
    cut_ = true;
  }
  counts_.rows += next->length;
  ++counts_.batches;
  if (look_) look_(*next.get());
  ArrowArrayMove(next.get(), batch);
  return true;
}

void RowStream::Export(ArrowArrayStream* out) {
  out->get_schema = &RowStream::GetSchema;
  out->get_next = &RowStream::GetNext;
  out->get_last_error = &RowStream::GetLastError;
  out->release = [](ArrowArrayStream* stream) { stream->release = nullptr; };
  out->private_data = this;
}

int RowStream::GetSchema(ArrowArrayStream* stream, ArrowSchema* out) {
  return ArrowSchemaDeepCopy(static_cast<RowStream*>(stream->private_data)->schema(), out);
}

int RowStream::GetNext(ArrowArrayStream* stream, ArrowArray* out) {
  auto* const self = static_cast<RowStream*>(stream->private_data);
  try {
    out->release = nullptr;
    self->Next(out);
    return 0;
  } catch (const std::exception& failure) {
    self->last_error_ = failure.what();
    return EIO;
  }
}

const char* RowStream::GetLastError(ArrowArrayStream* stream) {
  const auto* const self = static_cast<RowStream*>(stream->private_data);
  return self->last_error_.empty() ? nullptr : self->last_error_.c_str();
}

}  // namespace dbx::cli
