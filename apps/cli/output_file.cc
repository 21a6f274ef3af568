// SPDX-License-Identifier: Apache-2.0
#include "output_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

#include "failure.h"

namespace dbx::cli {

OutputFile::OutputFile(std::string path)
    : path_(std::move(path)), partial_path_(fmt::format("{}.partial-{}", path_, getpid())) {}

OutputFile::~OutputFile() {
  std::error_code ignored;
  if (!committed_) std::filesystem::remove(partial_path_, ignored);
}

void OutputFile::Commit() {
  std::error_code failure;
  std::filesystem::rename(partial_path_, path_, failure);
  if (failure)
    throw Failure(Exit::kFailed, fmt::format("cannot write '{}': {}", path_, failure.message()));
  committed_ = true;
}

}  // namespace dbx::cli
