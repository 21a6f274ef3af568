// SPDX-License-Identifier: Apache-2.0
#include "sql/tpcds.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/str_cat.h"
#include "sql/engine_handles.h"
#include "sql/file_lock.h"
#include "sql/sql_text.h"
#include "sql/tpcds_program.h"

namespace dbx::local {
namespace {

namespace fs = std::filesystem;

Status FileError(std::string_view what, const std::string& path) {
  return Status::Io(StrCat(what, " ", path, ": ", std::strerror(errno)));
}

class FileDescriptor {
 public:
  explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
  ~FileDescriptor() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

Status Sync(const std::string& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0 || fsync(file.get()) != 0) return FileError("sync", path);
  return Status::Ok();
}

void RemoveLeftovers(const std::string& partial) {
  std::error_code ignored;
  fs::remove(partial, ignored);
  fs::remove(partial + ".wal", ignored);
  fs::remove_all(partial + ".tmp", ignored);
  fs::remove_all(partial + ".files", ignored);
}

/// "1", "10", "0.01": as people write it.
std::string ScaleText(double scale) {
  return StrCat(scale);
}

/// What the engine may hold beside the pages of one insertion: the rows come from a file.
constexpr const char* kMemoryOfInsertion = "SET memory_limit = '512MB'";

Status FillTables(duckdb_connection connection, const TpcdsOptions& options,
                  const std::string& partial) {
  if (options.program.empty())
    return Execute(connection, StrCat("CALL dsdgen(sf = ", ScaleText(options.scale), ")"));
  RETURN_IF_ERROR(Execute(connection, "CALL dsdgen(sf = 0)"));  // the tables, without rows
  RETURN_IF_ERROR(Execute(connection, kMemoryOfInsertion));
  return FillFromProgram(connection, options.program, options.scale, options.threads,
                         partial + ".files");
}

Status Generate(const TpcdsOptions& options, const std::string& partial) {
  DatabaseHandle database;
  char* text = nullptr;
  if (duckdb_open_ext(partial.c_str(), database.out(), nullptr, &text) != DuckDBSuccess) {
    const EngineString error(text);
    return Status::Io(StrCat("make ", partial, ": ", error.view()));
  }
  ConnectionHandle connection;
  if (duckdb_connect(database.get(), connection.out()) != DuckDBSuccess)
    return Status::Internal("no connection");
  RETURN_IF_ERROR(Execute(connection.get(), StrCat("SET threads = ", options.threads)));
  RETURN_IF_ERROR(Execute(connection.get(), "SET preserve_insertion_order = true"));
  const std::string extension =
      options.extension.empty() ? "tpcds" : QuoteString(options.extension);
  RETURN_IF_ERROR(Execute(connection.get(), StrCat("LOAD ", extension)));
  RETURN_IF_ERROR(FillTables(connection.get(), options, partial));
  RETURN_IF_ERROR(Execute(connection.get(), "CHECKPOINT"));
  connection.Reset();
  database.Reset();
  return Sync(partial);
}

}  // namespace

std::string TpcdsPath(const TpcdsOptions& options) {
  return StrCat(options.directory, "/tpcds_sf", ScaleText(options.scale), ".duckdb");
}

Status EnsureTpcds(const TpcdsOptions& options) {
  const std::string path = TpcdsPath(options);
  if (fs::exists(path)) return Status::Ok();
  ASSIGN_OR_RETURN(
      const FileLock lock, FileLock::Wait(path + ".lock", [&] {
        if (options.progress) {
          options.progress("another process makes the same TPC-DS data: waiting for it");
        }
      }));
  if (fs::exists(path)) return Status::Ok();
  const std::string partial = path + ".partial";
  RemoveLeftovers(partial);
  if (options.progress) {
    options.progress(
        StrCat("making TPC-DS data of scale ", ScaleText(options.scale), " in ", path, " (once)"));
  }
  const auto start = std::chrono::steady_clock::now();
  RETURN_IF_ERROR(Generate(options, partial).WithContext("make TPC-DS data"));
  if (std::rename(partial.c_str(), path.c_str()) != 0) return FileError("rename", partial);
  RETURN_IF_ERROR(Sync(options.directory));
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start)
          .count();
  if (options.progress) {
    options.progress(StrCat("TPC-DS data of scale ", ScaleText(options.scale), " is ready after ",
                            seconds, " s"));
  }
  return Status::Ok();
}

}  // namespace dbx::local
