// SPDX-License-Identifier: Apache-2.0
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "net/transport.h"

namespace dbx::local {
namespace {

IoResult FromErrno(IoResult::Outcome want) {
  const bool again = errno == EAGAIN || errno == EWOULDBLOCK;
  return {.outcome = again ? want : IoResult::Outcome::kClosed};
}

class PlainTransport final : public Transport {
 public:
  explicit PlainTransport(int descriptor) : descriptor_(descriptor) {}

  IoResult Handshake() override { return {}; }

  IoResult Read(std::span<char> into) override {
    ssize_t read = 0;
    do {
      read = ::recv(descriptor_, into.data(), into.size(), 0);
    } while (read < 0 && errno == EINTR);
    if (read < 0) return FromErrno(IoResult::Outcome::kWantRead);
    if (read == 0) return {.outcome = IoResult::Outcome::kClosed};
    return {.num_bytes = static_cast<size_t>(read)};
  }

  IoResult Write(std::span<const OutgoingPiece> pieces, uint64_t limit) override {
    ssize_t written = 0;
    do {
      written =
          pieces.front().file >= 0 ? SendFile(pieces.front(), limit) : SendMemory(pieces, limit);
    } while (written < 0 && errno == EINTR);
    if (written < 0) return FromErrno(IoResult::Outcome::kWantWrite);
    if (written == 0)
      return {.outcome = IoResult::Outcome::kClosed};  // the file is shorter than it was
    return {.num_bytes = static_cast<size_t>(written)};
  }

  void FinishWriting() override { ::shutdown(descriptor_, SHUT_WR); }

 private:
  // The kernel links the file's pages into the socket: on this machine's own network the only copy
  // is the reader's.
  ssize_t SendFile(const OutgoingPiece& piece, uint64_t limit) const {
    auto offset = static_cast<off_t>(piece.file_offset);
    return ::sendfile(descriptor_, piece.file, &offset, std::min<uint64_t>(piece.num_bytes, limit));
  }

  ssize_t SendMemory(std::span<const OutgoingPiece> pieces, uint64_t limit) const {
    std::array<iovec, 16> vectors;
    size_t count = 0;
    while (count < vectors.size() && count < pieces.size() && pieces[count].file < 0 && limit > 0) {
      const uint64_t taken = std::min<uint64_t>(pieces[count].num_bytes, limit);
      vectors[count] = {.iov_base = const_cast<uint8_t*>(pieces[count].data),
                        .iov_len = taken};  // NOLINT
      limit -= taken;
      ++count;
    }
    msghdr message{};
    message.msg_iov = vectors.data();
    message.msg_iovlen = count;
    // A head goes into one segment with the file's first bytes.
    const bool more = count < pieces.size() && limit > 0;
    return ::sendmsg(descriptor_, &message, MSG_NOSIGNAL | (more ? MSG_MORE : 0));
  }

  const int descriptor_;
};

}  // namespace

std::unique_ptr<Transport> MakePlainTransport(int descriptor) {
  return std::make_unique<PlainTransport>(descriptor);
}

}  // namespace dbx::local
