// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "duckdb.h"

namespace dbx::local {

/// Move-only owner of one handle of the engine's C API.
template <typename Handle, void (*kDestroy)(Handle*)>
class EngineHandle {
 public:
  EngineHandle() = default;
  explicit EngineHandle(Handle handle) : handle_(handle) {}
  ~EngineHandle() { Reset(); }
  EngineHandle(EngineHandle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  EngineHandle& operator=(EngineHandle&& other) noexcept {
    if (this != &other) {
      Reset();
      handle_ = std::exchange(other.handle_, nullptr);
    }
    return *this;
  }
  Handle get() const { return handle_; }
  Handle* out() { return &handle_; }
  explicit operator bool() const { return handle_ != nullptr; }
  void Reset() {
    if (handle_ != nullptr) kDestroy(&handle_);
    handle_ = nullptr;
  }

 private:
  Handle handle_ = nullptr;
};

using DatabaseHandle = EngineHandle<duckdb_database, duckdb_close>;
using ConnectionHandle = EngineHandle<duckdb_connection, duckdb_disconnect>;
using PreparedHandle = EngineHandle<duckdb_prepared_statement, duckdb_destroy_prepare>;
using PendingHandle = EngineHandle<duckdb_pending_result, duckdb_destroy_pending>;
using LogicalType = EngineHandle<duckdb_logical_type, duckdb_destroy_logical_type>;
using DataChunk = EngineHandle<duckdb_data_chunk, duckdb_destroy_data_chunk>;

/// Text that the engine allocated.
class EngineString {
 public:
  explicit EngineString(char* text) : text_(text) {}
  ~EngineString() { duckdb_free(text_); }
  EngineString(const EngineString&) = delete;
  EngineString& operator=(const EngineString&) = delete;
  std::string_view view() const {
    return text_ == nullptr ? std::string_view() : std::string_view(text_);
  }

 private:
  char* text_;
};

/// A result of the engine, whole or streaming.
class EngineResult {
 public:
  EngineResult() = default;
  ~EngineResult() { duckdb_destroy_result(&result_); }
  EngineResult(const EngineResult&) = delete;
  EngineResult& operator=(const EngineResult&) = delete;
  duckdb_result* get() { return &result_; }
  std::string_view error() {
    const char* const text = duckdb_result_error(&result_);
    return text == nullptr ? std::string_view() : std::string_view(text);
  }
  int64_t rows_changed() { return static_cast<int64_t>(duckdb_rows_changed(&result_)); }

 private:
  duckdb_result result_ = {};
};

using TextRow = std::vector<std::optional<std::string>>;

/// Runs one statement of our own and throws its rows away. The error is the engine's text, as
/// kInternal.
Status Execute(duckdb_connection connection, const std::string& sql);
/// The rows of a result all of whose columns are VARCHAR.
Result<std::vector<TextRow>> ReadTexts(EngineResult& result);
/// Runs one statement of our own all of whose columns are VARCHAR.
Result<std::vector<TextRow>> QueryTexts(duckdb_connection connection, const std::string& sql);

}  // namespace dbx::local
