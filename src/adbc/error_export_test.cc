// SPDX-License-Identifier: Apache-2.0
#include "adbc/error_export.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <string>

#include "adbc/guard.h"

namespace dbx {
namespace {

Status Failure() {
  return Status::NotFound("no such table")
      .WithSqlstate("42P01")
      .WithErrorClass("TABLE_OR_VIEW_NOT_FOUND")
      .WithStatementId("01f0-aa")
      .WithHttpStatus(404)
      .WithVendorCode(7);
}

std::map<std::string, std::string> DetailsOf(const AdbcError& error) {
  std::map<std::string, std::string> details;
  for (int i = 0; i < CountErrorDetails(&error); ++i) {
    const AdbcErrorDetail detail = GetErrorDetail(&error, i);
    details[detail.key] =
        std::string(reinterpret_cast<const char*>(detail.value), detail.value_length);
  }
  return details;
}

TEST(ErrorExport, GivesDetailsToWhoHasRoomForThem) {
  AdbcError error = ADBC_ERROR_INIT;
  EXPECT_EQ(ExportError(Failure(), &error), ADBC_STATUS_NOT_FOUND);
  EXPECT_STREQ(error.message, "[databricks] no such table (statement 01f0-aa)");
  EXPECT_EQ(error.vendor_code, ADBC_ERROR_VENDOR_CODE_PRIVATE_DATA);
  EXPECT_EQ(std::string(error.sqlstate, 5), "42P01");
  EXPECT_EQ(DetailsOf(error), (std::map<std::string, std::string>{
                                  {"databricks.error_class", "TABLE_OR_VIEW_NOT_FOUND"},
                                  {"databricks.statement_id", "01f0-aa"},
                                  {"databricks.http_status", "404"},
                                  {"databricks.error_code", "7"}}));
  EXPECT_EQ(GetErrorDetail(&error, -1).key, nullptr);
  EXPECT_EQ(GetErrorDetail(&error, 4).key, nullptr);
  error.release(&error);
  EXPECT_EQ(error.release, nullptr);
  EXPECT_EQ(CountErrorDetails(&error), 0);
}

/// The struct of ADBC 1.0 ends before private_data: what lies behind belongs to someone else.
TEST(ErrorExport, WritesNoByteBehindAShortError) {
  struct {
    AdbcError error;
  } place;
  std::memset(&place, 0x5A, sizeof(place));
  std::memset(&place, 0, ADBC_ERROR_1_0_0_SIZE);
  const auto* const behind = reinterpret_cast<const char*>(&place) + ADBC_ERROR_1_0_0_SIZE;
  const std::string untouched(ADBC_ERROR_1_1_0_SIZE - ADBC_ERROR_1_0_0_SIZE, 0x5A);
  EXPECT_EQ(ExportError(Failure(), &place.error), ADBC_STATUS_NOT_FOUND);
  EXPECT_EQ(place.error.vendor_code, 7);
  EXPECT_EQ(CountErrorDetails(&place.error), 0);
  EXPECT_EQ(std::string(behind, untouched.size()), untouched);
  place.error.release(&place.error);
  EXPECT_EQ(place.error.message, nullptr);
  EXPECT_EQ(std::string(behind, untouched.size()), untouched);
}

TEST(ErrorExport, TakesTheMarkOverFromTheErrorBefore) {
  AdbcError error = ADBC_ERROR_INIT;
  ExportError(Status::Timeout("first"), &error);
  ExportError(Failure(), &error);
  EXPECT_EQ(error.vendor_code, ADBC_ERROR_VENDOR_CODE_PRIVATE_DATA);
  EXPECT_EQ(CountErrorDetails(&error), 4);
  error.release(&error);
}

TEST(ErrorExport, TakesNoErrorAndLeavesSuccessAlone) {
  EXPECT_EQ(ExportError(Failure(), nullptr), ADBC_STATUS_NOT_FOUND);
  AdbcError error = ADBC_ERROR_INIT;
  EXPECT_EQ(ExportError(Status::Ok(), &error), ADBC_STATUS_OK);
  EXPECT_EQ(error.message, nullptr);
  EXPECT_EQ(CountErrorDetails(nullptr), 0);
}

TEST(ErrorExport, HasNoDetailsOfForeignErrors) {
  AdbcError error = ADBC_ERROR_INIT;
  int foreign = 0;
  error.private_data = &foreign;
  error.release = [](AdbcError*) {};
  EXPECT_EQ(CountErrorDetails(&error), 0);
  EXPECT_EQ(GetErrorDetail(&error, 0).key, nullptr);
}

TEST(ErrorExport, TellsKindsOfFailureApart) {
  EXPECT_EQ(ToAdbcStatus(StatusCode::kUnauthenticated), ADBC_STATUS_UNAUTHENTICATED);
  EXPECT_EQ(ToAdbcStatus(StatusCode::kUnauthorized), ADBC_STATUS_UNAUTHORIZED);
  EXPECT_EQ(ToAdbcStatus(StatusCode::kAlreadyExists), ADBC_STATUS_ALREADY_EXISTS);
  EXPECT_EQ(ToAdbcStatus(StatusCode::kUnavailable), ADBC_STATUS_IO);
  EXPECT_EQ(ToErrno(StatusCode::kCancelled), ECANCELED);
  EXPECT_EQ(ToErrno(StatusCode::kTimeout), ETIMEDOUT);
  EXPECT_EQ(ToErrno(StatusCode::kOk), 0);
}

TEST(Guard, LetsNoExceptionThrough) {
  AdbcError error = ADBC_ERROR_INIT;
  const auto throws = []() -> Status { throw std::runtime_error("boom"); };
  EXPECT_EQ(Guard(&error, throws), ADBC_STATUS_INTERNAL);
  EXPECT_NE(std::string(error.message).find("boom"), std::string::npos);
  const auto starves = []() -> Status { throw std::bad_alloc(); };
  EXPECT_EQ(Guard(&error, starves), ADBC_STATUS_INTERNAL);
  const auto odd = []() -> Status { throw 7; };
  EXPECT_EQ(Guard(&error, odd), ADBC_STATUS_INTERNAL);
  error.release(&error);
}

}  // namespace
}  // namespace dbx
