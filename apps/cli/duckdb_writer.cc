// SPDX-License-Identifier: Apache-2.0
#include "duckdb_writer.h"

#include <duckdb.h>
#include <fmt/format.h>
#include <unistd.h>

#include "failure.h"
#include "interrupt.h"
#include "output.h"
#include "table.h"
#include "text.h"

namespace dbx::cli {
namespace {

/// A DuckDB in memory that sees `rows` as the view `result`.
class Duckdb {
 public:
  explicit Duckdb(RowStream& rows) {
    if (duckdb_open(nullptr, &database_) == DuckDBError ||
        duckdb_connect(database_, &connection_) == DuckDBError) {
      throw Failure(Exit::kFailed, "cannot start the file writer");
    }
    Run("SET TimeZone = 'UTC'");
    Run("SET preserve_insertion_order = true");
    Run("SET threads = 1");  // rows are pulled in order by one thread
    rows.Export(&stream_);
    if (duckdb_arrow_scan(connection_, "result", reinterpret_cast<duckdb_arrow_stream>(&stream_)) ==
        DuckDBError) {
      throw Failure(Exit::kFailed, "the file writer cannot read this result");
    }
  }
  ~Duckdb() {
    duckdb_disconnect(&connection_);
    duckdb_close(&database_);
  }
  Duckdb(const Duckdb&) = delete;
  Duckdb& operator=(const Duckdb&) = delete;

  void Run(const std::string& sql) {
    duckdb_result result;
    Check(duckdb_query(connection_, sql.c_str(), &result), result);
    duckdb_destroy_result(&result);
  }

  /// The rows of a query as texts.
  std::vector<std::vector<std::string>> Texts(const std::string& sql) {
    duckdb_result result;
    Check(duckdb_query(connection_, sql.c_str(), &result), result);
    std::vector<std::vector<std::string>> rows(duckdb_row_count(&result));
    for (idx_t row = 0; row < rows.size(); ++row) {
      for (idx_t column = 0; column < duckdb_column_count(&result); ++column) {
        char* const text = duckdb_value_varchar(&result, column, row);
        rows[row].push_back(text != nullptr ? Printable(text) : "NULL");
        duckdb_free(text);
      }
    }
    duckdb_destroy_result(&result);
    return rows;
  }

 private:
  static void Check(duckdb_state state, duckdb_result& result) {
    if (state != DuckDBError) return;
    const char* const text = duckdb_result_error(&result);
    const std::string message = text != nullptr ? text : "the file writer gave no message";
    duckdb_destroy_result(&result);
    if (Interrupt::Requested()) throw Failure(Exit::kInterrupted, "interrupted");
    throw Failure(Exit::kFailed, message);
  }

  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
  ArrowArrayStream stream_{};
};

std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

void WriteByDuckdb(RowStream& rows, const std::string& copy_options, const std::string& path) {
  if (rows.schema()->n_children == 0) {
    throw Failure(Exit::kFailed, "the statement gave no columns to write");
  }
  Duckdb duckdb(rows);
  duckdb.Run(fmt::format("COPY (SELECT * FROM result) TO {} ({})", Quoted(path), copy_options));
}

std::vector<std::vector<std::string>> RowsAsText(RowStream& rows, int64_t max_rows) {
  Duckdb duckdb(rows);
  return duckdb.Texts(
      fmt::format("SELECT CAST(COLUMNS(*) AS VARCHAR) FROM result LIMIT {}", max_rows));
}

void PrintRows(RowStream& rows, int64_t max_rows, int width) {
  if (rows.schema()->n_children == 0) return;
  Table table;
  for (int64_t i = 0; i < rows.schema()->n_children; ++i) {
    const ArrowSchema* const column = rows.schema()->children[i];
    table.headings.push_back(Printable(column->name));
    table.right_aligned.push_back(std::string_view("csilCSILefgd").find(column->format[0]) !=
                                  std::string_view::npos);
  }
  table.rows = RowsAsText(rows, max_rows);
  fmt::print("{}", RenderTable(table, width));
}

}  // namespace dbx::cli
