// SPDX-License-Identifier: Apache-2.0
#include "adbc/log_sink.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <memory>
#include <string_view>

#include "base/str_cat.h"

namespace dbx {
namespace {

/// An open file; standard error is nobody's to close.
class LogFile {
 public:
  explicit LogFile(int descriptor) : descriptor_(descriptor) {}
  ~LogFile() {
    if (descriptor_ != STDERR_FILENO) close(descriptor_);
  }
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  void Add(std::string_view line) const {
    // A log that cannot be written must not disturb the work.
    while (write(descriptor_, line.data(), line.size()) < 0 && errno == EINTR) {
    }
  }

 private:
  const int descriptor_;
};

std::string_view NameOf(LogLevel level) {
  switch (level) {
    case LogLevel::kOff:
      return "off";
    case LogLevel::kError:
      return "error";
    case LogLevel::kWarn:
      return "warn";
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kDebug:
      return "debug";
    case LogLevel::kTrace:
      return "trace";
  }
  return "unknown";
}

/// "2026-01-31T12:00:00.123456Z".
std::string TimeText(std::chrono::system_clock::time_point now) {
  const auto micros =
      std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch()).count();
  const std::time_t seconds = micros / 1'000'000;
  std::tm parts = {};
  gmtime_r(&seconds, &parts);
  char text[40];
  const size_t length = std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &parts);
  const std::string fraction = StrCat(1'000'000 + micros % 1'000'000);
  return StrCat(std::string_view(text, length), ".", std::string_view(fraction).substr(1), "Z");
}

}  // namespace

Result<Log> MakeFileLog(LogLevel level, const std::string& file) {
  if (level == LogLevel::kOff) return Log();
  int descriptor = STDERR_FILENO;
  if (!file.empty()) {
    descriptor = open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0) {
      const int error = errno;
      return Status::InvalidArgument(
          StrCat("databricks.log_file: cannot open '", file, "' (error ", error, ")"));
    }
  }
  auto target = std::make_shared<const LogFile>(descriptor);
  return Log(level, [target](LogLevel line_level, std::string_view line) {
    target->Add(StrCat(TimeText(std::chrono::system_clock::now()), " ", NameOf(line_level), " ",
                       line, "\n"));
  });
}

}  // namespace dbx
