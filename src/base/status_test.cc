// SPDX-License-Identifier: Apache-2.0
#include "base/status.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

namespace dbx {
namespace {

TEST(Status, SuccessHasNoDetails) {
  const Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.code(), StatusCode::kOk);
  EXPECT_EQ(status.message(), "");
  EXPECT_EQ(status.sqlstate(), "");
  EXPECT_EQ(status.vendor_code(), 0);
  EXPECT_FALSE(status.session_lost());
  EXPECT_EQ(status.ToString(), "ok");
}

TEST(Status, AFailureKeepsAllDetailsOnItsWayUp) {
  const Status status = Status::NotFound("no such table")
                            .WithSqlstate("42P01")
                            .WithErrorClass("TABLE_OR_VIEW_NOT_FOUND")
                            .WithStatementId("01ef")
                            .WithVendorCode(7)
                            .WithHttpStatus(404)
                            .WithSessionLost()
                            .WithContext("execute")
                            .WithContext("query")
                            .WithCode(StatusCode::kUnauthorized);
  EXPECT_EQ(status.code(), StatusCode::kUnauthorized);
  EXPECT_EQ(status.message(), "query: execute: no such table");
  EXPECT_EQ(status.sqlstate(), "42P01");
  EXPECT_EQ(status.error_class(), "TABLE_OR_VIEW_NOT_FOUND");
  EXPECT_EQ(status.statement_id(), "01ef");
  EXPECT_EQ(status.vendor_code(), 7);
  EXPECT_EQ(status.http_status(), 404);
  EXPECT_TRUE(status.session_lost());
  EXPECT_EQ(status.ToString(), "unauthorized: query: execute: no such table");
}

TEST(Status, ACopyDoesNotChangeWithTheOriginal) {
  const Status status = Status::Io("reset");
  const Status changed = status.WithContext("read");
  EXPECT_EQ(status.message(), "reset");
  EXPECT_EQ(changed.message(), "read: reset");
}

TEST(Status, SuccessStaysSuccess) {
  EXPECT_TRUE(Status::Ok().WithContext("execute").WithCode(StatusCode::kIo).WithSessionLost().ok());
  EXPECT_TRUE(Status(StatusCode::kOk, "ignored").ok());
}

TEST(Status, EveryCodeHasItsOwnWord) {
  std::string words;
  for (int code = 0; code <= static_cast<int>(StatusCode::kInternal); ++code) {
    const std::string word = "|" + std::string(ToString(static_cast<StatusCode>(code))) + "|";
    EXPECT_NE(word, "|unknown|");
    EXPECT_EQ(words.find(word), std::string::npos) << word;
    words += word;
  }
}

TEST(Result, HoldsAValueOrAReason) {
  const Result<int> value(7);
  EXPECT_TRUE(value.ok());
  EXPECT_EQ(*value, 7);
  const Result<int> failure(Status::Timeout("late"));
  EXPECT_FALSE(failure.ok());
  EXPECT_EQ(failure.status().message(), "late");
}

TEST(Result, ASuccessWithoutAValueIsAnError) {
  const Result<int> result{Status::Ok()};
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.status().code(), StatusCode::kInternal);
}

Result<std::unique_ptr<int>> MakeUnique(bool good) {
  if (!good) return Status::Io("broken");
  return std::make_unique<int>(3);
}

Result<int> Twice(bool good) {
  ASSIGN_OR_RETURN(const std::unique_ptr<int> number, MakeUnique(good));
  std::unique_ptr<int> other;
  ASSIGN_OR_RETURN(other, MakeUnique(good));
  return *number + *other;
}

Status Checked(Status inner, bool* reached) {
  RETURN_IF_ERROR(std::move(inner));
  *reached = true;
  return Status::Ok();
}

TEST(Macros, AssignOrReturnLeavesWithTheFailure) {
  EXPECT_EQ(Twice(true).value(), 6);
  EXPECT_EQ(Twice(false).status().message(), "broken");
}

TEST(Macros, ReturnIfErrorGoesOnAfterSuccess) {
  bool reached = false;
  EXPECT_EQ(Checked(Status::Io("broken"), &reached).code(), StatusCode::kIo);
  EXPECT_FALSE(reached);
  EXPECT_TRUE(Checked(Status::Ok(), &reached).ok());
  EXPECT_TRUE(reached);
}

}  // namespace
}  // namespace dbx
