// SPDX-License-Identifier: Apache-2.0
#include "thrift/error_status.h"

#include <string_view>

#include "base/str_cat.h"

namespace dbx::local {
namespace {

constexpr std::string_view kServiceException = "org.apache.hive.service.cli.HiveSQLException";
constexpr std::string_view kFrames[] = {
    "org.apache.spark.sql.hive.thriftserver.HiveThriftServerErrors$:runningQueryError:"
    "HiveThriftServerErrors.scala:48",
    "org.apache.spark.sql.hive.thriftserver.SparkExecuteStatementOperation:execute:"
    "SparkExecuteStatementOperation.scala:692",
    "java.lang.Thread:run:Thread.java:750",
};

/// The exception that the service would have thrown.
std::string_view JavaClass(const Status& error) {
  if (error.error_class() == "PARSE_SYNTAX_ERROR")
    return "org.apache.spark.sql.catalyst.parser.ParseException";
  if (error.sqlstate().starts_with("42"))
    return "org.apache.spark.sql.catalyst.ExtendedAnalysisException";
  if (error.sqlstate() == "22012") return "org.apache.spark.SparkArithmeticException";
  return "org.apache.spark.SparkException";
}

thrift::TStatus MakeStatus(const ErrorTexts& texts) {
  thrift::TStatus status;
  status.__set_statusCode(thrift::TStatusCode::ERROR_STATUS);
  std::vector<std::string> info{StrCat("*", kServiceException, ":", texts.error_message, ":25:24")};
  for (const std::string_view frame : kFrames) info.emplace_back(frame);
  status.__set_infoMessages(info);
  status.__set_sqlState(texts.sqlstate);
  status.__set_errorCode(0);
  status.__set_errorMessage(texts.error_message);
  status.__set_displayMessage(texts.display_message);
  return status;
}

}  // namespace

ErrorTexts MakeErrorTexts(const Status& error) {
  const std::string error_class =
      error.error_class().empty() ? "INTERNAL_ERROR" : error.error_class();
  std::string message = error.message();
  if (!message.starts_with("[")) message = StrCat("[", error_class, "] ", message);
  ErrorTexts texts;
  texts.sqlstate = error.sqlstate().empty() ? "XX000" : error.sqlstate();
  texts.display_message = StrCat("\n", message);
  texts.error_message = StrCat("Error running query: [", error_class, "] ", JavaClass(error), ": ",
                               texts.display_message);
  texts.stack = StrCat(kServiceException, ": ", texts.error_message);
  for (const std::string_view frame : kFrames) texts.stack.append("\n\tat ").append(frame);
  return texts;
}

thrift::TStatus Success() {
  thrift::TStatus status;
  status.__set_statusCode(thrift::TStatusCode::SUCCESS_STATUS);
  return status;
}

thrift::TStatus StatementError(const Status& error) {
  return MakeStatus(MakeErrorTexts(error));
}

thrift::TStatus CallError(const std::string& message, const std::string& sqlstate) {
  return MakeStatus(
      {.sqlstate = sqlstate, .error_message = message, .display_message = message, .stack = {}});
}

}  // namespace dbx::local
