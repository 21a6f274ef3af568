// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "net/http_server.h"
#include "net/transport.h"

namespace dbx::local {

/// What happens to the connection once the planned bytes have gone.
enum class ReplyEnd : uint8_t { kKeepAlive, kClose, kTruncate, kReset, kStall };

/// What a reply is on the wire: its bytes, with all that its fault does to them, and what comes
/// after.
struct ReplyPlan {
  std::string head = {};
  std::vector<SharedBytes> body = {};  ///< of the bytes that are sent
  ReplyEnd end = ReplyEnd::kKeepAlive;
};

struct ReplyContext {
  bool head_only = false;  ///< the request was HEAD
  bool keep_alive = true;  ///< the request allows it
  WallTime now = {};
};

/// Takes `reply` apart: `body` holds on to what it needs.
ReplyPlan PlanReply(HttpReply reply, const ReplyContext& context);

/// A cursor over a plan's bytes, head first. The plan must stay where it is.
class ReplyCursor {
 public:
  explicit ReplyCursor(const ReplyPlan& plan);

  bool done() const { return next_ == pieces_.size(); }
  uint64_t remaining() const { return remaining_; }
  uint64_t sent() const { return sent_; }
  /// Writes what the transport takes, `limit` bytes at most, and moves on by that.
  IoResult WriteTo(Transport& transport, uint64_t limit);

 private:
  void Advance(uint64_t num_bytes);

  std::vector<OutgoingPiece> pieces_;
  size_t next_ = 0;
  uint64_t remaining_ = 0;
  uint64_t sent_ = 0;
};

}  // namespace dbx::local
