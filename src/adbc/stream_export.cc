// SPDX-License-Identifier: Apache-2.0
#include "adbc/stream_export.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "adbc/error_export.h"
#include "adbc/guard.h"

namespace dbx {
namespace {

/// What private_data of an exported stream points to. One thread at a time, as for every Arrow
/// stream.
class ExportedStream {
 public:
  explicit ExportedStream(std::unique_ptr<ResultStream> stream) : stream_(std::move(stream)) {}
  ~ExportedStream() { ForgetError(); }
  ExportedStream(const ExportedStream&) = delete;
  ExportedStream& operator=(const ExportedStream&) = delete;

  bool IsInherited() const { return process_ != getpid(); }

  int GetSchema(ArrowSchema* out) {
    return Report([&] { return stream_->schema()->CopyTo(out); });
  }

  int GetNext(ArrowArray* out) {
    std::memset(out, 0, sizeof(*out));
    return Report([&] { return Deliver(out); });
  }

  const char* last_error() const { return failure_.ok() ? nullptr : message_.c_str(); }

  const AdbcError* Error(AdbcStatusCode* status) {
    if (failure_.ok()) return nullptr;
    // Some callers release what they do not own: then it is made anew.
    if (error_.release == nullptr) {
      error_ = ADBC_ERROR_INIT;
      ExportError(failure_, &error_);
    }
    if (status != nullptr) *status = ToAdbcStatus(failure_.code());
    return &error_;
  }

 private:
  Status Deliver(ArrowArray* out) {
    if (IsInherited()) {
      return Status::InvalidState(
          "this result was opened before a fork and belongs to the other process");
    }
    if (!end_.ok() || ended_) return end_;
    Result<std::optional<RecordBatch>> batch = stream_->Next();
    if (!batch.ok()) return end_ = batch.status();
    if (batch->has_value()) {
      (*batch)->MoveTo(out);
    } else {
      ended_ = true;
    }
    return Status::Ok();
  }

  template <typename Call>
  int Report(Call&& call) noexcept {
    try {
      ForgetError();
      failure_ = WithoutExceptions(call);
      if (!failure_.ok()) message_ = MessageForPeople(failure_);
      return ToErrno(failure_.code());
    } catch (...) {
      return ENOMEM;
    }
  }

  void ForgetError() {
    if (error_.release != nullptr) error_.release(&error_);
  }

  const pid_t process_ = getpid();
  std::unique_ptr<ResultStream> stream_;
  bool ended_ = false;
  Status end_;      // the failure that every further get_next repeats
  Status failure_;  // of the last call
  std::string message_;
  AdbcError error_ = ADBC_ERROR_INIT;
};

ExportedStream* Of(ArrowArrayStream* stream) {
  return static_cast<ExportedStream*>(stream->private_data);
}

int GetSchema(ArrowArrayStream* stream, ArrowSchema* out) {
  return Of(stream)->GetSchema(out);
}

int GetNext(ArrowArrayStream* stream, ArrowArray* out) {
  return Of(stream)->GetNext(out);
}

const char* GetLastError(ArrowArrayStream* stream) {
  return Of(stream)->last_error();
}

void Release(ArrowArrayStream* stream) {
  ExportedStream* const exported = Of(stream);
  std::memset(stream, 0, sizeof(*stream));
  // A child after a fork lets it be: its threads are the parent's.
  if (exported != nullptr && !exported->IsInherited()) delete exported;
}

}  // namespace

void ExportStream(std::unique_ptr<ResultStream> stream, ArrowArrayStream* out) {
  auto exported = std::make_unique<ExportedStream>(std::move(stream));
  out->get_schema = GetSchema;
  out->get_next = GetNext;
  out->get_last_error = GetLastError;
  out->release = Release;
  out->private_data = exported.release();
}

const AdbcError* GetStreamError(ArrowArrayStream* stream, AdbcStatusCode* status) {
  if (stream == nullptr || stream->private_data == nullptr || stream->get_next != GetNext) {
    return nullptr;
  }
  try {
    return Of(stream)->Error(status);
  } catch (...) {
    return nullptr;
  }
}

}  // namespace dbx
