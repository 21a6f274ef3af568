// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "adbc/testing/fake_application.h"

namespace dbx {
namespace {

/// The bits that are set say what a child got wrong with handles of its parent.
int UseInChild(FakeApplication& app, ArrowArrayStream* stream) {
  int wrong = 0;
  if (app.driver.StatementSetSqlQuery(&app.statement, "x", nullptr) != ADBC_STATUS_INVALID_STATE)
    wrong |= 1;
  ArrowArray batch = {};
  if (stream->get_next(stream, &batch) != EINVAL) wrong |= 2;
  stream->release(stream);
  if (app.driver.StatementRelease(&app.statement, nullptr) != ADBC_STATUS_OK) wrong |= 4;
  if (app.driver.ConnectionRelease(&app.connection, nullptr) != ADBC_STATUS_OK) wrong |= 8;
  if (app.driver.DatabaseRelease(&app.database, nullptr) != ADBC_STATUS_OK) wrong |= 16;
  AdbcDatabase fresh = {};
  if (app.driver.DatabaseNew(&fresh, nullptr) != ADBC_STATUS_OK) wrong |= 32;
  if (app.driver.DatabaseRelease(&fresh, nullptr) != ADBC_STATUS_OK) wrong |= 64;
  return wrong;
}

TEST(Fork, LeavesHandlesToTheParent) {
  FakeApplication app;
  ASSERT_EQ(app.OpenAll(), ADBC_STATUS_OK) << app.error.text();
  ASSERT_EQ(app.driver.StatementSetSqlQuery(&app.statement, "SELECT n", nullptr), 0);
  nanoarrow::UniqueArrayStream stream;
  ASSERT_EQ(app.driver.StatementExecuteQuery(&app.statement, stream.get(), nullptr, nullptr), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) _exit(UseInChild(app, stream.get()));
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(ReadInt64s(stream.get()).size(), 3U) << "the parent's result is whole";
}

}  // namespace
}  // namespace dbx
