// SPDX-License-Identifier: Apache-2.0
#include "http/curl_error.h"

#include "base/str_cat.h"

namespace dbx {
namespace {

constexpr const char* kCannotConnect = "08001";
constexpr const char* kConnectionLost = "08S01";

std::string Cause(const CurlFailure& failure) {
  // A question mark may begin a query, and a query may be a signature.
  if (failure.cause.empty() || failure.cause.find('?') != std::string::npos) {
    return curl_easy_strerror(failure.code);
  }
  return failure.cause;
}

bool Contains(const std::string& text, std::string_view piece) {
  return text.find(piece) != std::string::npos;
}

Status NotTrusted(const CurlFailure& failure) {
  const std::string cause = Cause(failure);
  const bool other_host = Contains(cause, "subject name");
  return Status::InvalidArgument(
             StrCat("TLS: the certificate of ", failure.host, " is not trusted (", cause, "). ",
                    other_host
                        ? "It was made for another host: check the host's name."
                        : "If it is signed by your own authority, give that authority's PEM file "
                          "as the CA file of the TLS options or in SSL_CERT_FILE."))
      .WithSqlstate(kCannotConnect);
}

/// The two sides have no version or cipher in common, or one does not speak TLS at all: no retry
/// can help.
bool IsHopelessHandshake(const std::string& cause) {
  return Contains(cause, "protocol version") || Contains(cause, "unsupported protocol") ||
         Contains(cause, "wrong version number") || Contains(cause, "handshake failure");
}

Status ProxyRefused(const CurlFailure& failure) {
  const std::string text =
      StrCat("the proxy answered ", failure.proxy_status, " when asked for ", failure.host);
  StatusCode code = StatusCode::kUnauthorized;
  if (failure.proxy_status == 407) code = StatusCode::kUnauthenticated;
  if (failure.proxy_status >= 500 || failure.proxy_status == 429) code = StatusCode::kUnavailable;
  return Status(code, text).WithSqlstate(kCannotConnect);
}

Status NotSent(const CurlFailure& failure) {
  return Status::Unavailable(StrCat("could not connect to ", failure.host, ": ", Cause(failure)))
      .WithSqlstate(kCannotConnect);
}

Status Lost(const CurlFailure& failure) {
  if (!failure.sent) return NotSent(failure);
  if (failure.code == CURLE_ABORTED_BY_CALLBACK || failure.code == CURLE_GOT_NOTHING) {
    return Status::Io(StrCat(failure.host, " closed the connection without an answer"))
        .WithSqlstate(kConnectionLost);
  }
  const std::string_view what =
      failure.code == CURLE_PARTIAL_FILE ? "the answer was cut short" : "the connection was lost";
  return Status::Io(StrCat(failure.host, ": ", what, " after ", failure.body_bytes,
                           " bytes of the body: ", Cause(failure)))
      .WithSqlstate(kConnectionLost);
}

Status HostNotFound(const CurlFailure& failure) {
  // A name that was there a moment ago will come back; one that never was is a typing error.
  const StatusCode code = failure.known_host ? StatusCode::kUnavailable : StatusCode::kNotFound;
  return Status(code, StrCat("cannot find the host ", failure.host, ": ", Cause(failure)))
      .WithSqlstate(kCannotConnect);
}

}  // namespace

Status ToStatus(const CurlFailure& failure) {
  if (!failure.sent && failure.proxy_status >= 400) return ProxyRefused(failure);
  switch (failure.code) {
    case CURLE_OK:
      return Status::Ok();
    case CURLE_WRITE_ERROR:
      return Status::Cancelled("the transfer was ended by its observer");
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
      return HostNotFound(failure);
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_ISSUER_ERROR:
      return NotTrusted(failure);
    case CURLE_SSL_CONNECT_ERROR:
      if (!IsHopelessHandshake(failure.cause)) return Lost(failure);
      return Status::InvalidArgument(StrCat("TLS 1.2 or newer is not possible with ", failure.host,
                                            ": ", Cause(failure)))
          .WithSqlstate(kCannotConnect);
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_LOGIN_DENIED:
      return Status::InvalidArgument(
          StrCat("not a usable URL: ", curl_easy_strerror(failure.code)));
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_TOO_LARGE:
      return Status::InvalidData(
          StrCat(failure.host, " does not answer as HTTP: ", Cause(failure)));
    case CURLE_OUT_OF_MEMORY:
    case CURLE_FAILED_INIT:
    case CURLE_BAD_FUNCTION_ARGUMENT:
      return Status::Internal(StrCat("libcurl: ", curl_easy_strerror(failure.code)));
    default:
      return Lost(failure);
  }
}

}  // namespace dbx
