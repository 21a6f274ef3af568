// SPDX-License-Identifier: Apache-2.0
#include "sql/session_state.h"

#include <atomic>

#include "base/str_cat.h"
#include "sql/errors.h"
#include "sql/sql_text.h"

namespace dbx::local {
namespace {

constexpr std::string_view kTimeZoneKey = "timezone";

/// Settings that a session has from the start, as a warehouse lists them.
const std::map<std::string, std::string>& DefaultConfs() {
  static const std::map<std::string, std::string> kDefaults = {
      {"ansi_mode", "true"},
      {"enable_photon", "true"},
      {"legacy_time_parser_policy", "EXCEPTION"},
      {"max_file_partition_bytes", "128m"},
      {"query_tags", ""},
      {"read_only_external_metastore", "false"},
      {"statement_timeout", "172800"},
      {"timezone", "Etc/UTC"},
      {"use_cached_result", "true"},
  };
  return kDefaults;
}

/// One key for each setting, whatever it is called.
std::string CanonicalKey(std::string_view key) {
  std::string name = ToLower(key);
  if (name == "spark.sql.session.timezone") return std::string(kTimeZoneKey);
  if (name == "spark.sql.ansi.enabled") return "ansi_mode";
  return name;
}

/// "+08:00" as the engine wants it. It knows whole hours only.
std::string EngineZone(std::string_view zone) {
  std::string_view offset = zone;
  for (const std::string_view prefix : {"UTC", "GMT"}) {
    if (offset.starts_with(prefix)) offset.remove_prefix(prefix.size());
  }
  const bool signed_hours = offset.size() >= 2 && (offset[0] == '+' || offset[0] == '-');
  const bool whole = offset.size() <= 3 || offset.substr(offset.size() - 3) == ":00";
  if (!signed_hours || !whole) return std::string(zone);
  std::string_view hours = offset.substr(1, offset.find(':') - 1);
  if (hours.size() > 1 && hours[0] == '0') hours.remove_prefix(1);
  if (hours == "0") return "Etc/UTC";
  // There the sign tells the way to Greenwich, not from it.
  return StrCat("Etc/GMT", offset[0] == '+' ? "-" : "+", hours);
}

}  // namespace

ConnectionLease::~ConnectionLease() {
  if (connection_ && !broken_) session_->GiveBack(std::move(connection_), version_);
}

Result<std::shared_ptr<SessionState>> SessionState::Make(std::shared_ptr<Database> database,
                                                         const std::string& catalog,
                                                         const std::string& schema) {
  static std::atomic<uint64_t> next_number = 1;
  std::shared_ptr<SessionState> state(
      new SessionState(std::move(database), StrCat("s_", next_number++)));
  ASSIGN_OR_RETURN(const ConnectionHandle connection, state->database_->Connect());
  RETURN_IF_ERROR(
      Execute(connection.get(), StrCat("CREATE SCHEMA session_views.", state->temporary_schema_)));
  if (!state->database_->HasCatalog(catalog)) return CatalogNotFound(catalog);
  {
    MutexLock lock(state->mutex_);
    state->confs_ = DefaultConfs();
    state->catalog_ = ToLower(catalog);
    state->schema_ = ToLower(schema);
  }
  return state;
}

SessionState::~SessionState() {
  Result<ConnectionHandle> connection = database_->Connect();
  if (!connection.ok()) return;
  // What is left of a session that ends badly goes with the database, which is in memory.
  const Status ignored = Execute(connection->get(), StrCat("DROP SCHEMA IF EXISTS session_views.",
                                                           temporary_schema_, " CASCADE"));
  static_cast<void>(ignored);
}

Result<bool> SessionState::SetUp(duckdb_connection connection) const {
  std::string path;
  std::string zone;
  {
    MutexLock lock(mutex_);
    path = StrCat(QuoteIdentifier(EngineCatalog(catalog_)), ".", QuoteIdentifier(schema_));
    zone = EngineZone(confs_.at(std::string(kTimeZoneKey)));
  }
  const std::string rest = StrCat("session_views.", temporary_schema_, ",functions.main");
  const bool has_schema =
      Execute(connection, StrCat("SET search_path = ", QuoteString(StrCat(path, ",", rest)))).ok();
  if (!has_schema) {
    RETURN_IF_ERROR(Execute(connection, StrCat("SET search_path = ", QuoteString(rest))));
  }
  RETURN_IF_ERROR(Execute(connection, StrCat("SET SESSION TimeZone = ", QuoteString(zone))));
  return has_schema;
}

Result<std::unique_ptr<ConnectionLease>> SessionState::Lease() {
  ConnectionHandle connection;
  uint64_t version = 0;
  uint64_t set_to = UINT64_MAX;
  {
    MutexLock lock(mutex_);
    version = version_;
    if (!idle_.empty()) {
      connection = std::move(idle_.back().first);
      set_to = idle_.back().second;
      idle_.pop_back();
    }
  }
  if (!connection) {
    ASSIGN_OR_RETURN(connection, database_->Connect());
  }
  if (set_to != version) {
    ASSIGN_OR_RETURN(const bool has_schema, SetUp(connection.get()));
    if (!has_schema) version = UINT64_MAX;  // looked for again by the next statement
  }
  return std::make_unique<ConnectionLease>(shared_from_this(), std::move(connection), version);
}

void SessionState::GiveBack(ConnectionHandle connection, uint64_t version) {
  constexpr size_t kMostIdle = 4;
  MutexLock lock(mutex_);
  if (idle_.size() < kMostIdle) idle_.emplace_back(std::move(connection), version);
}

TranslationContext SessionState::Context(const std::map<std::string, std::string>& overlay) const {
  TranslationContext context;
  context.catalogs = database_->catalogs();
  MutexLock lock(mutex_);
  context.catalog = catalog_;
  context.schema = schema_;
  context.time_zone = confs_.at(std::string(kTimeZoneKey));
  for (const auto& [key, value] : overlay) {
    if (CanonicalKey(key) == kTimeZoneKey) context.time_zone = value;
  }
  return context;
}

std::string SessionState::catalog() const {
  MutexLock lock(mutex_);
  return catalog_;
}

std::string SessionState::schema() const {
  MutexLock lock(mutex_);
  return schema_;
}

std::string SessionState::time_zone() const {
  MutexLock lock(mutex_);
  return confs_.at(std::string(kTimeZoneKey));
}

std::map<std::string, std::string> SessionState::confs() const {
  MutexLock lock(mutex_);
  return confs_;
}

Status SessionState::Use(const std::string& catalog, const std::string& schema) {
  if (!database_->HasCatalog(catalog)) return CatalogNotFound(catalog);
  ASSIGN_OR_RETURN(const bool known, database_->HasSchema(catalog, schema));
  if (!known) return SchemaNotFound(catalog, schema);
  MutexLock lock(mutex_);
  catalog_ = ToLower(catalog);
  schema_ = ToLower(schema);
  version_ += 1;
  return Status::Ok();
}

Status SessionState::SetConf(std::string_view key, std::string_view value) {
  const std::string name = CanonicalKey(key);
  if (name == kTimeZoneKey) {
    ASSIGN_OR_RETURN(const ConnectionHandle connection, database_->Connect());
    if (!Execute(connection.get(),
                 StrCat("SET SESSION TimeZone = ", QuoteString(EngineZone(value))))
             .ok()) {
      return SqlError(StatusCode::kInvalidArgument, "INVALID_CONF_VALUE.TIME_ZONE", "22022",
                      StrCat("The value '", value, "' of ", key, " is no time zone"));
    }
  }
  MutexLock lock(mutex_);
  confs_[name] = std::string(value);
  if (name == kTimeZoneKey) version_ += 1;
  return Status::Ok();
}

void SessionState::ResetConf(std::string_view key) {
  MutexLock lock(mutex_);
  if (key.empty()) {
    confs_ = DefaultConfs();
  } else if (const auto found = DefaultConfs().find(CanonicalKey(key));
             found != DefaultConfs().end()) {
    confs_[found->first] = found->second;
  } else {
    confs_.erase(CanonicalKey(key));
  }
  version_ += 1;
}

std::optional<std::string> SessionState::FindConf(std::string_view key) const {
  MutexLock lock(mutex_);
  const auto found = confs_.find(CanonicalKey(key));
  return found == confs_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace dbx::local
