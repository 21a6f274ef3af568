// SPDX-License-Identifier: Apache-2.0
#include "program_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <thread>
#include <utility>

#include "base/str_cat.h"
#include "net/http_text.h"

namespace dbx::local {
namespace {

constexpr const char* kExtensionName = "tpcds.duckdb_extension";
constexpr const char* kProgramName = "tpcgen-cli";

constexpr const char* kHowToConnect = R"(
How clients are pointed at it (P: the port, T: the token, both in the line READY <uri>; W: /sql/1.0/warehouses/local)
  this driver       uri="http://token:T@127.0.0.1:PW"   (databricks://... once it has a certificate)
  Python            sql.connect(server_hostname="http://127.0.0.1:P", http_path="W", access_token="T",
                                _connection_uri="http://127.0.0.1:PW")
                    REST:   server_hostname="http://127.0.0.1", _port=P, use_sea=True
                    kernel: server_hostname="http://127.0.0.1:P", use_kernel=True
  databricks-sdk    WorkspaceClient(host="http://127.0.0.1:P", token="T").statement_execution
  JDBC              jdbc:databricks://127.0.0.1:P/default;ssl=0;httpPath=W;AuthMech=3;UID=token;PWD=T
  Go (database/sql) WithServerHostname("http://127.0.0.1"), WithPort(P), WithHTTPPath("W"), WithAccessToken("T")
  Go (ADBC)         databricks.server_hostname=localhost, .port=P, .http_path=W, .access_token=T
  Node              needs --tls-cert and --tls-key, and NODE_EXTRA_CA_CERTS for a certificate of your own
  curl              curl http://127.0.0.1:P/__warehouse__/stats
)";

std::string Environment(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

std::string DefaultDataDirectory() {
  const std::string cache = Environment("XDG_CACHE_HOME");
  const std::string home = Environment("HOME");
  const std::filesystem::path base = !cache.empty()  ? std::filesystem::path(cache)
                                     : !home.empty() ? std::filesystem::path(home) / ".cache"
                                                     : std::filesystem::temp_directory_path();
  return (base / "cloudfetch-warehouse").string();
}

// Beside the program, or where the build keeps what it fetched, in a folder above the program.
std::string FindFetched(const char* variable, const char* file) {
  if (std::string named = Environment(variable); !named.empty()) return named;
  std::error_code error;
  std::filesystem::path folder =
      std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  if (std::filesystem::exists(folder / file, error)) return (folder / file).string();
  while (folder.has_relative_path()) {
    folder = folder.parent_path();
    const std::filesystem::path built = folder / ".deps" / "share" / file;
    if (std::filesystem::exists(built, error)) return built.string();
  }
  return {};
}

const std::map<std::string, StorageFlavor> kFlavors = {
    {"s3", StorageFlavor::kS3}, {"adls", StorageFlavor::kAdls}, {"gcs", StorageFlavor::kGcs}};

void AddAddresses(CLI::App& app, ProgramOptions& options) {
  app.add_option("--listen", options.listen, "Address of the warehouse (port 0: any free one)")
      ->capture_default_str();
  app.add_option("--storage", options.storage, "Address of the result storage")
      ->capture_default_str();
  app.add_flag("--allow-remote", options.allow_remote,
               "Permit addresses that other machines reach");
  auto* certificate =
      app.add_option("--tls-cert", options.tls_certificate_file, "PEM certificate: serve https");
  auto* key = app.add_option("--tls-key", options.tls_key_file, "PEM key of the certificate");
  certificate->needs(key);
  key->needs(certificate);
  app.add_option("--token", options.tokens,
                 "Access token, may be repeated (default: a random one)");
  app.add_option("--port-file", options.port_file, "Write ports and URI there as JSON, once ready");
}

void AddData(CLI::App& app, ProgramOptions& options) {
  app.add_option("--data", options.data_directory, "Folder for tables and results")
      ->capture_default_str();
  app.add_option("--tpcds", options.tpcds_scales,
                 "TPC-DS scales to have as main.tpcds_sf<N>_delta; made once")
      ->check(CLI::IsMember({1, 10, 100}))
      ->delimiter(',');
  app.add_option("--tpcds-extension", options.tpcds_extension,
                 "File of DuckDB's tpcds extension (default: searched)");
  app.add_option("--tpcds-program", options.tpcds_program,
                 "tpcgen-cli, which makes scales from 10 on in little memory (default: searched)");
  app.add_option("--threads", options.threads, "Threads of the SQL engine")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
}

void AddResults(CLI::App& app, ProgramOptions& options) {
  app.add_flag("--result-cache", options.result_cache,
               "Serve identical statements from what is stored");
  app.add_option("--inline-limit", options.inline_limit_bytes,
                 "Results up to so many bytes travel in the reply")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--chunk-bytes", options.chunk_bytes, "Raw bytes of a result file")
      ->check(CLI::Range(int64_t{1024}, int64_t{1} << 32))
      ->capture_default_str();
  app.add_option("--links-per-page", options.links_per_page, "Links in one reply")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--links-per-chunk", options.links_per_chunk,
                 "Links in the REST API's answer to a request for one chunk")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--statement-lifetime", options.statement_lifetime_seconds,
                 "Seconds without calls after which the REST API closes a statement (0: never)")
      ->check(CLI::Range(int64_t{0}, int64_t{604800}))
      ->capture_default_str();
  app.add_option("--session-lifetime", options.session_lifetime_seconds,
                 "Seconds without calls after which the REST API ends a session (0: never)")
      ->check(CLI::Range(int64_t{0}, int64_t{604800}))
      ->capture_default_str();
  app.add_option("--link-lifetime", options.link_lifetime_seconds, "Seconds until a link expires")
      ->check(CLI::Range(int64_t{0}, int64_t{604800}))
      ->capture_default_str();
  app.add_option("--link-port", options.link_port,
                 "Port that links name, of a proxy in front of storage (0: storage itself)")
      ->capture_default_str();
  app.add_option("--storage-flavor", options.storage_flavor,
                 "Whose links and answers storage imitates: s3, adls, gcs")
      ->transform(CLI::CheckedTransformer(kFlavors, CLI::ignore_case).description(""))
      ->default_str("s3");
}

void AddTrouble(CLI::App& app, ProgramOptions& options) {
  app.add_option("--first-byte-ms", options.first_byte_ms, "Delay of storage before the first byte")
      ->check(CLI::Range(0, 3'600'000))
      ->capture_default_str();
  app.add_option("--rate-per-connection", options.rate_per_connection,
                 "Storage bytes per second and connection (0: no limit)")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--rate-total", options.rate_total,
                 "Storage bytes per second of all connections (0: no limit)")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--round-trip-ms", options.round_trip_ms,
                 "Storage connections open as over a way of this length, with a slow start")
      ->check(CLI::Range(0, 60'000))
      ->capture_default_str();
  app.add_option("--jitter-ms", options.jitter_ms,
                 "Storage's first byte comes up to so much earlier or later")
      ->check(CLI::Range(0, 60'000))
      ->capture_default_str();
  app.add_option("--shaping-seed", options.shaping_seed, "Seed of the jitter")
      ->capture_default_str();
  app.add_option("--faults", options.faults_file,
                 "Script of faults, TOML or JSON (see docs/warehouse.md)")
      ->check(CLI::ExistingFile);
  app.add_option("--log", options.log_file, "Append a line of JSON for each request");
  app.add_option("--log-header", options.log_headers,
                 "Request header to have in the log, may be repeated");
  // For benchmarks of storage alone.
  app.add_option("--serve-dir", options.serve_directory)->check(CLI::ExistingDirectory)->group("");
  app.add_option("--serve-list", options.serve_list_file)->group("");
}

}  // namespace

ParsedCommandLine ParseCommandLine(int num_arguments, const char* const* arguments) {
  ProgramOptions options;
  options.data_directory = DefaultDataDirectory();
  options.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  try {
    CLI::App app("A local SQL warehouse for clients of the Databricks protocols",
                 "cloudfetch-warehouse");
    app.footer(kHowToConnect);
    app.set_config("--config", "",
                   "TOML file with these options as keys; what stands on the command line wins");
    app.allow_config_extras(CLI::config_extras_mode::error);
    AddAddresses(app, options);
    AddData(app, options);
    AddResults(app, options);
    AddTrouble(app, options);
    try {
      app.parse(num_arguments, arguments);
    } catch (const CLI::ParseError& error) {
      std::ostringstream out, wrong;
      const int status = app.exit(error, out, wrong);
      return {.options = std::nullopt,
              .text = out.str() + wrong.str(),
              .exit_status = status == 0 ? 0 : 2};
    }
  } catch (const std::exception& error) {
    return {.options = std::nullopt, .text = StrCat(error.what(), "\n"), .exit_status = 2};
  }
  if (options.tokens.empty()) options.tokens.push_back("dapi" + RandomHex(16));
  if (options.tpcds_extension.empty()) {
    options.tpcds_extension = FindFetched("CLOUDFETCH_TPCDS_EXTENSION", kExtensionName);
  }
  if (options.tpcds_program.empty())
    options.tpcds_program = FindFetched("CLOUDFETCH_TPCDS_PROGRAM", kProgramName);
  return {.options = std::move(options), .text = {}};
}

}  // namespace dbx::local
