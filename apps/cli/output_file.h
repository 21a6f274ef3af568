// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace dbx::cli {

/// A file that is there whole or not at all: written under another name beside `path`, renamed by
/// Commit, removed otherwise.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  const std::string& partial_path() const { return partial_path_; }
  void Commit();

 private:
  const std::string path_;
  const std::string partial_path_;
  bool committed_ = false;
};

}  // namespace dbx::cli
