// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <utility>

#include "base/str_cat.h"
#include "control_service.h"
#include "net/faults.h"
#include "net/http_server.h"
#include "net/http_text.h"
#include "net/listen_address.h"
#include "net/request_log.h"
#include "net/spool.h"
#include "net/storage_service.h"
#include "sea/sea_service.h"

namespace dbx::local {
namespace {

// Thrift calls block while a statement runs or is waited for, and each waiting client holds one.
constexpr int kWorkerThreads = 64;
constexpr std::string_view kWarehousePath = "/sql/1.0/warehouses/local";

Result<std::string> ReadWholeFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  if (!file) return Status::Io(StrCat("cannot read ", path));
  return std::move(bytes).str();
}

// Written beside and renamed: whoever waits for the file never reads half of it. It may hold tokens
// and links.
Status WritePrivateFile(const std::string& path, std::string_view text) {
  const std::string beside = StrCat(path, ".", ::getpid());
  const int descriptor = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (descriptor < 0) return Status::Io(StrCat("cannot write ", path));
  const bool written =
      ::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(descriptor);
  std::error_code error;
  std::filesystem::rename(beside, path, error);
  if (!written || error) return Status::Io(StrCat("cannot write ", path));
  return Status::Ok();
}

Result<ListenAddress> PermittedAddress(const std::string& text, bool allow_remote) {
  ASSIGN_OR_RETURN(ListenAddress address, ParseListenAddress(text));
  if (!address.is_loopback && !allow_remote) {
    return Status::InvalidArgument(
        StrCat(text, " can be reached from other machines: say --allow-remote if that is meant"));
  }
  return address;
}

class LocalProgram final : public Program {
 public:
  LocalProgram(const ProgramOptions& options, std::function<void(std::string_view)> progress)
      : options_(options), progress_(std::move(progress)) {}
  ~LocalProgram() override { Stop(); }

  Status Open();
  std::string uri() const override;
  uint16_t port() const override { return port_; }
  uint16_t storage_port() const override { return storage_port_; }
  void Stop() override;

 private:
  Status OpenObservation();
  Status OpenStorage();
  Status OpenSql();
  Status OpenControl();
  Status ServeDirectory();
  Status WritePortFile();

  /// Where links point: our own storage, or what stands in front of it.
  uint16_t link_port() const {
    return options_.link_port == 0 ? storage_port_ : options_.link_port;
  }
  bool has_tls() const { return !options_.tls_certificate_file.empty(); }
  std::string_view scheme() const { return has_tls() ? "https" : "http"; }
  ListenerOptions NewListener(const std::string& address) const {
    return {.address = address,
            .tls_certificate_file = options_.tls_certificate_file,
            .tls_key_file = options_.tls_key_file};
  }

  const ProgramOptions options_;
  const std::function<void(std::string_view)> progress_;
  RequestLog log_;
  const std::unique_ptr<FaultScript> faults_ = FaultScript::Make();
  std::unique_ptr<LinkSigner> signer_;
  std::unique_ptr<Spool> spool_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<ThriftService> thrift_;
  std::unique_ptr<SeaService> sea_;
  std::unique_ptr<StorageService> storage_service_;
  std::unique_ptr<ControlService> control_service_;
  uint16_t port_ = 0, storage_port_ = 0;
  std::string host_;
  std::unique_ptr<HttpServer> server_;  // ends first: its handlers use all of the above
};

Status LocalProgram::Open() {
  const int io_threads = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 2U, 8U));
  server_ = HttpServer::Make(io_threads, kWorkerThreads);
  RETURN_IF_ERROR(OpenObservation());
  RETURN_IF_ERROR(OpenStorage());
  RETURN_IF_ERROR(OpenSql());
  RETURN_IF_ERROR(ServeDirectory());
  RETURN_IF_ERROR(OpenControl());
  server_->Start();
  return WritePortFile();
}

Status LocalProgram::OpenObservation() {
  if (!options_.log_file.empty())
    RETURN_IF_ERROR(log_.WriteTo(options_.log_file, options_.log_headers));
  if (options_.faults_file.empty()) return Status::Ok();
  ASSIGN_OR_RETURN(const std::string script, ReadWholeFile(options_.faults_file));
  return faults_->Load(script).WithContext(options_.faults_file);
}

Status LocalProgram::OpenStorage() {
  RETURN_IF_ERROR(PermittedAddress(options_.storage, options_.allow_remote).status());
  signer_ = LinkSigner::Make(options_.storage_flavor);
  ASSIGN_OR_RETURN(
      spool_, Spool::Make((std::filesystem::path(options_.data_directory) / "spool").string()));
  storage_service_ =
      std::make_unique<StorageService>(*spool_, *signer_, *faults_, options_.storage_flavor);
  ListenerOptions listener = NewListener(options_.storage);
  listener.shaping = {.first_byte_ms = options_.first_byte_ms,
                      .bytes_per_second_per_connection = options_.rate_per_connection,
                      .bytes_per_second_total = options_.rate_total,
                      .round_trip_ms = options_.round_trip_ms,
                      .jitter_ms = options_.jitter_ms,
                      .seed = options_.shaping_seed};
  listener.inline_handler = true;
  listener.handler = [service = storage_service_.get()](const HttpRequest& request) {
    return service->Handle(request);
  };
  listener.observer = &log_;
  ASSIGN_OR_RETURN(storage_port_, server_->Listen(std::move(listener)));
  return Status::Ok();
}

Status LocalProgram::OpenSql() {
  ASSIGN_OR_RETURN(engine_, Engine::Open({.data_directory = options_.data_directory,
                                          .tpcds_scales = options_.tpcds_scales,
                                          .tpcds_extension = options_.tpcds_extension,
                                          .tpcds_program = options_.tpcds_program,
                                          .threads = options_.threads,
                                          .progress = progress_}));
  const auto cache = options_.result_cache ? std::make_shared<ResultCache>() : nullptr;
  thrift_ =
      ThriftService::Make(engine_.get(), spool_.get(), signer_.get(), faults_.get(),
                          {.inline_limit_bytes = options_.inline_limit_bytes,
                           .chunk_bytes = options_.chunk_bytes,
                           .links_per_page = options_.links_per_page,
                           .link_lifetime = std::chrono::seconds(options_.link_lifetime_seconds),
                           .cache = cache,
                           .storage_port = link_port(),
                           .storage_tls = has_tls()});
  sea_ = SeaService::Make(
      engine_.get(), spool_.get(), signer_.get(), faults_.get(),
      {.inline_limit_bytes = options_.inline_limit_bytes,
       .chunk_bytes = options_.chunk_bytes,
       .links_per_page = options_.links_per_page,
       .links_per_chunk = options_.links_per_chunk,
       .link_lifetime = std::chrono::seconds(options_.link_lifetime_seconds),
       .cache = cache,
       .storage_port = link_port(),
       .storage_tls = has_tls(),
       .statement_lifetime = std::chrono::seconds(options_.statement_lifetime_seconds),
       .session_lifetime = std::chrono::seconds(options_.session_lifetime_seconds)});
  return Status::Ok();
}

Status LocalProgram::OpenControl() {
  ASSIGN_OR_RETURN(ListenAddress address, PermittedAddress(options_.listen, options_.allow_remote));
  host_ = address.host;
  control_service_ = std::make_unique<ControlService>(
      ControlParts{.thrift = thrift_.get(),
                   .sea = sea_.get(),
                   .faults = *faults_,
                   .log = log_,
                   .spool = *spool_,
                   .server_counters = [server = server_.get()] { return server->counters(); }},
      ControlOptions{.tokens = options_.tokens,
                     .storage_port = storage_port_,
                     .guard_observation = !address.is_loopback});
  ListenerOptions listener = NewListener(options_.listen);
  listener.handler = [service = control_service_.get()](const HttpRequest& request) {
    return service->Handle(request);
  };
  listener.observer = &log_;
  ASSIGN_OR_RETURN(port_, server_->Listen(std::move(listener)));
  return Status::Ok();
}

Status LocalProgram::ServeDirectory() {
  if (options_.serve_directory.empty()) return Status::Ok();
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(options_.serve_directory, error)) {
    if (entry.is_regular_file(error)) paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  const std::string base = StrCat(scheme(), "://127.0.0.1:", storage_port_);
  std::string links;
  for (size_t i = 0; i < paths.size(); ++i) {
    ASSIGN_OR_RETURN(const std::string bytes, ReadWholeFile(paths[i]));
    ASSIGN_OR_RETURN(const std::string name, spool_->Put(bytes, static_cast<int64_t>(i)));
    links += signer_->Sign(base, name, std::chrono::seconds(options_.link_lifetime_seconds)) + "\n";
  }
  progress_(StrCat("serves ", paths.size(), " files of ", options_.serve_directory));
  return options_.serve_list_file.empty() ? Status::Ok()
                                          : WritePrivateFile(options_.serve_list_file, links);
}

Status LocalProgram::WritePortFile() {
  if (options_.port_file.empty()) return Status::Ok();
  return WritePrivateFile(options_.port_file, StrCat("{\"pid\":", ::getpid(), ",\"port\":", port_,
                                                     ",\"storage_port\":", storage_port_,
                                                     ",\"uri\":\"", uri(), "\"}\n"));
}

std::string LocalProgram::uri() const {
  const ListenAddress shown{.host = host_, .port = port_};
  return StrCat(has_tls() ? "databricks" : "http",
                "://token:", PercentEncode(options_.tokens.front()), "@", shown.ToString(),
                kWarehousePath);
}

void LocalProgram::Stop() {
  if (thrift_) thrift_->Shutdown();
  if (sea_) sea_->Shutdown();
  if (server_) server_->Stop();
}

}  // namespace

Result<std::unique_ptr<Program>> Program::Start(const ProgramOptions& options,
                                                std::function<void(std::string_view)> progress) {
  auto program = std::make_unique<LocalProgram>(options, std::move(progress));
  RETURN_IF_ERROR(program->Open());
  return std::unique_ptr<Program>(std::move(program));
}

}  // namespace dbx::local
