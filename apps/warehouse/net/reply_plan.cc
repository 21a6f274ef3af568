// SPDX-License-Identifier: Apache-2.0
#include "net/reply_plan.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/bytes.h"
#include "base/str_cat.h"
#include "net/http_text.h"

namespace dbx::local {
namespace {

std::vector<SharedBytes> TakeBody(HttpReply& reply) {
  if (!reply.parts.empty()) return std::move(reply.parts);
  if (reply.body.empty()) return {};
  auto text = std::make_shared<const std::string>(std::move(reply.body));
  const Bytes bytes = AsBytes(*text);
  return {SharedBytes{.owner = std::move(text), .bytes = bytes}};
}

uint64_t TotalBytes(const std::vector<SharedBytes>& parts) {
  uint64_t total = 0;
  for (const SharedBytes& part : parts) total += part.bytes.size();
  return total;
}

SharedBytes Slice(const SharedBytes& part, uint64_t first, uint64_t num_bytes) {
  return {.owner = part.owner,
          .bytes = part.bytes.subspan(first, num_bytes),
          .file = part.file,
          .file_offset = part.file_offset + first};
}

std::vector<SharedBytes> FirstBytes(const std::vector<SharedBytes>& parts, uint64_t num_bytes) {
  std::vector<SharedBytes> kept;
  for (const SharedBytes& part : parts) {
    if (num_bytes == 0) break;
    const uint64_t taken = std::min<uint64_t>(part.bytes.size(), num_bytes);
    kept.push_back(Slice(part, 0, taken));
    num_bytes -= taken;
  }
  return kept;
}

// The stored bytes are shared, so the wrong one is a part of its own between two slices of the
// right ones.
std::vector<SharedBytes> FlipByte(const std::vector<SharedBytes>& parts, uint64_t position) {
  std::vector<SharedBytes> changed;
  for (const SharedBytes& part : parts) {
    const uint64_t size = part.bytes.size();
    if (position >= size) {
      changed.push_back(part);
    } else {
      auto wrong =
          std::make_shared<const uint8_t>(static_cast<uint8_t>(part.bytes[position] ^ 0xff));
      const Bytes bytes(wrong.get(), 1);
      changed.push_back(Slice(part, 0, position));
      changed.push_back({.owner = std::move(wrong), .bytes = bytes});
      changed.push_back(Slice(part, position + 1, size - position - 1));
      position = UINT64_MAX;
      continue;
    }
    if (position != UINT64_MAX) position -= size;
  }
  return changed;
}

struct Cut {
  uint64_t after = UINT64_MAX;
  ReplyEnd end = ReplyEnd::kKeepAlive;
};

void Consider(std::optional<uint64_t> after, ReplyEnd end, uint64_t body_bytes, Cut& cut) {
  if (!after) return;
  const uint64_t position = *after > body_bytes ? *after % (body_bytes + 1) : *after;
  if (position < cut.after) cut = {.after = position, .end = end};
}

Cut FirstCut(const ReplyFault& fault, uint64_t body_bytes) {
  Cut cut;
  Consider(fault.reset_after, ReplyEnd::kReset, body_bytes, cut);
  Consider(fault.truncate_after, ReplyEnd::kTruncate, body_bytes, cut);
  Consider(fault.stall_after, ReplyEnd::kStall, body_bytes, cut);
  return cut;
}

bool MayHaveBody(int status) {
  return status >= 200 && status != 204 && status != 304;
}

std::string FormatHead(const HttpReply& reply, uint64_t content_length, bool keep_alive,
                       WallTime now) {
  std::string head = StrCat("HTTP/1.1 ", reply.status, " ", ReasonPhrase(reply.status), "\r\n");
  for (const auto& [name, value] : reply.headers) head += StrCat(name, ": ", value, "\r\n");
  head += StrCat("Date: ", HttpDate(now), "\r\n");
  if (MayHaveBody(reply.status)) head += StrCat("Content-Length: ", content_length, "\r\n");
  if (!keep_alive) head += "Connection: close\r\n";
  return head + "\r\n";
}

uint64_t StatedLength(uint64_t body_bytes, int64_t delta) {
  if (delta >= 0) return body_bytes + static_cast<uint64_t>(delta);
  const uint64_t less = static_cast<uint64_t>(-(delta + 1)) + 1;
  return less > body_bytes ? 0 : body_bytes - less;
}

}  // namespace

ReplyPlan PlanReply(HttpReply reply, const ReplyContext& context) {
  const ReplyFault fault = reply.fault;
  ReplyPlan plan;
  plan.body = TakeBody(reply);
  const uint64_t body_bytes = TotalBytes(plan.body);
  // With a wrong length nobody can tell where the next reply begins.
  const bool keep_alive = context.keep_alive && !fault.content_length_delta;
  plan.head = FormatHead(reply, StatedLength(body_bytes, fault.content_length_delta.value_or(0)),
                         keep_alive, context.now);
  plan.end = keep_alive ? ReplyEnd::kKeepAlive : ReplyEnd::kClose;

  const bool bodiless = context.head_only || !MayHaveBody(reply.status);
  if (bodiless) plan.body.clear();
  const uint64_t sent_bytes = bodiless ? 0 : body_bytes;
  if (fault.corrupt_at && sent_bytes > 0)
    plan.body = FlipByte(plan.body, *fault.corrupt_at % sent_bytes);
  if (const Cut cut = FirstCut(fault, sent_bytes); cut.end != ReplyEnd::kKeepAlive) {
    plan.body = FirstBytes(plan.body, cut.after);
    plan.end = cut.end;
  }
  return plan;
}

ReplyCursor::ReplyCursor(const ReplyPlan& plan) {
  pieces_.reserve(plan.body.size() + 1);
  pieces_.push_back({.data = AsBytes(plan.head).data(), .num_bytes = plan.head.size()});
  for (const SharedBytes& part : plan.body) {
    if (part.bytes.empty()) continue;
    pieces_.push_back({.data = part.bytes.data(),
                       .num_bytes = part.bytes.size(),
                       .file = part.file,
                       .file_offset = part.file_offset});
  }
  for (const OutgoingPiece& piece : pieces_) remaining_ += piece.num_bytes;
}

IoResult ReplyCursor::WriteTo(Transport& transport, uint64_t limit) {
  const IoResult result = transport.Write(std::span(pieces_).subspan(next_), limit);
  if (result.outcome == IoResult::Outcome::kDone) Advance(result.num_bytes);
  return result;
}

void ReplyCursor::Advance(uint64_t num_bytes) {
  sent_ += num_bytes;
  remaining_ -= num_bytes;
  while (num_bytes > 0) {
    OutgoingPiece& piece = pieces_[next_];
    const uint64_t taken = std::min<uint64_t>(piece.num_bytes, num_bytes);
    piece.data += taken;
    piece.num_bytes -= taken;
    piece.file_offset += taken;
    num_bytes -= taken;
    if (piece.num_bytes == 0) ++next_;
  }
}

}  // namespace dbx::local
