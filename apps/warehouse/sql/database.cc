// SPDX-License-Identifier: Apache-2.0
#include "sql/database.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "base/str_cat.h"
#include "sql/errors.h"
#include "sql/information_schema.h"
#include "sql/rewrite_table.h"
#include "sql/sql_text.h"
#include "sql/tpcds.h"
#include "sql/translator.h"

namespace dbx::local {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCatalogs[] = {"hive_metastore", "main", "system"};

Status MakeDirectory(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  return error ? Status::Io(StrCat("make directory ", path, ": ", error.message())) : Status::Ok();
}

/// A name that may be a file's name as it is.
bool IsPlainName(const std::string& name) {
  return !name.empty() &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") == std::string::npos;
}

/// From this scale on the rows come from the program, if there is one: the extension holds 0.4 GB a
/// unit of scale.
constexpr int kScaleOfProgram = 10;

std::string GeneratedSchema(int scale) {
  return StrCat("tpcds_sf", scale, "_delta");
}

}  // namespace

bool Database::IsGenerated(std::string_view schema) {
  return schema.starts_with("tpcds_sf") && schema.ends_with("_delta");
}

Result<std::shared_ptr<Database>> Database::Open(const EngineOptions& options) {
  std::shared_ptr<Database> database(new Database());
  RETURN_IF_ERROR(database->Start(options).WithContext("open the SQL engine"));
  return database;
}

Status Database::Start(const EngineOptions& options) {
  progress_ = options.progress;
  catalog_directory_ = options.data_directory + "/catalogs";
  RETURN_IF_ERROR(MakeDirectory(catalog_directory_));
  ASSIGN_OR_RETURN(lock_, FileLock::Try(catalog_directory_ + "/.lock"));
  if (!lock_ && progress_) {
    progress_(StrCat("the catalogs in ", catalog_directory_,
                     " are in use by another warehouse: tables made here live in memory"));
  }
  for (const int scale : options.tpcds_scales) {
    const bool large = scale >= kScaleOfProgram;
    RETURN_IF_ERROR(EnsureTpcds(
        {options.data_directory, static_cast<double>(scale), options.tpcds_extension,
         large ? options.tpcds_program : std::string(), options.threads, options.progress}));
  }
  char* text = nullptr;
  if (duckdb_open_ext(nullptr, database_.out(), nullptr, &text) != DuckDBSuccess) {
    const EngineString error(text);
    return Status::Internal(std::string(error.view()));
  }
  ASSIGN_OR_RETURN(const ConnectionHandle connection, Connect());
  RETURN_IF_ERROR(Configure(connection.get(), options));
  for (const std::string_view catalog : kCatalogs) {
    RETURN_IF_ERROR(AttachCatalog(connection.get(), std::string(catalog)));
  }
  RETURN_IF_ERROR(AttachExistingCatalogs(connection.get()));
  for (const int scale : options.tpcds_scales) {
    RETURN_IF_ERROR(AttachTpcds(connection.get(), options, scale));
  }
  // From here on no statement reaches files outside the data directory.
  RETURN_IF_ERROR(Execute(connection.get(), StrCat("SET GLOBAL allowed_directories = [",
                                                   QuoteString(options.data_directory), "]")));
  return Execute(connection.get(), "SET GLOBAL enable_external_access = false");
}

Status Database::Configure(duckdb_connection connection, const EngineOptions& options) {
  const std::string spill = StrCat(options.data_directory, "/spill/", getpid());
  for (const std::string& setting : {
           StrCat("SET GLOBAL threads = ", options.threads),
           std::string("SET GLOBAL memory_limit = '4GB'"),
           StrCat("SET GLOBAL temp_directory = ", QuoteString(spill)),
           std::string("SET GLOBAL autoinstall_known_extensions = false"),
           std::string("SET GLOBAL autoload_known_extensions = false"),
           std::string("SET GLOBAL default_null_order = 'nulls_first_on_asc_last_on_desc'"),
           std::string("ATTACH ':memory:' AS functions"),
           std::string("ATTACH ':memory:' AS session_views"),
           std::string("USE functions.main"),
       }) {
    RETURN_IF_ERROR(Execute(connection, setting));
  }
  for (const std::string_view macro : MacroStatements())
    RETURN_IF_ERROR(Execute(connection, std::string(macro)));
  for (const std::string_view view : InformationSchemaStatements()) {
    RETURN_IF_ERROR(Execute(connection, std::string(view)));
  }
  return Status::Ok();
}

Status Database::AttachCatalog(duckdb_connection connection, const std::string& catalog) {
  const std::string name = QuoteIdentifier(EngineCatalog(catalog));
  const std::string path = lock_ ? StrCat(catalog_directory_, "/", catalog, ".duckdb") : ":memory:";
  RETURN_IF_ERROR(Execute(connection, StrCat("ATTACH ", QuoteString(path), " AS ", name)));
  RETURN_IF_ERROR(
      Execute(connection, StrCat("CREATE SCHEMA IF NOT EXISTS ", name, ".\"default\"")));
  RETURN_IF_ERROR(facts_.Load(connection, catalog));
  MutexLock lock(mutex_);
  catalogs_.insert(catalog);
  return Status::Ok();
}

Status Database::AttachExistingCatalogs(duckdb_connection connection) {
  if (!lock_) return Status::Ok();
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(catalog_directory_, error)) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() == ".duckdb" && IsPlainName(name) && !HasCatalog(name)) {
      RETURN_IF_ERROR(AttachCatalog(connection, name));
    }
  }
  return error ? Status::Io(StrCat("read directory ", catalog_directory_, ": ", error.message()))
               : Status::Ok();
}

/// The file is attached for reading, so that any number of processes share it; its tables appear as
/// views.
Status Database::AttachTpcds(duckdb_connection connection, const EngineOptions& options,
                             int scale) {
  const std::string path = TpcdsPath({options.data_directory, static_cast<double>(scale)});
  const std::string source = StrCat("tpcds_sf", scale);
  RETURN_IF_ERROR(
      Execute(connection, StrCat("ATTACH ", QuoteString(path), " AS ", source, " (READ_ONLY)")));
  const std::string schema = StrCat("c_main.", GeneratedSchema(scale));
  RETURN_IF_ERROR(Execute(connection, StrCat("CREATE SCHEMA IF NOT EXISTS ", schema)));
  ASSIGN_OR_RETURN(
      const std::vector<TextRow> tables,
      QueryTexts(connection, StrCat("SELECT table_name FROM duckdb_tables() WHERE database_name = ",
                                    QuoteString(source))));
  for (const TextRow& row : tables) {
    const std::string table = QuoteIdentifier(row[0].value_or(""));
    RETURN_IF_ERROR(Execute(connection, StrCat("CREATE OR REPLACE VIEW ", schema, ".", table,
                                               " AS FROM ", source, ".main.", table)));
  }
  return Status::Ok();
}

Result<ConnectionHandle> Database::Connect() const {
  ConnectionHandle connection;
  if (duckdb_connect(database_.get(), connection.out()) != DuckDBSuccess) {
    return Status::Internal("the SQL engine gives no connection");
  }
  return connection;
}

std::set<std::string> Database::catalogs() const {
  MutexLock lock(mutex_);
  return catalogs_;
}

bool Database::HasCatalog(const std::string& catalog) const {
  MutexLock lock(mutex_);
  return catalogs_.contains(ToLower(catalog));
}

Result<bool> Database::HasSchema(const std::string& catalog, const std::string& schema) const {
  if (EqualsIgnoreCase(schema, "main") || !HasCatalog(catalog)) return false;
  if (EqualsIgnoreCase(schema, "information_schema")) return true;
  ASSIGN_OR_RETURN(const ConnectionHandle connection, Connect());
  ASSIGN_OR_RETURN(
      const std::vector<TextRow> rows,
      QueryTexts(connection.get(),
                 StrCat("SELECT schema_name FROM duckdb_schemas() WHERE database_name = ",
                        QuoteString(EngineCatalog(catalog)),
                        " AND lower(schema_name) = ", QuoteString(ToLower(schema)))));
  return !rows.empty();
}

Result<Database::Relation> Database::FindRelation(const TableName& name) const {
  ASSIGN_OR_RETURN(const ConnectionHandle connection, Connect());
  const std::string filter = StrCat("database_name = ", QuoteString(EngineCatalog(name.catalog)),
                                    " AND lower(schema_name) = ", QuoteString(name.schema));
  ASSIGN_OR_RETURN(const std::vector<TextRow> rows,
                   QueryTexts(connection.get(),
                              StrCat("SELECT 'table' FROM duckdb_tables() WHERE ", filter,
                                     " AND lower(table_name) = ", QuoteString(name.table),
                                     " UNION ALL SELECT 'view' FROM duckdb_views() WHERE ", filter,
                                     " AND lower(view_name) = ", QuoteString(name.table))));
  if (rows.empty()) return Relation::kNone;
  return rows[0][0] == "table" ? Relation::kTable : Relation::kView;
}

Status Database::CreateCatalog(const std::string& catalog) {
  const std::string name = ToLower(catalog);
  if (!IsPlainName(name))
    return Unsupported("catalog names of other characters than a-z, 0-9, _ and -");
  ASSIGN_OR_RETURN(const ConnectionHandle connection, Connect());
  return AttachCatalog(connection.get(), name);
}

}  // namespace dbx::local
