// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "net/spool.h"

namespace dbx::local {

/// What the program was asked to be.
struct ProgramOptions {
  std::string listen = "127.0.0.1:8443";
  std::string storage = "127.0.0.1:0";
  bool allow_remote = false;
  std::string tls_certificate_file, tls_key_file;
  std::vector<std::string> tokens;  ///< at least one after parsing

  std::string data_directory;
  std::vector<int> tpcds_scales;
  std::string tpcds_extension;  ///< empty: none was found
  std::string tpcds_program;    ///< empty: none was found
  int threads = 2;

  bool result_cache = false;
  int64_t inline_limit_bytes = 5 << 20;
  int64_t chunk_bytes = 20 << 20;
  int32_t links_per_page = 32;
  int32_t links_per_chunk = 1;  ///< of the Statement Execution API
  int64_t statement_lifetime_seconds = 3600,
          session_lifetime_seconds = 8 * 3600;  ///< without calls
  int64_t link_lifetime_seconds = 900;
  StorageFlavor storage_flavor = StorageFlavor::kS3;
  uint16_t link_port = 0;  ///< links name this port in place of storage's own; 0: storage's own

  uint32_t first_byte_ms = 0;
  uint64_t rate_per_connection = 0, rate_total = 0;  ///< bytes per second; 0: no limit
  uint32_t round_trip_ms = 0, jitter_ms = 0;
  uint64_t shaping_seed = 0;
  std::string faults_file;

  std::string log_file, port_file;
  std::vector<std::string> log_headers;

  std::string serve_directory,
      serve_list_file;  ///< files to serve as results, and where their links are written
};

/// What to do after the command line was read.
struct ParsedCommandLine {
  std::optional<ProgramOptions> options;  ///< nullopt: print `text` and leave
  std::string text;                       ///< help, version, or what is wrong
  int exit_status = 0;                    ///< 0, or 2 for wrong use
};

ParsedCommandLine ParseCommandLine(int num_arguments, const char* const* arguments);

}  // namespace dbx::local
