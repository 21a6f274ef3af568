// SPDX-License-Identifier: Apache-2.0
#include "adbc/fixed_options.h"

#include <array>

#include "arrow-adbc/adbc.h"
#include "base/str_cat.h"
#include "options/option_value.h"

namespace dbx {
namespace {

struct FixedOption {
  std::string_view name;
  std::string_view value;
  OptionScope lowest;
  std::string_view refusal;
};

constexpr std::array kFixedOptions{
    FixedOption{ADBC_CONNECTION_OPTION_AUTOCOMMIT, "true", OptionScope::kConnection,
                "transactions are not part of this version"},
    FixedOption{ADBC_CONNECTION_OPTION_READ_ONLY, "false", OptionScope::kConnection,
                "the service has no read-only sessions"},
    FixedOption{ADBC_CONNECTION_OPTION_ISOLATION_LEVEL, ADBC_OPTION_ISOLATION_LEVEL_DEFAULT,
                OptionScope::kConnection, "transactions are not part of this version"},
    FixedOption{ADBC_STATEMENT_OPTION_INCREMENTAL, "false", OptionScope::kStatement,
                "partitioned results are not part of this version"},
};

constexpr std::string_view kIsolationPrefix = "adbc.connection.transaction.isolation.";

const FixedOption* Find(OptionScope scope, std::string_view name) {
  for (const FixedOption& option : kFixedOptions) {
    // Connection options may be set on the database too, for the connections that it will make;
    // they mean nothing to a statement. Statement options are the statement's alone.
    const bool here = option.lowest == OptionScope::kStatement ? scope == OptionScope::kStatement
                                                               : scope != OptionScope::kStatement;
    if (here && option.name == name) return &option;
  }
  return nullptr;
}

/// The value in the standard's own spelling.
Result<std::string> Normalized(const FixedOption& option, const TypedValue& value) {
  std::string text = TextOf(value);
  if (option.name != ADBC_CONNECTION_OPTION_ISOLATION_LEVEL) {
    ASSIGN_OR_RETURN(const bool flag, ParseBool(option.name, text));
    return std::string(flag ? "true" : "false");
  }
  if (!text.starts_with(kIsolationPrefix)) {
    return Status::InvalidArgument(StrCat(option.name, ": '", text, "' is no isolation level"));
  }
  return text;
}

}  // namespace

std::optional<Status> SetFixedOption(OptionScope scope, std::string_view name,
                                     const TypedValue& value) {
  const FixedOption* const option = Find(scope, name);
  if (option == nullptr) return std::nullopt;
  if (std::holds_alternative<std::monostate>(value)) return Status::Ok();
  const Result<std::string> text = Normalized(*option, value);
  if (!text.ok()) return text.status();
  if (*text == option->value) return Status::Ok();
  return Status::NotImplemented(StrCat(name, ": '", *text, "': ", option->refusal));
}

std::optional<std::string> GetFixedOption(OptionScope scope, std::string_view name) {
  const FixedOption* const option = Find(scope, name);
  if (option == nullptr) return std::nullopt;
  return std::string(option->value);
}

}  // namespace dbx
