// SPDX-License-Identifier: Apache-2.0
#include "adbc/driver_table.h"

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "adbc/bound_rows.h"
#include "adbc/error_export.h"
#include "adbc/handle_functions.h"
#include "adbc/stream_export.h"
#include "base/str_cat.h"

namespace dbx {
namespace {

// The table is an ABI: its order is not alphabetical, and a wrong header must not go unnoticed.
static_assert(offsetof(AdbcDriver, DatabaseInit) == 3 * sizeof(void*));
static_assert(offsetof(AdbcDriver, ConnectionReadPartition) == 15 * sizeof(void*));
static_assert(offsetof(AdbcDriver, StatementExecuteQuery) == 20 * sizeof(void*));
static_assert(ADBC_DRIVER_1_0_0_SIZE == 29 * sizeof(void*));
static_assert(ADBC_DRIVER_1_1_0_SIZE == 58 * sizeof(void*));

std::string TextOrEmpty(const char* text) {
  return text == nullptr ? std::string() : text;
}

Status NotInThisVersion(const char* what) {
  return Status::NotImplemented(StrCat(what, " is not part of this version of the driver"));
}

Status CheckOut(const void* out) {
  return out != nullptr ? Status::Ok() : Status::InvalidArgument("nowhere to put the result");
}

Status Export(Result<std::unique_ptr<ResultStream>> stream, ArrowArrayStream* out) {
  if (!stream.ok()) return stream.status();
  ExportStream(std::move(*stream), out);
  return Status::Ok();
}

/// A slot whose function comes with a later version: a handle that is none is still told apart.
template <typename Abi>
AdbcStatusCode Missing(const Abi* abi, const char* what, AdbcError* error) {
  return WithObject(abi, error, [&](auto&) { return NotInThisVersion(what); });
}

AdbcStatusCode DriverRelease(AdbcDriver* driver, AdbcError*) {
  if (driver == nullptr || driver->release == nullptr) return ADBC_STATUS_INVALID_STATE;
  // The rest stays: a manager may still read an error's details through the table.
  driver->release = nullptr;
  driver->private_data = nullptr;
  return ADBC_STATUS_OK;
}

AdbcStatusCode DatabaseNew(AdbcDatabase* database, AdbcError* error) {
  return Guard(error, [&]() -> Status {
    RETURN_IF_ERROR(CheckOut(database));
    return OpenHandle(database, std::make_shared<Database>());
  });
}

AdbcStatusCode DatabaseInit(AdbcDatabase* database, AdbcError* error) {
  return WithObject(database, error, [](Database& object) { return object.Init(); });
}

AdbcStatusCode ConnectionNew(AdbcConnection* connection, AdbcError* error) {
  return Guard(error, [&]() -> Status {
    RETURN_IF_ERROR(CheckOut(connection));
    return OpenHandle(connection, std::make_shared<Connection>());
  });
}

AdbcStatusCode ConnectionInit(AdbcConnection* connection, AdbcDatabase* database,
                              AdbcError* error) {
  return WithObject(connection, error, [&](Connection& object) -> Status {
    ASSIGN_OR_RETURN(const std::shared_ptr<Database> its_database, ObjectOf<Database>(database));
    return object.Init(its_database);
  });
}

AdbcStatusCode ConnectionEndTransaction(AdbcConnection* connection, AdbcError* error) {
  return WithObject(connection, error, [](Connection&) {
    return Status::InvalidState("there is no transaction: autocommit is on");
  });
}

AdbcStatusCode ConnectionGetInfo(AdbcConnection* connection, const uint32_t* codes, size_t length,
                                 ArrowArrayStream* out, AdbcError* error) {
  return WithObject(connection, error, [&](Connection& object) -> Status {
    RETURN_IF_ERROR(CheckOut(out));
    std::optional<std::span<const uint32_t>> asked;
    if (codes != nullptr && length > 0) asked.emplace(codes, length);
    return Export(object.Info(asked), out);
  });
}

AdbcStatusCode ConnectionGetObjects(AdbcConnection* connection, int, const char*, const char*,
                                    const char*, const char**, const char*, ArrowArrayStream*,
                                    AdbcError* error) {
  return Missing(connection, "GetObjects", error);
}

AdbcStatusCode ConnectionGetTableSchema(AdbcConnection* connection, const char* catalog,
                                        const char* schema, const char* table, ArrowSchema* out,
                                        AdbcError* error) {
  return WithObject(connection, error, [&](Connection& object) -> Status {
    RETURN_IF_ERROR(CheckOut(out));
    const TableName name{TextOrEmpty(catalog), TextOrEmpty(schema), TextOrEmpty(table)};
    ASSIGN_OR_RETURN(const std::shared_ptr<const Schema> columns, object.TableSchema(name));
    return columns->CopyTo(out);
  });
}

AdbcStatusCode ConnectionGetTableTypes(AdbcConnection* connection, ArrowArrayStream* out,
                                       AdbcError* error) {
  return WithObject(connection, error, [&](Connection& object) -> Status {
    RETURN_IF_ERROR(CheckOut(out));
    return Export(object.TableTypes(), out);
  });
}

AdbcStatusCode ConnectionGetStatistics(AdbcConnection* connection, const char*, const char*,
                                       const char*, char, ArrowArrayStream*, AdbcError* error) {
  return Missing(connection, "GetStatistics", error);
}

AdbcStatusCode ConnectionGetStatisticNames(AdbcConnection* connection, ArrowArrayStream*,
                                           AdbcError* error) {
  return Missing(connection, "GetStatisticNames", error);
}

AdbcStatusCode ConnectionReadPartition(AdbcConnection* connection, const uint8_t*, size_t,
                                       ArrowArrayStream*, AdbcError* error) {
  return Missing(connection, "ReadPartition", error);
}

AdbcStatusCode StatementNew(AdbcConnection* connection, AdbcStatement* statement,
                            AdbcError* error) {
  return Guard(error, [&]() -> Status {
    RETURN_IF_ERROR(CheckOut(statement));
    ASSIGN_OR_RETURN(std::shared_ptr<Connection> object, ObjectOf<Connection>(connection));
    ASSIGN_OR_RETURN(std::shared_ptr<Statement> made, Statement::Make(std::move(object)));
    return OpenHandle(statement, std::move(made));
  });
}

AdbcStatusCode StatementSetSqlQuery(AdbcStatement* statement, const char* query, AdbcError* error) {
  return WithObject(statement, error,
                    [&](Statement& object) { return object.SetQuery(TextOrEmpty(query)); });
}

AdbcStatusCode StatementSetSubstraitPlan(AdbcStatement* statement, const uint8_t*, size_t,
                                         AdbcError* error) {
  return Missing(statement, "Substrait", error);
}

AdbcStatusCode StatementPrepare(AdbcStatement* statement, AdbcError* error) {
  return WithObject(statement, error, [](Statement& object) { return object.Prepare(); });
}

AdbcStatusCode StatementBind(AdbcStatement* statement, ArrowArray* values, ArrowSchema* schema,
                             AdbcError* error) {
  return WithObject(statement, error, [&](Statement& object) -> Status {
    ASSIGN_OR_RETURN(nanoarrow::UniqueArrayStream rows, TakeBatch(values, schema));
    object.Bind(std::move(rows));
    return Status::Ok();
  });
}

AdbcStatusCode StatementBindStream(AdbcStatement* statement, ArrowArrayStream* stream,
                                   AdbcError* error) {
  return WithObject(statement, error, [&](Statement& object) -> Status {
    ASSIGN_OR_RETURN(nanoarrow::UniqueArrayStream rows, TakeStream(stream));
    object.Bind(std::move(rows));
    return Status::Ok();
  });
}

AdbcStatusCode StatementGetParameterSchema(AdbcStatement* statement, ArrowSchema* out,
                                           AdbcError* error) {
  return WithObject(statement, error, [&](Statement& object) -> Status {
    RETURN_IF_ERROR(CheckOut(out));
    return object.ParameterSchema(out);
  });
}

AdbcStatusCode StatementExecuteQuery(AdbcStatement* statement, ArrowArrayStream* out,
                                     int64_t* rows_affected, AdbcError* error) {
  return WithObject(statement, error, [&](Statement& object) -> Status {
    ASSIGN_OR_RETURN(Statement::Executed executed, object.ExecuteQuery(out != nullptr));
    if (rows_affected != nullptr) *rows_affected = executed.rows_affected;
    if (out != nullptr) ExportStream(std::move(executed.stream), out);
    return Status::Ok();
  });
}

AdbcStatusCode StatementExecuteSchema(AdbcStatement* statement, ArrowSchema*, AdbcError* error) {
  return Missing(statement, "ExecuteSchema", error);
}

AdbcStatusCode StatementExecutePartitions(AdbcStatement* statement, ArrowSchema*, AdbcPartitions*,
                                          int64_t*, AdbcError* error) {
  return Missing(statement, "ExecutePartitions", error);
}

AdbcDriver MakeTable() {
  using OfDatabase = HandleFunctions<AdbcDatabase>;
  using OfConnection = HandleFunctions<AdbcConnection>;
  using OfStatement = HandleFunctions<AdbcStatement>;
  AdbcDriver table = {};
  table.release = DriverRelease;

  table.DatabaseNew = DatabaseNew;
  table.DatabaseInit = DatabaseInit;
  table.DatabaseRelease = OfDatabase::Release;
  table.DatabaseSetOption = OfDatabase::SetOption;
  table.DatabaseSetOptionBytes = OfDatabase::SetOptionBytes;
  table.DatabaseSetOptionInt = OfDatabase::SetOptionInt;
  table.DatabaseSetOptionDouble = OfDatabase::SetOptionDouble;
  table.DatabaseGetOption = OfDatabase::GetOption;
  table.DatabaseGetOptionBytes = OfDatabase::GetOptionBytes;
  table.DatabaseGetOptionInt = OfDatabase::GetOptionInt;
  table.DatabaseGetOptionDouble = OfDatabase::GetOptionDouble;

  table.ConnectionNew = ConnectionNew;
  table.ConnectionInit = ConnectionInit;
  table.ConnectionRelease = OfConnection::Release;
  table.ConnectionCancel = OfConnection::Cancel;
  table.ConnectionCommit = ConnectionEndTransaction;
  table.ConnectionRollback = ConnectionEndTransaction;
  table.ConnectionGetInfo = ConnectionGetInfo;
  table.ConnectionGetObjects = ConnectionGetObjects;
  table.ConnectionGetTableSchema = ConnectionGetTableSchema;
  table.ConnectionGetTableTypes = ConnectionGetTableTypes;
  table.ConnectionGetStatistics = ConnectionGetStatistics;
  table.ConnectionGetStatisticNames = ConnectionGetStatisticNames;
  table.ConnectionReadPartition = ConnectionReadPartition;
  table.ConnectionSetOption = OfConnection::SetOption;
  table.ConnectionSetOptionBytes = OfConnection::SetOptionBytes;
  table.ConnectionSetOptionInt = OfConnection::SetOptionInt;
  table.ConnectionSetOptionDouble = OfConnection::SetOptionDouble;
  table.ConnectionGetOption = OfConnection::GetOption;
  table.ConnectionGetOptionBytes = OfConnection::GetOptionBytes;
  table.ConnectionGetOptionInt = OfConnection::GetOptionInt;
  table.ConnectionGetOptionDouble = OfConnection::GetOptionDouble;

  table.StatementNew = StatementNew;
  table.StatementRelease = OfStatement::Release;
  table.StatementCancel = OfStatement::Cancel;
  table.StatementSetSqlQuery = StatementSetSqlQuery;
  table.StatementSetSubstraitPlan = StatementSetSubstraitPlan;
  table.StatementPrepare = StatementPrepare;
  table.StatementBind = StatementBind;
  table.StatementBindStream = StatementBindStream;
  table.StatementGetParameterSchema = StatementGetParameterSchema;
  table.StatementExecuteQuery = StatementExecuteQuery;
  table.StatementExecuteSchema = StatementExecuteSchema;
  table.StatementExecutePartitions = StatementExecutePartitions;
  table.StatementSetOption = OfStatement::SetOption;
  table.StatementSetOptionBytes = OfStatement::SetOptionBytes;
  table.StatementSetOptionInt = OfStatement::SetOptionInt;
  table.StatementSetOptionDouble = OfStatement::SetOptionDouble;
  table.StatementGetOption = OfStatement::GetOption;
  table.StatementGetOptionBytes = OfStatement::GetOptionBytes;
  table.StatementGetOptionInt = OfStatement::GetOptionInt;
  table.StatementGetOptionDouble = OfStatement::GetOptionDouble;

  table.ErrorGetDetailCount = CountErrorDetails;
  table.ErrorGetDetail = GetErrorDetail;
  table.ErrorFromArrayStream = GetStreamError;
  return table;
}

}  // namespace

AdbcStatusCode FillDriverTable(int version, void* driver, AdbcError* error) {
  return Guard(error, [&]() -> Status {
    if (version != ADBC_VERSION_1_0_0 && version != ADBC_VERSION_1_1_0) {
      return Status::NotImplemented(
          StrCat("ADBC version ", version, " is not known: this driver speaks 1.0.0 and 1.1.0"));
    }
    if (driver == nullptr) return Status::InvalidArgument("no driver table to fill");
    const AdbcDriver table = MakeTable();
    const size_t size =
        version == ADBC_VERSION_1_0_0 ? ADBC_DRIVER_1_0_0_SIZE : ADBC_DRIVER_1_1_0_SIZE;
    // What comes before `release` is private_data (none) and the manager's own.
    constexpr size_t kFirst = offsetof(AdbcDriver, release);
    auto* const bytes = static_cast<char*>(driver);
    static_cast<AdbcDriver*>(driver)->private_data = nullptr;
    std::memcpy(bytes + kFirst, reinterpret_cast<const char*>(&table) + kFirst, size - kFirst);
    return Status::Ok();
  });
}

}  // namespace dbx
