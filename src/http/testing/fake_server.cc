// SPDX-License-Identifier: Apache-2.0
#include "http/testing/fake_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <tuple>

#include "base/str_cat.h"
#include "http/testing/fake_certificate.h"

namespace dbx {
namespace {

// A test that cannot even open a socket has nothing to say.
int Must(int result) {
  if (result < 0) std::abort();
  return result;
}

bool SameName(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return tolower(x) == tolower(y); });
}

sockaddr_in Loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(port));
  return address;
}

/// A listening socket and its port.
std::pair<int, int> Listen(int backlog) {
  const int listener = Must(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = Loopback(0);
  socklen_t size = sizeof(address);
  Must(bind(listener, reinterpret_cast<sockaddr*>(&address), size));
  Must(listen(listener, backlog));
  Must(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size));
  return {listener, ntohs(address.sin_port)};
}

std::string_view ReasonPhrase(int status) {
  return status < 300 ? "OK" : status < 400 ? "Elsewhere" : status < 500 ? "Refused" : "Broken";
}

std::string HeadText(const FakeAnswer& answer) {
  std::string text = StrCat("HTTP/1.1 ", answer.status, " ", ReasonPhrase(answer.status), "\r\n");
  for (const auto& [name, value] : answer.headers) text += StrCat(name, ": ", value, "\r\n");
  if (answer.framing == FakeAnswer::Framing::kChunked) {
    text += "Transfer-Encoding: chunked\r\n";
  } else if (answer.framing == FakeAnswer::Framing::kUntilClose) {
    text += "Connection: close\r\n";
  } else {
    const auto true_length = static_cast<int64_t>(answer.body.size());
    text += StrCat(
        "Content-Length: ", answer.stated_length < 0 ? true_length : answer.stated_length, "\r\n");
  }
  return text + "\r\n";
}

std::string ChunkHead(size_t size) {
  char digits[16];
  return StrCat(std::string_view(digits, std::to_chars(digits, digits + 16, size, 16).ptr - digits),
                "\r\n");
}

std::optional<int64_t> ToNumber(std::string_view text) {
  int64_t number = 0;
  const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<FakeRequest> ParseHead(std::string_view head) {
  FakeRequest request;
  const std::string_view line = head.substr(0, head.find("\r\n"));
  const size_t first = line.find(' ');
  const size_t last = line.rfind(' ');
  if (first == std::string_view::npos || last <= first) return std::nullopt;
  request.method = line.substr(0, first);
  request.target = line.substr(first + 1, last - first - 1);
  request.path = request.target.substr(0, request.target.find('?'));
  head.remove_prefix(line.size() + 2);
  while (!head.empty()) {
    const std::string_view field = head.substr(0, head.find("\r\n"));
    const size_t colon = field.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const size_t value = field.find_first_not_of(' ', colon + 1);
    request.headers.emplace_back(field.substr(0, colon),
                                 value == std::string_view::npos ? "" : field.substr(value));
    head.remove_prefix(std::min(head.size(), field.size() + 2));
  }
  return request;
}

}  // namespace

FakeGate::FakeGate() : fd_(Must(eventfd(0, EFD_CLOEXEC))) {}
FakeGate::~FakeGate() {
  close(fd_);
}
void FakeGate::Open() {
  Must(eventfd_write(fd_, 1));
}

std::string_view FakeRequest::Header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (SameName(key, name)) return value;
  }
  return {};
}

bool FakeRequest::HasHeader(std::string_view name) const {
  return std::any_of(headers.begin(), headers.end(),
                     [&](const auto& header) { return SameName(header.first, name); });
}

FakeAnswer FakeFile(const FakeRequest& request, std::string_view whole) {
  constexpr std::string_view kPrefix = "bytes=";
  const std::string_view range = request.Header("Range");
  if (!range.starts_with(kPrefix)) return {.body = std::string(whole)};
  const std::string_view span = range.substr(kPrefix.size());
  const size_t dash = span.find('-');
  const auto size = static_cast<int64_t>(whole.size());
  const int64_t first = ToNumber(span.substr(0, dash)).value_or(size);
  const int64_t last = std::min(ToNumber(span.substr(dash + 1)).value_or(size - 1), size - 1);
  if (first < 0 || first >= size || last < first) {
    return {.status = 416, .headers = {{"Content-Range", StrCat("bytes */", size)}}};
  }
  return {.status = 206,
          .headers = {{"Content-Range", StrCat("bytes ", first, "-", last, "/", size)}},
          .body = std::string(whole.substr(first, last - first + 1))};
}

struct FakeServer::Tls {
  explicit Tls(const FakeServerOptions& options) : certificate(options.certificate_host) {
    if (!options.only_tls_1_1) return;
    SSL_CTX_set_security_level(certificate.context(), 0);
    SSL_CTX_set_min_proto_version(certificate.context(), TLS1_1_VERSION);
    SSL_CTX_set_max_proto_version(certificate.context(), TLS1_1_VERSION);
  }
  FakeCertificate certificate;
};

/// One client's socket, on the thread that serves it.
class FakeServer::Connection {
 public:
  Connection(int socket, int stop, SSL_CTX* context)
      : socket_(socket), stop_(stop), ssl_(context ? SSL_new(context) : nullptr) {
    if (ssl_) SSL_set_fd(ssl_, socket_);
  }
  ~Connection() { SSL_free(ssl_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  bool Greet() { return !ssl_ || SSL_accept(ssl_) == 1; }
  std::optional<FakeRequest> ReadRequest();
  /// False when the conversation is over.
  bool Send(const FakeRequest& request, const FakeAnswer& answer);

 private:
  bool Fill();
  bool Write(std::string_view bytes);
  bool WriteBody(const FakeAnswer& answer, int64_t begin, int64_t end);
  bool Pass(const FakeGate& gate);
  bool Reset();

  const int socket_;
  const int stop_;
  SSL* const ssl_;
  std::string buffer_;
};

bool FakeServer::Connection::Fill() {
  char bytes[16384];
  const ssize_t size =
      ssl_ ? SSL_read(ssl_, bytes, sizeof(bytes)) : recv(socket_, bytes, sizeof(bytes), 0);
  if (size <= 0) return false;
  buffer_.append(bytes, static_cast<size_t>(size));
  return true;
}

std::optional<FakeRequest> FakeServer::Connection::ReadRequest() {
  size_t head_size = 0;
  while ((head_size = buffer_.find("\r\n\r\n")) == std::string::npos) {
    if (!Fill()) return std::nullopt;
    if (buffer_[0] < 'A' || buffer_[0] > 'Z') {
      Write("HTTP/1.1 400 Not HTTP\r\nConnection: close\r\n\r\n");
      return std::nullopt;
    }
  }
  std::optional<FakeRequest> request = ParseHead(std::string_view(buffer_).substr(0, head_size));
  if (!request) return std::nullopt;
  const auto body_size =
      static_cast<size_t>(ToNumber(request->Header("Content-Length")).value_or(0));
  while (buffer_.size() < head_size + 4 + body_size) {
    if (!Fill()) return std::nullopt;
  }
  request->body = buffer_.substr(head_size + 4, body_size);
  buffer_.erase(0, head_size + 4 + body_size);
  return request;
}

bool FakeServer::Connection::Write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t size = ssl_ ? SSL_write(ssl_, bytes.data(), static_cast<int>(bytes.size()))
                              : send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (size <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(size));
  }
  return true;
}

bool FakeServer::Connection::Pass(const FakeGate& gate) {
  pollfd ends[] = {{gate.fd(), POLLIN, 0}, {stop_, POLLIN, 0}, {socket_, POLLRDHUP, 0}};
  while (poll(ends, 3, -1) < 0 && errno == EINTR) {
  }
  return ends[0].revents != 0 && ends[1].revents == 0 && ends[2].revents == 0;
}

bool FakeServer::Connection::Reset() {
  const linger at_once{1, 0};
  setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
  return false;
}

bool FakeServer::Connection::WriteBody(const FakeAnswer& answer, int64_t begin, int64_t end) {
  const std::string_view piece =
      std::string_view(answer.body).substr(begin, std::max<int64_t>(end - begin, 0));
  if (answer.framing != FakeAnswer::Framing::kChunked) return Write(piece);
  constexpr size_t kChunkSize = 1000;
  for (size_t at = 0; at < piece.size(); at += kChunkSize) {
    const std::string_view chunk = piece.substr(at, kChunkSize);
    if (!Write(StrCat(ChunkHead(chunk.size()), chunk, "\r\n"))) return false;
  }
  return true;
}

bool FakeServer::Connection::Send(const FakeRequest& request, const FakeAnswer& answer) {
  const bool gated = answer.gate && answer.gate_after != FakeAnswer::kNever;
  if (gated && answer.gate_after < 0 && !Pass(*answer.gate)) return false;
  if (answer.reset_after < 0) return Reset();
  if (answer.cut_after < 0 || !Write(HeadText(answer))) return false;

  const int64_t end =
      std::min({static_cast<int64_t>(answer.body.size()), answer.cut_after, answer.reset_after});
  int64_t begin = 0;
  if (gated && answer.gate_after >= 0) {
    begin = std::min(end, answer.gate_after);
    if (!WriteBody(answer, 0, begin) || !Pass(*answer.gate)) return false;
  }
  if (!WriteBody(answer, begin, end)) return false;
  if (answer.reset_after != FakeAnswer::kNever) return Reset();
  if (answer.cut_after != FakeAnswer::kNever) return false;
  if (answer.framing == FakeAnswer::Framing::kChunked && !Write("0\r\n\r\n")) return false;
  return answer.framing != FakeAnswer::Framing::kUntilClose &&
         !SameName(request.Header("Connection"), "close");
}

FakeServer::FakeServer(const FakeServerOptions& options) {
  if (options.tls) {
    tls_ = std::make_unique<Tls>(options);
    ca_file_ = tls_->certificate.ca_file();
  }
  std::tie(listener_, port_) = Listen(SOMAXCONN);
  acceptor_ = std::thread([this] { Accept(); });
}

FakeServer::~FakeServer() {
  std::vector<std::thread> connections;
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    for (const int socket : sockets_) shutdown(socket, SHUT_RDWR);
  }
  stop_.Open();
  shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  {
    MutexLock lock(mutex_);
    connections.swap(connections_);
  }
  for (std::thread& connection : connections) connection.join();
  close(listener_);
}

void FakeServer::Serve(std::string path, FakeAnswer answer) {
  Handle(std::move(path), [answer = std::move(answer)](const FakeRequest&) { return answer; });
}

void FakeServer::ServeInOrder(std::string path, std::vector<FakeAnswer> answers) {
  Handle(std::move(path), [answers = std::move(answers)](const FakeRequest& request) {
    return answers[std::min<size_t>(request.repeat, answers.size() - 1)];
  });
}

void FakeServer::Handle(std::string path, Handler handler) {
  MutexLock lock(mutex_);
  handlers_[std::move(path)] = std::move(handler);
}

void FakeServer::HandleOthers(Handler handler) {
  MutexLock lock(mutex_);
  others_ = std::move(handler);
}

std::string FakeServer::Url(std::string_view target) const {
  return StrCat(tls_ ? "https" : "http", "://127.0.0.1:", port_, target);
}

std::vector<FakeRequest> FakeServer::requests() const {
  MutexLock lock(mutex_);
  return requests_;
}

int FakeServer::num_requests() const {
  MutexLock lock(mutex_);
  return num_requests_;
}

int FakeServer::num_requests(std::string_view path) const {
  MutexLock lock(mutex_);
  const auto found = repeats_.find(path);
  return found == repeats_.end() ? 0 : found->second;
}

int FakeServer::num_connections() const {
  MutexLock lock(mutex_);
  return num_connections_;
}

int FakeServer::num_closed_connections() const {
  MutexLock lock(mutex_);
  return num_closed_;
}

bool FakeServer::WaitForRequests(int count) const {
  return WaitFor(&FakeServer::num_requests_, count);
}
bool FakeServer::WaitForConnections(int count) const {
  return WaitFor(&FakeServer::num_connections_, count);
}
bool FakeServer::WaitForClosedConnections(int count) const {
  return WaitFor(&FakeServer::num_closed_, count);
}

bool FakeServer::WaitFor(int FakeServer::* counter, int count) const {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  MutexLock lock(mutex_);
  while (this->*counter < count) {
    if (!changed_.WaitUntil(mutex_, deadline)) return this->*counter >= count;
  }
  return true;
}

void FakeServer::Accept() {
  while (true) {
    const int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0 && (errno == EINTR || errno == ECONNABORTED)) continue;
    if (socket < 0) return;
    const int no_delay = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &no_delay, sizeof(no_delay));
    MutexLock lock(mutex_);
    if (stopping_) {
      close(socket);
      return;
    }
    sockets_.push_back(socket);
    connections_.emplace_back(
        [this, socket, number = num_connections_] { RunConnection(socket, number); });
    ++num_connections_;
    changed_.NotifyAll();
  }
}

void FakeServer::RunConnection(int socket, int number) {
  // OpenSSL writes to sockets without MSG_NOSIGNAL, and clients of tests like to go away.
  sigset_t broken_pipe;
  sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
  {
    Connection connection(socket, stop_.fd(), tls_ ? tls_->certificate.context() : nullptr);
    if (connection.Greet()) Converse(connection, number);
  }
  MutexLock lock(mutex_);
  std::erase(sockets_, socket);
  close(socket);
  ++num_closed_;
  changed_.NotifyAll();
}

void FakeServer::Converse(Connection& connection, int number) {
  while (std::optional<FakeRequest> request = connection.ReadRequest()) {
    request->connection = number;
    const FakeAnswer answer = Answer(*request);
    if (!connection.Send(*request, answer)) return;
  }
}

FakeAnswer FakeServer::Answer(FakeRequest& request) {
  Handler handler;
  {
    MutexLock lock(mutex_);
    request.repeat = repeats_[request.path]++;
    requests_.push_back(request);
    ++num_requests_;
    changed_.NotifyAll();
    const auto found = handlers_.find(request.path);
    handler = found == handlers_.end() ? others_ : found->second;
  }
  if (!handler) return {.status = 404, .body = "nothing here"};
  return handler(request);
}

FakeBlackHole::FakeBlackHole() {
  const auto [listener, port] = Listen(0);
  port_ = port;
  sockets_.push_back(listener);
  // Nobody accepts: once the short queue is full, the system drops whoever else knocks.
  for (int i = 0; i < 4; ++i) {
    const int filler = Must(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    const sockaddr_in address = Loopback(port);
    if (connect(filler, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 &&
        errno != EINPROGRESS) {
      std::abort();
    }
    sockets_.push_back(filler);
  }
}

FakeBlackHole::~FakeBlackHole() {
  for (const int socket : sockets_) close(socket);
}

std::string FakeBlackHole::Url(std::string_view target) const {
  return StrCat("http://127.0.0.1:", port_, target);
}

}  // namespace dbx
