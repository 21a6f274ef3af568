// SPDX-License-Identifier: Apache-2.0
#include "net/storage_errors.h"

#include "base/str_cat.h"
#include "net/http_text.h"

namespace dbx::local {
namespace {

struct Answer {
  int status;
  std::string_view code;
  std::string_view message;
};

Answer AmazonAnswer(StorageError error) {
  switch (error) {
    case StorageError::kExpired:
      return {403, "AccessDenied", "Request has expired"};
    case StorageError::kForged:
      return {403, "SignatureDoesNotMatch",
              "The signature of this request is not the one that its key gives."};
    case StorageError::kUnsigned:
      return {403, "AccessDenied", "Access Denied"};
    case StorageError::kMalformed:
      return {400, "AuthorizationQueryParametersError",
              "The query parameters of the signature cannot be read."};
    case StorageError::kHeaderAndLink:
      return {400, "InvalidArgument", "Only one auth mechanism allowed"};
    case StorageError::kNotFound:
      return {404, "NoSuchKey", "The specified key does not exist."};
    case StorageError::kRange:
      return {416, "InvalidRange", "The requested range is not satisfiable"};
    case StorageError::kPrecondition:
      return {412, "PreconditionFailed", "A precondition of the request did not hold"};
    case StorageError::kMethod:
      return {405, "MethodNotAllowed", "This method is not allowed against this resource."};
  }
  return {500, "InternalError", "internal error"};
}

Answer AzureAnswer(StorageError error) {
  switch (error) {
    case StorageError::kExpired:
    case StorageError::kForged:
      return {403, "AuthenticationFailed", "Server failed to authenticate the request."};
    case StorageError::kUnsigned:
      return {409, "PublicAccessNotPermitted", "Public access is not permitted."};
    case StorageError::kMalformed:
      return {403, "AuthenticationFailed", "The fields of the signature cannot be read."};
    case StorageError::kHeaderAndLink:
      return {400, "InvalidAuthenticationInfo",
              "The authentication information has the wrong format."};
    case StorageError::kNotFound:
      return {404, "BlobNotFound", "The specified blob does not exist."};
    case StorageError::kRange:
      return {416, "InvalidRange",
              "The range specified is invalid for the current size of the resource."};
    case StorageError::kPrecondition:
      return {412, "ConditionNotMet", "The condition in the headers did not hold."};
    case StorageError::kMethod:
      return {405, "UnsupportedHttpVerb", "The resource doesn't support this verb."};
  }
  return {500, "InternalError", "internal error"};
}

Answer GoogleAnswer(StorageError error) {
  if (error == StorageError::kExpired) return {400, "ExpiredToken", "Invalid argument."};
  return AmazonAnswer(error);
}

Answer AnswerOf(StorageFlavor flavor, StorageError error) {
  switch (flavor) {
    case StorageFlavor::kAdls:
      return AzureAnswer(error);
    case StorageFlavor::kGcs:
      return GoogleAnswer(error);
    default:
      return AmazonAnswer(error);
  }
}

std::string Detail(StorageFlavor flavor, StorageError error, const StorageErrorContext& context) {
  const std::string expiry = IsoTime(context.expires_at);
  const std::string now = IsoTime(context.now);
  if (error == StorageError::kExpired) {
    switch (flavor) {
      case StorageFlavor::kS3:
        return StrCat("<Expires>", expiry, "</Expires><ServerTime>", now, "</ServerTime>");
      case StorageFlavor::kAdls:
        return StrCat(
            "<AuthenticationErrorDetail>Signature not valid in the specified time frame: Expiry [",
            expiry, "] - Current [", now, "]</AuthenticationErrorDetail>");
      case StorageFlavor::kGcs:
        return StrCat("<Details>The provided token has expired. Request signature expired at: ",
                      expiry, "</Details>");
    }
  }
  if (error == StorageError::kForged && flavor == StorageFlavor::kAdls) {
    return "<AuthenticationErrorDetail>Signature did not match.</AuthenticationErrorDetail>";
  }
  return {};
}

}  // namespace

HttpReply StorageErrorReply(StorageFlavor flavor, StorageError error,
                            const StorageErrorContext& context) {
  const Answer answer = AnswerOf(flavor, error);
  const std::string request_id = RandomUuid();
  const bool azure = flavor == StorageFlavor::kAdls;
  HttpReply reply{.status = answer.status, .headers = {{"Content-Type", "application/xml"}}};
  if (azure) {
    reply.headers.emplace_back("x-ms-error-code", answer.code);
    reply.headers.emplace_back("x-ms-request-id", request_id);
  } else if (flavor == StorageFlavor::kS3) {
    reply.headers.emplace_back("x-amz-request-id", request_id);
  }
  reply.body =
      StrCat("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>", answer.code,
             "</Code><Message>", answer.message, "</Message>", Detail(flavor, error, context),
             azure ? "" : StrCat("<RequestId>", request_id, "</RequestId>"), "</Error>");
  return reply;
}

}  // namespace dbx::local
