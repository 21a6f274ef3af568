// SPDX-License-Identifier: Apache-2.0
#include "adbc/connection.h"

#include <array>
#include <string>
#include <utility>

#include "adbc/driver_version.h"
#include "adbc/fixed_options.h"
#include "adbc/month_intervals.h"
#include "arrow-adbc/adbc.h"
#include "base/str_cat.h"
#include "metadata/info.h"
#include "metadata/table_types.h"
#include "options/option_table.h"

namespace dbx {
namespace {

constexpr std::string_view kCatalogKey = "databricks.catalog";
constexpr std::string_view kSchemaKey = "databricks.schema";

/// The option's own key, whatever spelling was used; empty when unknown.
std::string_view CanonicalKey(std::string_view name) {
  const OptionRow* const row = FindOption(name);
  return row == nullptr ? std::string_view() : row->key;
}

Status TooLate(std::string_view name) {
  return Status::InvalidState(StrCat(name, ": is set before the connection is opened"));
}

}  // namespace

Status Connection::SetOption(std::string_view name, const TypedValue& value) {
  if (std::optional<Status> fixed = SetFixedOption(OptionScope::kConnection, name, value)) {
    return *std::move(fixed);
  }
  {
    MutexLock lock(mutex_);
    if (!session_) return SetIn(*options_, name, value);
  }
  return SetAfterInit(name, value);
}

Status Connection::SetAfterInit(std::string_view name, const TypedValue& value) {
  ASSIGN_OR_RETURN(const std::shared_ptr<LiveSession> live, session());
  const std::string_view key = CanonicalKey(name);
  if (key == kCatalogKey || key == kSchemaKey) {
    const std::string text = TextOf(value);
    if (text.empty()) return Status::NotImplemented(StrCat(name, ": cannot be cleared"));
    return key == kCatalogKey ? live->session->SetCatalog(text) : live->session->SetSchema(text);
  }
  const OptionRow* const row = FindOption(name);
  const bool of_statements = row != nullptr && row->lowest == OptionScope::kStatement;
  if (row != nullptr && !of_statements) return TooLate(name);
  if (row == nullptr && !SessionSettingKey(name).empty()) return TooLate(name);
  MutexLock lock(mutex_);
  return SetIn(*options_, name, value);
}

Result<TypedValue> Connection::GetOption(std::string_view name, ValueType type) const {
  if (std::optional<std::string> fixed = GetFixedOption(OptionScope::kConnection, name)) {
    return TypedValue(*std::move(fixed));
  }
  const std::string_view key = CanonicalKey(name);
  if (key == kCatalogKey || key == kSchemaKey) {
    if (const Result<std::shared_ptr<LiveSession>> live = session(); live.ok()) {
      const Session& current = *(*live)->session;
      std::string text = key == kCatalogKey ? current.catalog() : current.schema();
      if (!text.empty()) return TypedValue(std::move(text));
    }
  }
  MutexLock lock(mutex_);
  return GetFrom(*options_, name, type);
}

Status Connection::Init(const std::shared_ptr<Database>& database) {
  CallScope call(calls_);
  ASSIGN_OR_RETURN(std::shared_ptr<Workspace> workspace, database->workspace());
  Config config;
  {
    MutexLock lock(mutex_);
    if (session_) return Status::InvalidState("the connection is open already");
    // From here on the database answers for what the connection does not set itself.
    auto options = std::make_unique<OptionSet>(OptionScope::kConnection, &database->options());
    for (const auto& [key, text] : options_->values()) RETURN_IF_ERROR(options->Set(key, text));
    const std::array<const OptionSet*, 2> sets{&database->options(), options.get()};
    ASSIGN_OR_RETURN(config, ResolveConfig(sets, database->sources()));
    options_ = std::move(options);
    database_ = database;
  }
  ASSIGN_OR_RETURN(std::shared_ptr<LiveSession> live,
                   OpenLiveSession(std::move(workspace), std::move(config),
                                   database->open_session(), call.cancellation()));
  RETURN_IF_ERROR(call.cancellation()->status());
  MutexLock lock(mutex_);
  session_ = std::move(live);
  return Status::Ok();
}

Result<std::shared_ptr<LiveSession>> Connection::session() const {
  MutexLock lock(mutex_);
  if (!session_) return Status::InvalidState("the connection is not open");
  return session_;
}

Result<Connection::Basis> Connection::StatementBasis() const {
  MutexLock lock(mutex_);
  if (!session_) return Status::InvalidState("the connection is not open");
  return Basis{database_, session_, *options_};
}

Result<std::unique_ptr<ResultStream>> Connection::Info(
    std::optional<std::span<const uint32_t>> codes) {
  ASSIGN_OR_RETURN(const std::shared_ptr<LiveSession> live, session());
  const InfoFacts facts{.driver_name = std::string(DriverName()),
                        .driver_version = std::string(DriverVersion()),
                        .driver_arrow_version = std::string(DriverArrowVersion()),
                        .adbc_version = ADBC_VERSION_1_1_0,
                        .vendor_name = "Databricks",
                        .vendor_version = [&live] { return live->session->ServerVersion(); }};
  return MakeInfoStream(facts, codes);
}

Result<std::unique_ptr<ResultStream>> Connection::TableTypes() {
  ASSIGN_OR_RETURN(const std::shared_ptr<LiveSession> live, session());
  return MakeTableTypesStream(*live->session);
}

Result<std::shared_ptr<const Schema>> Connection::TableSchema(const TableName& name) {
  ASSIGN_OR_RETURN(const std::shared_ptr<LiveSession> live, session());
  CallScope call(calls_);
  Result<std::shared_ptr<const Schema>> schema =
      FetchTableSchema(*live->session, name, call.cancellation());
  RETURN_IF_ERROR(call.cancellation()->status());
  if (!schema.ok()) return schema;
  return WidenMonthIntervals(std::move(*schema));
}

}  // namespace dbx
