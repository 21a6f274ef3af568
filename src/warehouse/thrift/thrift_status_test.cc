// SPDX-License-Identifier: Apache-2.0
#include "warehouse/thrift/thrift_status.h"

#include <gtest/gtest.h>

#include "warehouse/thrift/testing/fake_replies.h"

namespace dbx::thrift {
namespace {

TEST(ThriftStatus, MapsSqlstatesToCodes) {
  const std::vector<std::pair<const char*, StatusCode>> table = {
      {"42601", StatusCode::kInvalidArgument},
      {"42P01", StatusCode::kNotFound},
      {"42501", StatusCode::kUnauthorized},
      {"42P07", StatusCode::kAlreadyExists},
      {"22012", StatusCode::kInvalidArgument},
      {"0A000", StatusCode::kNotImplemented},
      {"08000", StatusCode::kIo},
      {"57014", StatusCode::kCancelled},
      {"XXKST", StatusCode::kInternal},
      {"", StatusCode::kInternal},
  };
  for (const auto& [sqlstate, code] : table) {
    EXPECT_EQ(ToStatus(Failure(sqlstate, "text")).code(), code) << sqlstate;
  }
}

TEST(ThriftStatus, FindsTheSqlstateAndTheClassInTheText) {
  TStatus status = Failure("", "[BAD.CLASS_1] wrong. SQLSTATE: 42K03 (line 1)");
  status.__isset.sqlState = false;
  status.__set_errorCode(17);
  const Status failure = ToStatus(status);
  EXPECT_EQ(failure.sqlstate(), "42K03");
  EXPECT_EQ(failure.error_class(), "BAD.CLASS_1");
  EXPECT_EQ(failure.vendor_code(), 17);
}

TEST(ThriftStatus, TakesNoQuotedNameForAClass) {
  EXPECT_EQ(ToStatus(Failure("42000", "array [1] and [ab] and [X")).error_class(), "");
}

TEST(ThriftStatus, UsesTheInfoMessagesWhenThereIsNothingElse) {
  TStatus status;
  status.statusCode = TStatusCode::ERROR_STATUS;
  EXPECT_EQ(ToStatus(status).message(), "the service gave no message");
  status.__set_infoMessages({"*org.Exception:Cannot cast:1:2", "frame"});
  EXPECT_EQ(ToStatus(status).message(), "*org.Exception:Cannot cast:1:2");
}

TEST(ThriftStatus, CutsEndlessTexts) {
  EXPECT_LE(ToStatus(Failure("42000", std::string(1 << 20, 'x'))).message().size(), 8192u);
}

TEST(ThriftStatus, TakesAnUnknownStatusCodeForAFailure) {
  TStatus status;
  status.statusCode = static_cast<TStatusCode::type>(42);
  EXPECT_FALSE(ToStatus(status).ok());
}

TEST(ThriftStatus, ATextBesideAGoodEndIsNoFailure) {
  TGetOperationStatusResp finished = InState(TOperationState::FINISHED_STATE);
  finished.__set_displayMessage("all is well");
  EXPECT_TRUE(ToStatus(finished).ok());
}

TEST(ThriftStatus, WritesHandlesAsUuids) {
  THandleIdentifier handle;
  handle.guid = std::string("\x01\xee\x23\x45\x67\x89\xab\xcd\xef\x00\x11\x22\x33\x44\x55\x66", 16);
  EXPECT_EQ(ToUuid(handle), "01ee2345-6789-abcd-ef00-112233445566");
  handle.guid.pop_back();
  EXPECT_EQ(ToUuid(handle), "");
}

}  // namespace
}  // namespace dbx::thrift
