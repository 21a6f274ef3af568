// SPDX-License-Identifier: Apache-2.0
#include "net/http_server.h"

#include <pthread.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <csignal>
#include <thread>

#include "base/mutex.h"
#include "base/str_cat.h"
#include "net/connection.h"
#include "net/http_text.h"
#include "net/listen_address.h"

namespace dbx::local {
namespace {

// When the process has no descriptor left, a waiting client is worth this pause.
constexpr std::chrono::milliseconds kAcceptPause{20};

asio::awaitable<void> Serve(std::unique_ptr<Connection> connection) {
  co_await connection->Run();
}

/// One thread and the connections that live on it.
class IoThread {
 public:
  asio::io_context& context() { return context_; }

  void Start() {
    thread_ = std::thread([this] {
      BlockSigpipe();
      context_.run();
    });
  }
  void Stop() {
    context_.stop();
    if (thread_.joinable()) thread_.join();
  }

 private:
  // OpenSSL and sendfile would raise it for a connection that a client has closed.
  static void BlockSigpipe() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  }

  asio::io_context context_{1};
  asio::executor_work_guard<asio::io_context::executor_type> work_ =
      asio::make_work_guard(context_);
  std::thread thread_;
};

class AsioHttpServer final : public HttpServer {
 public:
  AsioHttpServer(int io_threads, int worker_threads)
      : workers_(
            std::make_unique<asio::thread_pool>(static_cast<size_t>(std::max(1, worker_threads)))) {
    for (int i = 0; i < std::max(1, io_threads); ++i)
      threads_.push_back(std::make_unique<IoThread>());
  }
  ~AsioHttpServer() override { Stop(); }

  Result<uint16_t> Listen(ListenerOptions options) override EXCLUDES(mutex_);
  void Start() override;
  void Stop() override EXCLUDES(mutex_);
  ServerCounters counters() const override;

 private:
  asio::awaitable<void> AcceptAll(asio::ip::tcp::acceptor acceptor, const Listener& listener);
  asio::io_context& NextContext() { return threads_[next_thread_++ % threads_.size()]->context(); }

  ServerTotals totals_;
  Mutex mutex_;
  std::vector<std::unique_ptr<Listener>> listeners_ GUARDED_BY(mutex_);
  std::atomic<size_t> next_thread_ = 0;
  // Connections point into what stands above, and handlers' replies go to the threads' contexts: so
  // workers end first, then the threads with the connections.
  std::vector<std::unique_ptr<IoThread>> threads_;
  std::unique_ptr<asio::thread_pool> workers_;
};

Status OpenAcceptor(const ListenAddress& address, asio::ip::tcp::acceptor& acceptor) {
  boost::system::error_code error;
  const asio::ip::tcp::endpoint endpoint(asio::ip::make_address(address.host, error), address.port);
  if (!error) acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(4096, error);
  if (error) return Status::Io(StrCat("listen on ", address.ToString(), ": ", error.message()));
  return Status::Ok();
}

Result<uint16_t> AsioHttpServer::Listen(ListenerOptions options) {
  ASSIGN_OR_RETURN(ListenAddress address, ParseListenAddress(options.address));
  auto listener = std::make_unique<Listener>();
  if (!options.tls_certificate_file.empty()) {
    ASSIGN_OR_RETURN(listener->tls,
                     TlsContext::Load(options.tls_certificate_file, options.tls_key_file));
  }
  if (options.shaping.bytes_per_second_total > 0) {
    listener->total_pacer = std::make_unique<Pacer>(options.shaping.bytes_per_second_total);
  }
  asio::ip::tcp::acceptor acceptor(threads_.front()->context());
  RETURN_IF_ERROR(OpenAcceptor(address, acceptor));
  address.port = acceptor.local_endpoint().port();
  listener->bound_address = address.ToString();
  listener->options = std::move(options);

  MutexLock lock(mutex_);
  listeners_.push_back(std::move(listener));
  asio::co_spawn(threads_.front()->context(), AcceptAll(std::move(acceptor), *listeners_.back()),
                 asio::detached);
  return address.port;
}

asio::awaitable<void> AsioHttpServer::AcceptAll(asio::ip::tcp::acceptor acceptor,
                                                const Listener& listener) {
  while (true) {
    asio::io_context& context = NextContext();
    boost::system::error_code error;
    asio::ip::tcp::socket socket =
        co_await acceptor.async_accept(context, asio::redirect_error(asio::use_awaitable, error));
    if (error == asio::error::operation_aborted) co_return;
    if (error) {
      asio::steady_timer pause(acceptor.get_executor(), kAcceptPause);
      co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, error));
      continue;
    }
    auto connection = std::make_unique<Connection>(std::move(socket), listener, *workers_, totals_);
    asio::co_spawn(context, Serve(std::move(connection)), asio::detached);
  }
}

void AsioHttpServer::Start() {
  for (const auto& thread : threads_) thread->Start();
}

void AsioHttpServer::Stop() {
  for (const auto& thread : threads_) thread->Stop();
  if (workers_) {
    workers_->stop();
    workers_->join();
  }
  workers_.reset();
  threads_.clear();  // closes every connection
  MutexLock lock(mutex_);
  listeners_.clear();
}

ServerCounters AsioHttpServer::counters() const {
  return {.connections_open = totals_.connections_open,
          .connections_total = totals_.connections_total,
          .bytes_received = totals_.bytes_received,
          .bytes_sent = totals_.bytes_sent};
}

}  // namespace

std::string_view HttpRequest::Header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (EqualIgnoringCase(key, name)) return value;
  }
  return {};
}

std::unique_ptr<HttpServer> HttpServer::Make(int io_threads, int worker_threads) {
  return std::make_unique<AsioHttpServer>(io_threads, worker_threads);
}

}  // namespace dbx::local
