// SPDX-License-Identifier: Apache-2.0
#include "cloudfetch/memory_budget.h"

#include <algorithm>

namespace dbx {
namespace {

// What the chunks after the head may hold when the consumer keeps the rest of the limit and more.
constexpr int64_t kShareBesideConsumer = 4;

}  // namespace

MemoryBudget::Lease& MemoryBudget::Lease::operator=(Lease&& other) noexcept {
  if (this == &other) return *this;
  Return();
  budget_ = std::move(other.budget_);
  num_bytes_ = std::exchange(other.num_bytes_, 0);
  delivered_ = std::exchange(other.delivered_, false);
  return *this;
}

MemoryBudget::Lease MemoryBudget::Lease::Beside(int64_t num_bytes) const {
  if (!budget_ || num_bytes == 0) return {};
  budget_->AddUsed(num_bytes);
  return Lease(budget_, num_bytes);
}

MemoryBudget::Lease MemoryBudget::Lease::Split(int64_t num_bytes) {
  const int64_t taken = std::min(num_bytes, num_bytes_);
  num_bytes_ -= taken;
  return Lease(budget_, taken);
}

void MemoryBudget::Lease::Merge(Lease other) {
  if (!budget_) budget_ = other.budget_;
  num_bytes_ += std::exchange(other.num_bytes_, 0);
}

void MemoryBudget::Lease::MarkDelivered() {
  if (delivered_ || !budget_) return;
  delivered_ = true;
  budget_->AddDelivered(num_bytes_);
}

void MemoryBudget::Lease::Return() {
  if (budget_ && num_bytes_ > 0) budget_->GiveBack(num_bytes_, delivered_);
  num_bytes_ = 0;
  delivered_ = false;
}

std::shared_ptr<MemoryBudget> MemoryBudget::Make(int64_t limit_bytes,
                                                 std::shared_ptr<Signal> changed) {
  return std::make_shared<MemoryBudget>(limit_bytes, std::move(changed));
}

bool MemoryBudget::Fits(int64_t num_bytes, int64_t headroom, Claim claim) const {
  if (used_bytes_ == 0) return true;
  const int64_t own_bytes = used_bytes_ - delivered_bytes_;
  if (claim == Claim::kAhead && own_bytes + num_bytes > read_ahead_bytes_) return false;
  if (num_bytes + headroom <= limit_bytes_ - used_bytes_) return true;
  if (!reader_waits_) return false;
  if (claim == Claim::kHead) return true;
  return own_bytes + num_bytes <= limit_bytes_ / kShareBesideConsumer;
}

std::optional<MemoryBudget::Lease> MemoryBudget::TryReserve(int64_t num_bytes, int64_t headroom,
                                                            Claim claim) {
  MutexLock lock(mutex_);
  if (!Fits(num_bytes, headroom, claim)) {
    refused_ = true;
    return std::nullopt;
  }
  used_bytes_ += num_bytes;
  peak_bytes_ = std::max(peak_bytes_, used_bytes_);
  return Lease(shared_from_this(), num_bytes);
}

void MemoryBudget::SetReadAheadLimit(int64_t num_bytes) {
  MutexLock lock(mutex_);
  read_ahead_bytes_ = num_bytes;
}

bool MemoryBudget::HasRoomAhead(int64_t num_bytes) {
  MutexLock lock(mutex_);
  const bool fits = used_bytes_ - delivered_bytes_ + num_bytes <= read_ahead_bytes_;
  refused_ = refused_ || !fits;
  return fits;
}

bool MemoryBudget::reader_waits() const {
  MutexLock lock(mutex_);
  return reader_waits_;
}

bool MemoryBudget::IsReaderWaiting(bool wake_when_it_does) {
  MutexLock lock(mutex_);
  refused_ = refused_ || (!reader_waits_ && wake_when_it_does);
  return reader_waits_;
}

void MemoryBudget::SetReaderWaits(bool waits) {
  {
    MutexLock lock(mutex_);
    reader_waits_ = waits;
    if (!waits || !refused_) return;
    refused_ = false;
  }
  changed_->Raise();
}

void MemoryBudget::GiveBack(int64_t num_bytes, bool delivered) {
  {
    MutexLock lock(mutex_);
    used_bytes_ -= num_bytes;
    if (delivered) delivered_bytes_ -= num_bytes;
    if (!refused_) return;
    refused_ = false;
  }
  changed_->Raise();
}

void MemoryBudget::AddDelivered(int64_t num_bytes) {
  MutexLock lock(mutex_);
  delivered_bytes_ += num_bytes;
}

void MemoryBudget::AddUsed(int64_t num_bytes) {
  MutexLock lock(mutex_);
  used_bytes_ += num_bytes;
  peak_bytes_ = std::max(peak_bytes_, used_bytes_);
}

int64_t MemoryBudget::used_bytes() const {
  MutexLock lock(mutex_);
  return used_bytes_;
}

int64_t MemoryBudget::delivered_bytes() const {
  MutexLock lock(mutex_);
  return delivered_bytes_;
}

int64_t MemoryBudget::peak_bytes() const {
  MutexLock lock(mutex_);
  return peak_bytes_;
}

}  // namespace dbx
