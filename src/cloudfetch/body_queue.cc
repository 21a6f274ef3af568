// SPDX-License-Identifier: Apache-2.0
#include "cloudfetch/body_queue.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace dbx {
namespace {

// Fewer bytes are not worth waking a worker for.
constexpr int64_t kWorthDecoding = 128 << 10;
// Blocks that a ticket still reaches for when more is asked for.
constexpr int64_t kLowTicketBlocks = 2;

}  // namespace

bool BodyQueue::AddTicket(MemoryBudget::Lease lease) {
  MutexLock lock(mutex_);
  ticket_.Merge(std::move(lease));
  low_ticket_told_ = false;
  return std::exchange(missing_bytes_, 0) > 0;
}

int64_t BodyQueue::missing_bytes() const {
  MutexLock lock(mutex_);
  return missing_bytes_;
}

bool BodyQueue::IsTicketLow() const {
  if (ended_) return false;
  const int64_t low_bytes = kLowTicketBlocks * static_cast<int64_t>(block_bytes_);
  const auto room = static_cast<int64_t>(blocks_.empty() ? 0 : blocks_.back().room());
  const int64_t reach = ticket_.num_bytes() + room;
  return bytes_to_come_ > 0 && ticket_.num_bytes() < low_bytes && reach < bytes_to_come_;
}

bool BodyQueue::is_ticket_low() const {
  MutexLock lock(mutex_);
  return IsTicketLow();
}

bool BodyQueue::ShouldAskForTicket() {
  MutexLock lock(mutex_);
  if (low_ticket_told_ || !IsTicketLow()) return false;
  low_ticket_told_ = true;
  return true;
}

void BodyQueue::DropTicket() {
  MemoryBudget::Lease rest;  // goes back outside the lock
  MutexLock lock(mutex_);
  std::swap(rest, ticket_);
  missing_bytes_ = 0;
}

bool BodyQueue::Open() {
  MutexLock lock(mutex_);
  open_ = true;
  return TakeTurn();
}

bool BodyQueue::End(Status status) {
  MutexLock lock(mutex_);
  ended_ = true;
  end_status_ = std::move(status);
  return TakeTurn();
}

bool BodyQueue::Abort(Status status) {
  std::deque<Block> dropped;
  MutexLock lock(mutex_);
  // A worker reads outside the lock what Front has shown it.
  if (!decoding_) dropped.swap(blocks_);
  unread_bytes_ = 0;
  ended_ = aborted_ = true;
  end_status_ = std::move(status);
  return TakeTurn();
}

void BodyQueue::Restart() {
  std::deque<Block> dropped;
  MutexLock lock(mutex_);
  dropped.swap(blocks_);
  unread_bytes_ = 0;
  missing_bytes_ = 0;
  bytes_to_come_ = 0;
  any_came_ = false;
  low_ticket_told_ = false;
  decoding_ = false;
  ended_ = aborted_ = false;
  end_status_ = Status::Ok();
}

int64_t BodyQueue::unread_bytes() const {
  MutexLock lock(mutex_);
  return unread_bytes_;
}

bool BodyQueue::TakeOver(BodyQueue& other) {
  std::deque<Block> blocks;
  MemoryBudget::Lease ticket;
  int64_t unread_bytes = 0, missing_bytes = 0;
  {
    MutexLock lock(other.mutex_);
    blocks.swap(other.blocks_);
    std::swap(ticket, other.ticket_);
    unread_bytes = std::exchange(other.unread_bytes_, 0);
    missing_bytes = std::exchange(other.missing_bytes_, 0);
  }
  MutexLock lock(mutex_);
  for (Block& block : blocks) blocks_.push_back(std::move(block));
  ticket_.Merge(std::move(ticket));
  unread_bytes_ += unread_bytes;
  missing_bytes_ = missing_bytes;
  low_ticket_told_ = false;
  return TakeTurn();
}

bool BodyQueue::is_starving() const {
  MutexLock lock(mutex_);
  return open_ && !decoding_ && !ended_;
}

bool BodyQueue::TakeTurn() {
  if (!open_ || decoding_) return false;
  const bool worth = unread_bytes_ >= kWorthDecoding || (missing_bytes_ > 0 && unread_bytes_ > 0);
  if (!ended_ && !worth) return false;
  decoding_ = true;
  return true;
}

bool BodyQueue::TakeLeases(size_t num_bytes, size_t block_bytes,
                           std::vector<MemoryBudget::Lease>* leases) {
  MutexLock lock(mutex_);
  const size_t room = blocks_.empty() ? 0 : blocks_.back().room();
  if (num_bytes <= room) return true;
  const auto num_blocks = static_cast<int64_t>((num_bytes - room + block_bytes - 1) / block_bytes);
  const int64_t wanted = num_blocks * static_cast<int64_t>(block_bytes);
  if (ticket_.num_bytes() < wanted) {
    missing_bytes_ = wanted - ticket_.num_bytes();
    return false;
  }
  for (int64_t i = 0; i < num_blocks; ++i) {
    leases->push_back(ticket_.Split(static_cast<int64_t>(block_bytes)));
  }
  return true;
}

bool BodyQueue::IsEmpty() const {
  MutexLock lock(mutex_);
  return blocks_.empty() && !any_came_;
}

BodyQueue::Appended BodyQueue::Append(Bytes piece, int64_t bytes_to_come) {
  // A small file does not need a whole block. The ends of large ones have whole blocks too: blocks
  // of many sizes would be recycled seldom.
  const size_t rest =
      std::max(static_cast<size_t>(std::max<int64_t>(bytes_to_come, 0)), piece.size());
  const bool is_small_file = bytes_to_come > 0 && IsEmpty();
  const size_t block_bytes =
      pool_->CapacityFor(is_small_file ? std::min(rest, block_bytes_) : block_bytes_);
  std::vector<MemoryBudget::Lease> leases;
  if (!TakeLeases(piece.size(), block_bytes, &leases)) {
    MutexLock lock(mutex_);
    return TakeTurn() ? Appended::kNoTicketDecode : Appended::kNoTicket;
  }
  std::vector<Block> fresh;
  for (MemoryBudget::Lease& lease : leases) {
    Block block{.lease = std::move(lease), .slab = pool_->Acquire(block_bytes)};
    if (!block.slab) return Appended::kNoMemory;
    fresh.push_back(std::move(block));
  }
  MutexLock lock(mutex_);
  const size_t first = blocks_.size();
  for (Block& block : fresh) blocks_.push_back(std::move(block));
  any_came_ = true;
  Copy(piece, first == 0 ? 0 : first - 1);
  unread_bytes_ += static_cast<int64_t>(piece.size());
  bytes_to_come_ = bytes_to_come > 0 ? static_cast<int64_t>(rest - piece.size()) : 0;
  return TakeTurn() ? Appended::kDecode : Appended::kTaken;
}

void BodyQueue::Copy(Bytes piece, size_t first_block) {
  for (size_t i = first_block; i < blocks_.size() && !piece.empty(); ++i) {
    Block& block = blocks_[i];
    const size_t num_bytes = std::min(block.room(), piece.size());
    std::memcpy(block.slab->data + block.filled, piece.data(), num_bytes);
    block.filled += num_bytes;
    piece = piece.subspan(num_bytes);
  }
}

BodyQueue::View BodyQueue::Front() const {
  MutexLock lock(mutex_);
  if (aborted_) return View{.bytes = {}, .ended = true, .status = end_status_};
  // The first block with something unread; those before it are full and read.
  for (size_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = blocks_[i];
    if (block.unread() == 0) continue;
    return View{.bytes = Bytes(block.slab->data + block.consumed, block.unread()),
                .ended = ended_ && i + 1 == blocks_.size(),
                .status = end_status_};
  }
  return View{.bytes = {}, .ended = ended_, .status = end_status_};
}

void BodyQueue::Consume(size_t num_bytes) {
  std::vector<Block> used_up;  // goes back outside the lock
  MutexLock lock(mutex_);
  if (aborted_) return;
  unread_bytes_ -= static_cast<int64_t>(num_bytes);
  while (!blocks_.empty()) {
    Block& block = blocks_.front();
    const size_t taken = std::min(num_bytes, block.unread());
    block.consumed += taken;
    num_bytes -= taken;
    const bool more_fits = block.room() > 0 && blocks_.size() == 1 && !ended_;
    if (block.unread() > 0 || more_fits) return;
    used_up.push_back(std::move(block));
    blocks_.pop_front();
  }
}

BodyQueue::Parked BodyQueue::Park(size_t seen_bytes) {
  MutexLock lock(mutex_);
  if (ended_ || unread_bytes_ > static_cast<int64_t>(seen_bytes)) return Parked::kNo;
  decoding_ = false;
  return missing_bytes_ > 0 ? Parked::kYesTicketMissing : Parked::kYes;
}

}  // namespace dbx
