// SPDX-License-Identifier: Apache-2.0
// lower_bound LIST CONNECTIONS [CA_FILE]: reads every URL of the file LIST (one a line, all of one
// host) over so many keep-alive connections and decodes each body as LZ4 frames into memory that
// the connection keeps. No driver, no Arrow, no order, no retry: what is left is what every client
// of these bytes must do. Prints a line of JSON.
#include <fmt/core.h>
#include <lz4frame.h>
#include <netdb.h>
#include <openssl/ssl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
constexpr size_t kReadBytes = 512 << 10;
constexpr size_t kSlabBytes = size_t{1} << 30;  // addresses; a page is there once it was touched
constexpr size_t kBatchBytes = 1 << 20;
std::vector<std::string> targets;
std::string host, port;
std::atomic<size_t> next_target{0};
std::atomic<uint64_t> wire_bytes{0}, decoded_bytes{0};
std::atomic<int64_t> first_batch_ns{0};
SSL_CTX* tls_context = nullptr;
Clock::time_point start;

void Require(bool good, const char* what) {
  if (good) return;
  fmt::print(stderr, "lower_bound: {}\n", what);
  std::_Exit(1);
}

void ReadList(const char* path, const char* ca_file) {
  std::ifstream list(path);
  for (std::string url; std::getline(list, url);) {
    const size_t begin = url.find("://") + 3, slash = url.find('/', begin);
    const size_t colon = url.find(':', begin);
    host = url.substr(begin, colon - begin);
    port = url.substr(colon + 1, slash - colon - 1);
    targets.push_back(url.substr(slash));
    if (url.rfind("https", 0) != 0 || tls_context != nullptr) continue;
    tls_context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_verify(tls_context, SSL_VERIFY_PEER, nullptr);
    Require(ca_file && SSL_CTX_load_verify_locations(tls_context, ca_file, nullptr) == 1, "CA");
  }
}

class Reader {
 public:
  Reader() : buffer_(kReadBytes) {
    addrinfo* found = nullptr;
    Require(::getaddrinfo(host.c_str(), port.c_str(), nullptr, &found) == 0, "unknown host");
    socket_ = ::socket(found->ai_family, SOCK_STREAM, 0);
    Require(::connect(socket_, found->ai_addr, found->ai_addrlen) == 0, "cannot connect");
    if (tls_context != nullptr) {
      tls_ = SSL_new(tls_context);
      SSL_set_fd(tls_, socket_);
      Require(SSL_connect(tls_) == 1, "TLS handshake");
    }
    slab_ = static_cast<char*>(::mmap(nullptr, kSlabBytes, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    Require(slab_ != MAP_FAILED, "no memory");
    LZ4F_createDecompressionContext(&lz4_, LZ4F_VERSION);
  }

  void Fetch(const std::string& target) {
    Send(fmt::format("GET {} HTTP/1.1\r\nHost: {}:{}\r\n\r\n", target, host, port));
    size_t have = 0;
    const char* end = nullptr;
    while (end == nullptr) {
      have += Receive(buffer_.data() + have, buffer_.size() - have);
      end = static_cast<const char*>(::memmem(buffer_.data(), have, "\r\n\r\n", 4));
    }
    const std::string head(static_cast<const char*>(buffer_.data()), end + 2);
    const char* const length = ::strcasestr(head.c_str(), "content-length:");
    Require(head.rfind("HTTP/1.1 200", 0) == 0 && length != nullptr, "not a whole 200 response");
    size_t left = std::strtoull(length + 15, nullptr, 10);
    wire_bytes += left;
    decoded_ = 0;
    size_t got = have - head.size() - 2;
    for (const char* from = end + 4;; from = buffer_.data()) {
      Require(got <= left, "more bytes than stated");
      Decode(from, got);
      left -= got;
      if (left == 0) break;
      got = Receive(buffer_.data(), std::min(buffer_.size(), left));
    }
    Require(hint_ == 0, "an LZ4 frame is cut short");
    decoded_bytes += decoded_;
  }

 private:
  void Send(const std::string& text) {
    const int size = static_cast<int>(text.size());
    Require((tls_ ? SSL_write(tls_, text.data(), size)
                  : ::send(socket_, text.data(), text.size(), 0)) == size,
            "send");
  }
  size_t Receive(char* to, size_t room) {
    const ssize_t got = tls_ ? SSL_read(tls_, to, int(room)) : ::recv(socket_, to, room, 0);
    Require(got > 0, "connection ended early");
    return static_cast<size_t>(got);
  }
  void Decode(const char* from, size_t left) {
    LZ4F_decompressOptions_t stable{};
    stable.stableDst = 1;
    while (left > 0) {
      size_t used = left, made = kSlabBytes - decoded_;
      hint_ = LZ4F_decompress(lz4_, slab_ + decoded_, &made, from, &used, &stable);
      Require(!LZ4F_isError(hint_), "not LZ4");
      decoded_ += made;
      from += used;
      left -= used;
    }
    if (decoded_ >= kBatchBytes && first_batch_ns == 0)
      first_batch_ns = (Clock::now() - start).count();
  }

  std::vector<char> buffer_;
  int socket_ = -1;
  SSL* tls_ = nullptr;
  char* slab_ = nullptr;
  LZ4F_dctx* lz4_ = nullptr;
  size_t decoded_ = 0, hint_ = 0;
};

void ReadFiles() {
  Reader reader;
  for (size_t i = next_target++; i < targets.size(); i = next_target++) reader.Fetch(targets[i]);
}

}  // namespace

int main(int argc, char** argv) {
  Require(argc >= 3, "lower_bound LIST CONNECTIONS [CA_FILE]");
  ReadList(argv[1], argc > 3 ? argv[3] : nullptr);
  start = Clock::now();
  std::vector<std::thread> threads;
  for (int i = std::atoi(argv[2]); i > 0; --i) threads.emplace_back(ReadFiles);
  for (std::thread& thread : threads) thread.join();
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto to_seconds = [](timeval t) { return double(t.tv_sec) + double(t.tv_usec) / 1e6; };
  fmt::print(
      "{{\"seconds\":{:.6f},\"first_batch\":{:.6f},\"cpu_user\":{:.4f},\"cpu_system\":{:.4f},",
      seconds, double(first_batch_ns) / 1e9, to_seconds(used.ru_utime), to_seconds(used.ru_stime));
  fmt::print("\"wire_bytes\":{},\"decoded_bytes\":{},\"peak_kib\":{},\"minor_faults\":{}}}\n",
             wire_bytes.load(), decoded_bytes.load(), used.ru_maxrss, used.ru_minflt);
}
