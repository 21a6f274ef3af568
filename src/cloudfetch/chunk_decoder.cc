// SPDX-License-Identifier: Apache-2.0
#include "cloudfetch/chunk_decoder.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/str_cat.h"
#include "cloudfetch/batch_joiner.h"
#include "cloudfetch/batch_slice.h"

namespace dbx {
namespace {

constexpr uint64_t kMaxMessageBytes = uint64_t{1} << 30;
constexpr size_t kAlignment = 64;
constexpr size_t kLeastRoom = 64 << 10;
// Of compressed bytes at a time: what is decoded is still in the cache when its messages are cut.
constexpr size_t kStepBytes = 1 << 20;
// Magic number and flags of an LZ4 frame.
constexpr size_t kFormatBytes = 5;
constexpr uint8_t kHasChecksums = 0x04 | 0x10;  // of the content, of each block

/// Of the buffers that nanoarrow made for an array and its children.
int64_t NumBytes(const ArrowArray& array) {
  int64_t num_bytes = 0;
  for (int64_t i = 0; i < array.n_buffers && i < NANOARROW_MAX_FIXED_BUFFERS; ++i) {
    num_bytes += ArrowArrayBuffer(const_cast<ArrowArray*>(&array), i)->capacity_bytes;
  }
  for (int64_t i = 0; i < array.n_children; ++i) num_bytes += NumBytes(*array.children[i]);
  return num_bytes;
}

}  // namespace

ChunkDecoder::ChunkDecoder(const ResultLink& link, std::shared_ptr<Chunk> chunk, BodyQueue* body,
                           DecoderSettings* settings)
    : num_rows_(link.num_rows),
      num_bytes_(link.num_bytes),
      chunk_(std::move(chunk)),
      body_(body),
      settings_(settings) {}

void ChunkDecoder::Give(MemoryBudget::Lease lease) {
  lease_ = std::move(lease);
  missing_bytes_ = 0;
}

void ChunkDecoder::Restart() {
  format_ = Format::kUnknown;
  settings_->lz4_shelf.PutBack(std::move(lz4_));
  hold_until_checked_ = output_pending_ = false;
  bytes_decoded_ = 0;
  lease_.Return();
  missing_bytes_ = 0;
  slab_.reset();
  last_slab_.reset();
  moved_ = false;
  start_ = begin_ = end_ = 0;
  message_bytes_ = 0;
  in_stream_ = ended_ = false;
  first_batch_ = true;
  rows_seen_ = 0;
  held_.clear();
  small_.clear();
  small_rows_ = 0;
  failure_ = Status::Ok();
  may_restart_ = false;
}

ChunkDecoder::Yield ChunkDecoder::Fail(Status failure, bool may_restart) {
  failure_ = std::move(failure);
  may_restart_ = may_restart;
  held_.clear();
  // The rows before the error come first. A closed chunk is not this error's concern.
  if (!PushJoined().ok()) small_.clear();
  return Yield::kFailed;
}

// A later frame may have a checksum though the first has none. Then the rows that were not held
// back may be wrong ones, and a restart would leave them as they are.
ChunkDecoder::Yield ChunkDecoder::FailStep(Status failure) {
  const bool checksum_failed = lz4_ && lz4_->checksum_failed();
  if (hold_until_checked_ || !checksum_failed) return Fail(std::move(failure), true);
  small_.clear();
  small_rows_ = 0;
  return Fail(std::move(failure), rows_handed_out_ == 0);
}

ChunkDecoder::Yield ChunkDecoder::Run(IpcDecoder& ipc) {
  while (true) {
    if (settings_->stopping) return Yield::kStopped;
    const BodyQueue::View view = body_->Front();
    const bool undecided = format_ == Format::kUnknown && view.bytes.size() < kFormatBytes;
    if (!output_pending_ && (view.bytes.empty() || undecided) && !view.ended) {
      switch (body_->Park(view.bytes.size())) {
        case BodyQueue::Parked::kNo:
          continue;
        case BodyQueue::Parked::kYes:
          return Yield::kStarved;
        case BodyQueue::Parked::kYesTicketMissing:
          return Yield::kTicketMissing;
      }
    }
    if (!output_pending_ && view.bytes.empty()) return Conclude(view.status);
    if (format_ == Format::kUnknown) DetectFormat(view.bytes);
    if (!HasRoom()) {
      if (lease_.num_bytes() == 0) {
        missing_bytes_ = static_cast<int64_t>(SlabBytesWanted());
        return Yield::kSlabMissing;
      }
      if (Status status = NextSlab(); !status.ok()) return Fail(std::move(status), false);
    }
    const Result<size_t> consumed = Step(view.bytes.first(std::min(view.bytes.size(), kStepBytes)));
    if (!consumed.ok()) return FailStep(consumed.status());
    body_->Consume(*consumed);
    if (Status status = CutMessages(ipc); !status.ok()) {
      if (settings_->stopping || status.code() == StatusCode::kCancelled) return Yield::kStopped;
      return Fail(std::move(status), true);
    }
  }
}

void ChunkDecoder::DetectFormat(Bytes front) {
  // The manifest's word is not asked: services send plain files in spite of the flag.
  format_ = HasLz4Magic(front) ? Format::kLz4 : Format::kPlain;
  if (format_ == Format::kLz4) lz4_ = settings_->lz4_shelf.Take();
  hold_until_checked_ = format_ == Format::kLz4 && front.size() >= kFormatBytes &&
                        (front[kFormatBytes - 1] & kHasChecksums) != 0;
}

Result<size_t> ChunkDecoder::Step(Bytes in) {
  const std::span<uint8_t> out(slab_->slab->data + end_, slab_->slab->capacity - end_);
  size_t consumed = std::min(in.size(), out.size());
  size_t produced = consumed;
  if (format_ == Format::kLz4) {
    ASSIGN_OR_RETURN(const Lz4FrameDecoder::Progress progress, lz4_->Decode(in, out, moved_));
    moved_ = false;
    last_slab_.reset();
    consumed = progress.consumed;
    produced = progress.produced;
    output_pending_ = produced == out.size() && !lz4_->AtFrameEnd();
    if (consumed == 0 && produced == 0 && !in.empty()) {
      return Status::InvalidData("LZ4 frame: bytes that lead nowhere");
    }
  } else if (consumed > 0) {
    std::memcpy(out.data(), in.data(), consumed);
  }
  end_ += produced;
  bytes_decoded_ += static_cast<int64_t>(produced);
  settings_->counters->bytes_decoded += static_cast<int64_t>(produced);
  return consumed;
}

size_t ChunkDecoder::SlabBytesWanted() const {
  const size_t partial = end_ - begin_;
  // What the message states is not believed at once: the slab at most doubles for it.
  size_t least = partial + kLeastRoom;
  if (message_bytes_ > least) {
    least = std::min<size_t>(message_bytes_, std::max(2 * partial, settings_->slab_bytes));
  }
  const int64_t rest = std::max<int64_t>(num_bytes_ - bytes_decoded_, 0);
  const size_t wish = partial + static_cast<size_t>(rest) + kLeastRoom;
  // Only a small file gets less than a slab of the usual size: slabs of many sizes would be
  // recycled seldom.
  const bool is_first = bytes_decoded_ == 0;
  const size_t usual = settings_->slab_bytes;
  const size_t wanted = std::max(least, is_first ? std::min(wish, usual) : usual);
  return settings_->pool->CapacityFor(wanted + kAlignment);
}

size_t ChunkDecoder::StartOffset(Bytes partial) const {
  size_t body_offset = settings_->first_body_offset;
  if (!partial.empty()) {
    // A message that is under way: its own beginning tells where its body is.
    constexpr size_t kPrefixBytes = 8;
    uint32_t metadata_bytes = 0;
    if (partial.size() >= kPrefixBytes) std::memcpy(&metadata_bytes, partial.data() + 4, 4);
    body_offset = kPrefixBytes + metadata_bytes;
  }
  return (kAlignment - body_offset % kAlignment) % kAlignment;
}

Status ChunkDecoder::NextSlab() {
  auto next = std::make_shared<PaidSlab>();
  next->slab = settings_->pool->Acquire(static_cast<size_t>(lease_.num_bytes()));
  if (!next->slab) return Status::Internal("out of memory");
  next->lease = std::exchange(lease_, {});
  const Bytes partial = slab_ ? Bytes(slab_->slab->data + begin_, end_ - begin_) : Bytes();
  const size_t start = StartOffset(partial);
  if (!partial.empty()) std::memcpy(next->slab->data + start, partial.data(), partial.size());
  moved_ = slab_ != nullptr;
  last_slab_ = std::exchange(slab_, std::move(next));
  if (format_ == Format::kPlain) last_slab_.reset();
  start_ = begin_ = start;
  end_ = start + partial.size();
  return Status::Ok();
}

Status ChunkDecoder::CutMessages(IpcDecoder& ipc) {
  while (true) {
    const Bytes available(slab_->slab->data + begin_, end_ - begin_);
    if (available.empty()) break;
    ASSIGN_OR_RETURN(const std::optional<IpcMessage> message,
                     ReadIpcMessage(available, kMaxMessageBytes, &message_bytes_));
    if (!message) break;
    message_bytes_ = 0;
    RETURN_IF_ERROR(TakeMessage(*message, ipc));
    begin_ += message->whole.size();
  }
  if (format_ == Format::kLz4 && lz4_->AtFrameEnd()) return FlushHeld();
  return Status::Ok();
}

Status ChunkDecoder::TakeMessage(const IpcMessage& message, IpcDecoder& ipc) {
  switch (message.kind) {
    case IpcMessageKind::kSchema: {
      if (in_stream_) return Status::InvalidData("a second schema within one Arrow stream");
      ASSIGN_OR_RETURN(const std::shared_ptr<const Schema> schema, DecodeIpcSchema(message));
      RETURN_IF_ERROR(ipc.CheckSchema(*schema));
      in_stream_ = true;
      return Status::Ok();
    }
    case IpcMessageKind::kRecordBatch:
      if (!in_stream_) return Status::InvalidData("rows outside of an Arrow stream");
      return TakeBatch(message, ipc);
    case IpcMessageKind::kEndOfStream:
      if (!in_stream_) return Status::InvalidData("an end of stream without a stream");
      in_stream_ = false;
      ended_ = true;
      return Status::Ok();
  }
  return Status::Internal("unknown kind of message");
}

Status ChunkDecoder::TakeBatch(const IpcMessage& message, IpcDecoder& ipc) {
  if (std::exchange(first_batch_, false)) {
    const uint8_t* const file_start = slab_->slab->data + start_;
    // Only while the file's first slab holds it, so that the distance is that within the file.
    if (bytes_decoded_ == static_cast<int64_t>(end_ - start_)) {
      settings_->first_body_offset = static_cast<size_t>(message.body.data() - file_start);
    }
  }
  if (rows_seen_ >= num_rows_) return Status::Ok();  // padding past the declared rows
  const int64_t known_rows = rows_handed_out_ + small_rows_;
  auto memory = std::make_shared<BatchMemory>(BatchMemory{.slab = slab_});
  const int64_t copied_before = ipc.copied_bytes();
  ASSIGN_OR_RETURN(RecordBatch batch, ipc.DecodeBatch(message, memory));
  memory->outside = slab_->lease.Beside(ipc.copied_bytes() - copied_before);
  const int64_t first_row = rows_seen_;
  batch.Truncate(num_rows_ - first_row);
  rows_seen_ += batch.num_rows();
  if (batch.num_rows() == 0 || rows_seen_ <= known_rows) return Status::Ok();
  if (first_row < known_rows) DropFront(batch, known_rows - first_row);
  if (hold_until_checked_) {
    held_.push_back({std::move(batch), std::move(memory)});
    return Status::Ok();
  }
  return HandOut({std::move(batch), std::move(memory)});
}

Status ChunkDecoder::Push(DecodedBatch batch) {
  rows_handed_out_ += batch.batch.num_rows();
  return chunk_->batches().Push(std::move(batch));
}

Status ChunkDecoder::HandOut(DecodedBatch batch) {
  const int64_t num_rows = batch.batch.num_rows();
  if (small_rows_ + num_rows > settings_->batch_rows) RETURN_IF_ERROR(PushJoined());
  if (num_rows >= settings_->batch_rows) return Push(std::move(batch));
  small_rows_ += num_rows;
  small_.push_back(std::move(batch));
  return small_rows_ == settings_->batch_rows ? PushJoined() : Status::Ok();
}

Status ChunkDecoder::PushJoined() {
  std::vector<DecodedBatch> small = std::exchange(small_, {});
  small_rows_ = 0;
  if (small.size() < 2) return small.empty() ? Status::Ok() : Push(std::move(small.front()));
  std::vector<RecordBatch> parts;
  parts.reserve(small.size());
  for (DecodedBatch& batch : small) parts.push_back(std::move(batch.batch));
  Result<RecordBatch> joined = JoinBatches(*settings_->schema, parts);
  if (joined.ok()) {
    auto memory = std::make_shared<BatchMemory>();
    memory->outside = small.front().memory->slab->lease.Beside(NumBytes(*joined->c_array()));
    return Push({.batch = std::move(joined).value(), .memory = std::move(memory)});
  }
  // What cannot be joined goes as it is: joining is a favour.
  for (size_t i = 0; i < parts.size(); ++i) {
    RETURN_IF_ERROR(Push({.batch = std::move(parts[i]), .memory = std::move(small[i].memory)}));
  }
  return Status::Ok();
}

Status ChunkDecoder::FlushHeld() {
  for (DecodedBatch& batch : held_) RETURN_IF_ERROR(HandOut(std::move(batch)));
  held_.clear();
  return Status::Ok();
}

Status ChunkDecoder::CheckEnd() const {
  if (format_ == Format::kLz4 && !lz4_->AtFrameEnd()) {
    return Status::InvalidData("LZ4 frame: cut off");
  }
  if (begin_ != end_) return Status::InvalidData("the Arrow stream is cut off within a message");
  if (rows_seen_ < num_rows_) {
    return Status::Integrity(
        StrCat("the file holds ", rows_seen_, " rows, ", num_rows_, " were promised"));
  }
  return Status::Ok();
}

ChunkDecoder::Yield ChunkDecoder::Conclude(const Status& body_status) {
  if (!body_status.ok()) return Fail(body_status, false);
  if (Status status = CheckEnd(); !status.ok()) return Fail(std::move(status), true);
  if (!FlushHeld().ok() || !PushJoined().ok()) return Yield::kStopped;
  body_->Consume(0);
  settings_->lz4_shelf.PutBack(std::move(lz4_));
  slab_.reset();
  last_slab_.reset();
  lease_.Return();
  chunk_->batches().Finish();
  return Yield::kFinished;
}

}  // namespace dbx
