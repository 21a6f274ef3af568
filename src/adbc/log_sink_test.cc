// SPDX-License-Identifier: Apache-2.0
#include "adbc/log_sink.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>

namespace dbx {
namespace {

/// A file that is gone after the test.
class TemporaryFile {
 public:
  TemporaryFile() : path_(testing::TempDir() + "dbx_log_XXXXXX") {
    const int descriptor = mkstemp(path_.data());
    EXPECT_GE(descriptor, 0);
    close(descriptor);
  }
  ~TemporaryFile() { unlink(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }
  std::string Text() const {
    std::ostringstream text;
    text << std::ifstream(path_).rdbuf();
    return text.str();
  }

 private:
  std::string path_;
};

TEST(LogSink, AddsALineAnEventWithTimeAndLevel) {
  const TemporaryFile file;
  const Result<Log> log = MakeFileLog(LogLevel::kInfo, file.path());
  ASSERT_TRUE(log.ok());
  log->Write(LogLevel::kInfo, "session.open", {{"host", "h"}});
  log->Write(LogLevel::kDebug, "too.fine", {});
  EXPECT_TRUE(std::regex_match(
      file.Text(),
      std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z info session\.open host=h\n)")))
      << file.Text();
}

TEST(LogSink, OpensNothingWhenItIsOff) {
  EXPECT_TRUE(MakeFileLog(LogLevel::kOff, "/no/such/folder/log").ok());
}

TEST(LogSink, NamesTheFileThatCannotBeOpened) {
  const Status status = MakeFileLog(LogLevel::kInfo, "/no/such/folder/log").status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("/no/such/folder/log"), std::string::npos);
}

}  // namespace
}  // namespace dbx
