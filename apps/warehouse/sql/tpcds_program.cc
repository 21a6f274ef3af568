// SPDX-License-Identifier: Apache-2.0
#include "sql/tpcds_program.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include "base/str_cat.h"
#include "sql/engine_handles.h"
#include "sql/sql_text.h"

namespace dbx::local {
namespace {

namespace fs = std::filesystem;

/// A folder that goes with this object.
class ScratchFolder {
 public:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {
    fs::create_directories(path_);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  const std::string path_;
};

Status WaitFor(pid_t process, const std::string& program) {
  int state = 0;
  while (waitpid(process, &state, 0) < 0) {
    if (errno != EINTR) return Status::Io(StrCat("wait for ", program, ": ", std::strerror(errno)));
  }
  if (WIFEXITED(state) && WEXITSTATUS(state) == 0) return Status::Ok();
  if (WIFSIGNALED(state)) {
    return Status::Io(StrCat(program, " was ended by signal ", WTERMSIG(state)));
  }
  return Status::Io(StrCat(program, " ended with status ", WEXITSTATUS(state)));
}

Status Run(std::vector<std::string> arguments) {
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  pid_t process = 0;
  const int failure =
      posix_spawn(&process, arguments[0].c_str(), nullptr, nullptr, pointers.data(), environ);
  if (failure != 0) return Status::Io(StrCat("start ", arguments[0], ": ", std::strerror(failure)));
  return WaitFor(process, arguments[0]);
}

Result<std::vector<std::string>> TableNames(duckdb_connection connection) {
  ASSIGN_OR_RETURN(const std::vector<TextRow> rows,
                   QueryTexts(connection, "SELECT table_name FROM duckdb_tables() ORDER BY 1"));
  std::vector<std::string> names;
  names.reserve(rows.size());
  for (const TextRow& row : rows) names.push_back(row[0].value_or(""));
  return names;
}

}  // namespace

Status FillFromProgram(duckdb_connection connection, const std::string& program, double scale,
                       int threads, const std::string& directory) try {
  const ScratchFolder folder(directory);
  ASSIGN_OR_RETURN(const std::vector<std::string> tables, TableNames(connection));
  for (const std::string& table : tables) {
    RETURN_IF_ERROR(
        Run({program, "tpcds", "parquet", "--quiet", "--scale-factor", StrCat(scale), "--tables",
             table, "--num-threads", StrCat(threads), "--output-dir", folder.path()}));
    const std::string file = StrCat(folder.path(), "/", table, ".parquet");
    // By position: both have the specification's order, but not all of its names and types.
    RETURN_IF_ERROR(
        Execute(connection, StrCat("INSERT INTO ", QuoteIdentifier(table),
                                   " SELECT * FROM read_parquet(", QuoteString(file), ")")));
    fs::remove(file);
  }
  return Status::Ok();
} catch (const fs::filesystem_error& error) {
  return Status::Io(error.what());
}

}  // namespace dbx::local
