// SPDX-License-Identifier: Apache-2.0
#include "arrow_writer.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "failure.h"
#include "nanoarrow/nanoarrow_ipc.hpp"

namespace dbx::cli {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

void Check(int code, const ArrowError& error, const std::string& path) {
  if (code != 0) {
    throw Failure(Exit::kFailed,
                  fmt::format("cannot write '{}': {}", path,
                              error.message[0] != '\0' ? error.message : std::strerror(code)));
  }
}

}  // namespace

void WriteArrow(RowStream& rows, ArrowLayout layout, const std::string& path) {
  const File file(std::fopen(path.c_str(), "wb"));
  if (!file) {
    throw Failure(Exit::kFailed, fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
  }
  ArrowError error{};
  nanoarrow::ipc::UniqueOutputStream stream;
  Check(ArrowIpcOutputStreamInitFile(stream.get(), file.get(), 0), error, path);
  nanoarrow::ipc::UniqueWriter writer;
  Check(ArrowIpcWriterInit(writer.get(), stream.get()), error, path);
  if (layout == ArrowLayout::kFile)
    Check(ArrowIpcWriterStartFile(writer.get(), &error), error, path);
  Check(ArrowIpcWriterWriteSchema(writer.get(), rows.schema(), &error), error, path);
  nanoarrow::UniqueArrayView view;
  Check(ArrowArrayViewInitFromSchema(view.get(), rows.schema(), &error), error, path);
  while (true) {
    nanoarrow::UniqueArray batch;
    if (!rows.Next(batch.get())) break;
    Check(ArrowArrayViewSetArray(view.get(), batch.get(), &error), error, path);
    Check(ArrowIpcWriterWriteArrayView(writer.get(), view.get(), &error), error, path);
  }
  if (layout == ArrowLayout::kFile) {
    Check(ArrowIpcWriterFinalizeFile(writer.get(), &error), error, path);
  } else {
    Check(ArrowIpcWriterWriteArrayView(writer.get(), nullptr, &error), error, path);
  }
  if (std::fflush(file.get()) != 0) Check(errno, error, path);
}

}  // namespace dbx::cli
