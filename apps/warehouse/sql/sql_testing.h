// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sql/engine.h"

namespace dbx::local {

/// A folder of its own for one test; gone with it.
class TestFolder {
 public:
  TestFolder();
  ~TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// A whole result as text.
struct ReadResult {
  Status status;
  std::vector<std::string> columns;  ///< "name TYPE" or "name TYPE NOT NULL"
  std::vector<std::string> rows;     ///< cells joined by " | "; NULL as NULL
  std::vector<int64_t> batch_rows;
  SqlResult result;  ///< without rows: they are read
};

ReadResult ReadAll(SqlSession& session, SqlRequest request);

/// One value as text, by the form that sql_type.h fixes.
std::string CellText(const SqlType& type, const ArrowArray& array, int64_t row);

}  // namespace dbx::local
