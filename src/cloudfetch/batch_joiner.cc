// SPDX-License-Identifier: Apache-2.0
#include "cloudfetch/batch_joiner.h"

#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "base/str_cat.h"

namespace dbx {
namespace {

/// Rows [offset, offset + length) of an array, as its parent counts them.
struct Slice {
  const ArrowArrayView* view = nullptr;
  int64_t offset = 0;
  int64_t length = 0;

  /// Where the first row lies in the array's own buffers.
  int64_t start() const { return view->offset + offset; }
};
using Slices = std::vector<Slice>;

Status NoMemory() {
  return Status::Internal("joining batches: out of memory");
}

int64_t TotalLength(const Slices& slices) {
  int64_t total = 0;
  for (const Slice& slice : slices) total += slice.length;
  return total;
}

/// Bits of buffer `buffer`; where a slice has none, all are set.
Result<ArrowBitmap> JoinBits(const Slices& slices, int buffer) {
  ArrowBitmap bitmap;
  ArrowBitmapInit(&bitmap);
  const int64_t num_bits = TotalLength(slices);
  // Zeros also after the last bit, so that equal rows are equal bytes.
  const int64_t num_bytes = (num_bits + 7) / 8;
  if (ArrowBufferAppendFill(&bitmap.buffer, 0, num_bytes) != NANOARROW_OK) {
    ArrowBitmapReset(&bitmap);
    return NoMemory();
  }
  bitmap.size_bits = num_bits;
  int64_t next = 0;
  for (const Slice& slice : slices) {
    const uint8_t* const bits = slice.view->buffer_views[buffer].data.as_uint8;
    for (int64_t i = 0; i < slice.length; ++i, ++next) {
      if (!bits || ArrowBitGet(bits, slice.start() + i)) ArrowBitSet(bitmap.buffer.data, next);
    }
  }
  return bitmap;
}

Status JoinValidity(const Slices& slices, ArrowArray* out) {
  bool has_nulls = false;
  for (const Slice& slice : slices) {
    has_nulls |= slice.view->null_count != 0 && slice.view->buffer_views[0].data.data != nullptr;
  }
  out->null_count = 0;
  if (!has_nulls) return Status::Ok();
  ASSIGN_OR_RETURN(ArrowBitmap bitmap, JoinBits(slices, 0));
  const int64_t null_count = out->length - ArrowBitCountSet(bitmap.buffer.data, 0, out->length);
  ArrowArraySetValidityBitmap(out, &bitmap);  // which forgets the count
  out->null_count = null_count;
  return Status::Ok();
}

Status JoinFixed(const Slices& slices, int buffer, int64_t element_bits, ArrowArray* out) {
  if (element_bits == 1) {
    ASSIGN_OR_RETURN(ArrowBitmap bitmap, JoinBits(slices, buffer));
    return ArrowArraySetBuffer(out, buffer, &bitmap.buffer) == NANOARROW_OK ? Status::Ok()
                                                                            : NoMemory();
  }
  const int64_t width = element_bits / 8;
  ArrowBuffer* const joined = ArrowArrayBuffer(out, buffer);
  if (ArrowBufferReserve(joined, width * out->length) != NANOARROW_OK) return NoMemory();
  for (const Slice& slice : slices) {
    if (slice.length == 0) continue;
    const uint8_t* const data = slice.view->buffer_views[buffer].data.as_uint8;
    ArrowBufferAppendUnsafe(joined, data + slice.start() * width, slice.length * width);
  }
  return Status::Ok();
}

/// Writes offsets that go on from one slice to the next; gives what each slice covers of the bytes
/// or the child.
template <typename Offset>
Status JoinOffsets(const Slices& slices, ArrowArray* out, Slices* covered) {
  ArrowBuffer* const joined = ArrowArrayBuffer(out, 1);
  const auto width = static_cast<int64_t>(sizeof(Offset));
  if (ArrowBufferReserve(joined, width * (out->length + 1)) != NANOARROW_OK) return NoMemory();
  joined->size_bytes = 0;
  int64_t total = 0;
  const Offset zero = 0;
  ArrowBufferAppendUnsafe(joined, &zero, width);
  for (const Slice& slice : slices) {
    covered->push_back({});
    if (slice.length == 0) continue;
    const auto* const offsets =
        static_cast<const Offset*>(slice.view->buffer_views[1].data.data) + slice.start();
    const auto first = static_cast<int64_t>(offsets[0]);
    const auto last = static_cast<int64_t>(offsets[slice.length]);
    if (last - first > std::numeric_limits<Offset>::max() - total) {
      return Status::InvalidData("joining batches: a column has too many bytes for its offsets");
    }
    for (int64_t i = 1; i <= slice.length; ++i) {
      const auto offset = static_cast<Offset>(total + static_cast<int64_t>(offsets[i]) - first);
      ArrowBufferAppendUnsafe(joined, &offset, width);
    }
    total += last - first;
    covered->back() = {.view = nullptr, .offset = first, .length = last - first};
  }
  return Status::Ok();
}

Status JoinText(const Slices& slices, const Slices& covered, ArrowArray* out) {
  ArrowBuffer* const joined = ArrowArrayBuffer(out, 2);
  if (ArrowBufferReserve(joined, TotalLength(covered)) != NANOARROW_OK) return NoMemory();
  for (size_t i = 0; i < slices.size(); ++i) {
    if (covered[i].length == 0) continue;
    const uint8_t* const data = slices[i].view->buffer_views[2].data.as_uint8;
    ArrowBufferAppendUnsafe(joined, data + covered[i].offset, covered[i].length);
  }
  return Status::Ok();
}

Status JoinNode(const Slices& slices, ArrowArray* out);

/// The child `child` of each slice, at `ranges`, or, without, at the slices' own rows times
/// `factor`.
Status JoinChild(const Slices& slices, const Slices* ranges, int64_t factor, int64_t child,
                 ArrowArray* out) {
  Slices below;
  for (size_t i = 0; i < slices.size(); ++i) {
    const Slice& slice = slices[i];
    below.push_back({.view = slice.view->children[child],
                     .offset = ranges ? (*ranges)[i].offset : slice.start() * factor,
                     .length = ranges ? (*ranges)[i].length : slice.length * factor});
  }
  return JoinNode(below, out->children[child]);
}

Status JoinNode(const Slices& slices, ArrowArray* out) {
  const ArrowArrayView& model = *slices.front().view;
  out->length = TotalLength(slices);
  if (model.storage_type == NANOARROW_TYPE_NA) {
    out->null_count = out->length;
    return Status::Ok();
  }
  RETURN_IF_ERROR(JoinValidity(slices, out));
  Slices covered;
  switch (model.storage_type) {
    case NANOARROW_TYPE_STRING:
    case NANOARROW_TYPE_BINARY:
      RETURN_IF_ERROR(JoinOffsets<int32_t>(slices, out, &covered));
      return JoinText(slices, covered, out);
    case NANOARROW_TYPE_LARGE_STRING:
    case NANOARROW_TYPE_LARGE_BINARY:
      RETURN_IF_ERROR(JoinOffsets<int64_t>(slices, out, &covered));
      return JoinText(slices, covered, out);
    case NANOARROW_TYPE_LIST:
    case NANOARROW_TYPE_MAP:
      RETURN_IF_ERROR(JoinOffsets<int32_t>(slices, out, &covered));
      return JoinChild(slices, &covered, 1, 0, out);
    case NANOARROW_TYPE_LARGE_LIST:
      RETURN_IF_ERROR(JoinOffsets<int64_t>(slices, out, &covered));
      return JoinChild(slices, &covered, 1, 0, out);
    case NANOARROW_TYPE_FIXED_SIZE_LIST:
      return JoinChild(slices, nullptr, model.layout.child_size_elements, 0, out);
    case NANOARROW_TYPE_STRUCT:
      for (int64_t child = 0; child < model.n_children; ++child) {
        RETURN_IF_ERROR(JoinChild(slices, nullptr, 1, child, out));
      }
      return Status::Ok();
    default:
      break;
  }
  if (model.layout.buffer_type[1] != NANOARROW_BUFFER_TYPE_DATA || model.n_children != 0 ||
      model.dictionary || model.layout.element_size_bits[1] == 0) {
    return Status::NotImplemented(
        StrCat("joining batches with a column of type ", ArrowTypeString(model.storage_type)));
  }
  return JoinFixed(slices, 1, model.layout.element_size_bits[1], out);
}

}  // namespace

Result<RecordBatch> JoinBatches(const Schema& schema, const std::vector<RecordBatch>& batches) {
  std::vector<nanoarrow::UniqueArrayView> views(batches.size());
  Slices slices;
  ArrowError error = {};
  for (size_t i = 0; i < batches.size(); ++i) {
    if (ArrowArrayViewInitFromSchema(views[i].get(), schema.c_schema(), &error) != NANOARROW_OK ||
        ArrowArrayViewSetArrayMinimal(views[i].get(), batches[i].c_array(), &error) !=
            NANOARROW_OK) {
      return Status::Internal(StrCat("joining batches: ", ArrowErrorMessage(&error)));
    }
    slices.push_back({.view = views[i].get(), .offset = 0, .length = batches[i].num_rows()});
  }
  nanoarrow::UniqueArray joined;
  if (ArrowArrayInitFromSchema(joined.get(), schema.c_schema(), &error) != NANOARROW_OK)
    return NoMemory();
  RETURN_IF_ERROR(JoinNode(slices, joined.get()));
  if (ArrowArrayFinishBuildingDefault(joined.get(), &error) != NANOARROW_OK) {
    return Status::Internal(StrCat("joining batches: ", ArrowErrorMessage(&error)));
  }
  return RecordBatch(joined.get());
}

}  // namespace dbx
