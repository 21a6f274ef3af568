// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/secret.h"
#include "base/str_cat.h"

namespace dbx {

enum class LogLevel : uint8_t { kOff, kError, kWarn, kInfo, kDebug, kTrace };

/// A name and a value of a log line. A secret's type hides itself: there is no way to log its text.
class LogField {
 public:
  template <typename T>
  LogField(std::string_view name, const T& value) : name_(name) {
    if constexpr (std::is_same_v<T, Secret> || std::is_same_v<T, SecretUrl>) {
      value_ = value.Redacted();
    } else {
      value_ = StrCat(value);
    }
  }

  std::string_view name() const { return name_; }
  const std::string& value() const { return value_; }

 private:
  std::string_view name_;
  std::string value_;
};

/// Where events go. Cheap to copy; safe from any thread when the sink is.
class Log {
 public:
  /// Gets one whole line without a line feed; may be called from any thread.
  using Sink = std::function<void(LogLevel level, std::string_view line)>;

  Log() = default;  ///< writes nothing
  Log(LogLevel level, Sink sink) : level_(level), sink_(std::move(sink)) {}

  bool enabled(LogLevel level) const { return sink_ && level <= level_; }

  /// "download.start chunk_index=7 num_bytes=20". Values with blanks, quotes or line feeds are
  /// quoted.
  void Write(LogLevel level, std::string_view event, std::initializer_list<LogField> fields) const;

 private:
  LogLevel level_ = LogLevel::kOff;
  Sink sink_;
};

}  // namespace dbx
