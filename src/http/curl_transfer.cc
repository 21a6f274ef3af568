// SPDX-License-Identifier: Apache-2.0
#include "http/curl_transfer.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "base/str_cat.h"
#include "http/ca_bundle.h"
#include "http/curl_error.h"

namespace dbx {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr long kReceiveBufferBytes = 512L << 10;
constexpr milliseconds kWithoutEnd{INT32_MAX};

const char* Word(HttpMethod method) {
  switch (method) {
    case HttpMethod::kGet:
      return "GET";
    case HttpMethod::kPost:
      return "POST";
    case HttpMethod::kPut:
      return "PUT";
    case HttpMethod::kDelete:
      return "DELETE";
  }
  return "GET";
}

std::string_view Trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

bool IsTokenCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

Status CheckHeader(const HttpHeader& header) {
  if (header.name.empty() ||
      !std::all_of(header.name.begin(), header.name.end(), IsTokenCharacter)) {
    return Status::InvalidArgument("a header's name is not a word of letters, digits and dashes");
  }
  const std::string& value = header.value.Reveal();
  const bool breaks_line = std::any_of(value.begin(), value.end(),
                                       [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
  if (breaks_line) {
    return Status::InvalidArgument(StrCat("header ", header.name, ": a line break in its value"));
  }
  return Status::Ok();
}

/// Path and query as the URL has them.
std::string RequestTarget(std::string_view url) {
  const size_t scheme = url.find("://");
  if (scheme != std::string_view::npos) url.remove_prefix(scheme + 3);
  url = url.substr(0, url.find('#'));
  const size_t begin = url.find_first_of("/?");
  if (begin == std::string_view::npos) return "/";
  return url[begin] == '/' ? std::string(url.substr(begin)) : StrCat("/", url.substr(begin));
}

bool HasEnvironment(const char* name) {
  const char* const value = std::getenv(name);
  return value && *value;
}

/// libcurl knows ".example.com", people also write "*.example.com".
std::string NoProxyList(std::string_view hosts) {
  std::string list;
  while (!hosts.empty()) {
    const size_t comma = hosts.find_first_of(",;");
    std::string_view host = Trim(hosts.substr(0, comma));
    if (host.starts_with("*.")) host.remove_prefix(1);
    if (!host.empty()) list += StrCat(list.empty() ? "" : ",", host);
    hosts.remove_prefix(comma == std::string_view::npos ? hosts.size() : comma + 1);
  }
  return list;
}

void SetTls(CURL* easy, const CurlSettings& settings) {
  const TlsOptions& tls = settings.options.tls;
  curl_easy_setopt(easy, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, tls.verify ? 1L : 0L);
  curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, tls.verify && tls.verify_hostname ? 2L : 0L);
  if (!settings.ca_file.empty()) curl_easy_setopt(easy, CURLOPT_CAINFO, settings.ca_file.c_str());
  if (!tls.client_certificate_file.empty()) {
    curl_easy_setopt(easy, CURLOPT_SSLCERT, tls.client_certificate_file.c_str());
  }
  if (!tls.client_key_file.empty()) {
    curl_easy_setopt(easy, CURLOPT_SSLKEY, tls.client_key_file.c_str());
  }
}

void SetProxy(CURL* easy, const CurlSettings& settings) {
  const ProxyOptions& proxy = settings.options.proxy;
  curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  if (!settings.no_proxy.empty() || !proxy.use_environment) {
    curl_easy_setopt(easy, CURLOPT_NOPROXY, settings.no_proxy.c_str());
  }
  if (proxy.host.empty()) {
    // The empty text means "none, whatever the environment says".
    if (!proxy.use_environment) curl_easy_setopt(easy, CURLOPT_PROXY, "");
    return;
  }
  curl_easy_setopt(easy, CURLOPT_PROXY, proxy.host.c_str());
  if (proxy.port > 0) curl_easy_setopt(easy, CURLOPT_PROXYPORT, static_cast<long>(proxy.port));
  if (proxy.user.empty()) return;
  curl_easy_setopt(easy, CURLOPT_PROXYUSERNAME, proxy.user.c_str());
  curl_easy_setopt(easy, CURLOPT_PROXYPASSWORD, proxy.password.Reveal().c_str());
  curl_easy_setopt(easy, CURLOPT_PROXYAUTH, static_cast<long>(CURLAUTH_BASIC));
}

void SetConnection(CURL* easy, const CurlSettings& settings) {
  const milliseconds wanted = settings.options.connect_timeout;
  const milliseconds timeout = wanted.count() > 0 ? std::min(wanted, kWithoutEnd) : kWithoutEnd;
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(timeout.count()));
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  curl_easy_setopt(easy, CURLOPT_HTTP_CONTENT_DECODING, 0L);
  curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, kReceiveBufferBytes);
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
  // A user part in a URL would become an Authorization header that nobody asked for.
  curl_easy_setopt(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
  if (!settings.options.user_agent.empty()) {
    curl_easy_setopt(easy, CURLOPT_USERAGENT, settings.options.user_agent.c_str());
  }
}

milliseconds Elapsed(CURL* easy, CURLINFO info) {
  curl_off_t time = 0;
  curl_easy_getinfo(easy, info, &time);
  return std::chrono::duration_cast<milliseconds>(microseconds(time));
}

}  // namespace

Result<CurlSettings> CurlSettings::Make(CurlClientOptions options) {
  CurlSettings settings;
  if (options.tls.verify) {
    ASSIGN_OR_RETURN(settings.ca_file, FindCaBundle(options.tls.ca_file));
  }
  settings.no_proxy = NoProxyList(options.proxy.no_proxy);
  const bool from_environment =
      options.proxy.use_environment &&
      (HasEnvironment("http_proxy") || HasEnvironment("all_proxy") || HasEnvironment("ALL_PROXY"));
  settings.plain_proxy = !options.proxy.host.empty() || from_environment;
  settings.options = std::move(options);
  return settings;
}

Status CurlTransfer::Prepare(CURL* easy, const CurlSettings& settings) {
  easy_ = easy;
  curl_easy_setopt(easy, CURLOPT_PRIVATE, this);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, cause_);
  SetConnection(easy, settings);
  SetTls(easy, settings);
  SetProxy(easy, settings);
  SetTarget(settings);
  SetMethod();
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, &CurlTransfer::OnHeaderLine);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &CurlTransfer::OnPiece);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, this);
  curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, &CurlTransfer::OnConnected);
  curl_easy_setopt(easy, CURLOPT_PREREQDATA, this);
  return SetHeaders();
}

void CurlTransfer::SetTarget(const CurlSettings& settings) {
  const std::string& url = request_.url.Reveal();
  curl_easy_setopt(easy_, CURLOPT_URL, url.c_str());
  curl_easy_setopt(easy_, CURLOPT_PATH_AS_IS, 1L);
  // libcurl writes %2f as %2F, which some signatures do not survive. A proxy for plain http needs
  // the whole URL in the request line, and there libcurl must build it.
  if (settings.plain_proxy && !url.starts_with("https:")) return;
  target_ = RequestTarget(url);
  curl_easy_setopt(easy_, CURLOPT_REQUEST_TARGET, target_.c_str());
}

void CurlTransfer::SetMethod() {
  const bool needs_body =
      request_.method == HttpMethod::kPost || request_.method == HttpMethod::kPut;
  if (needs_body || !request_.body.empty()) {
    // The transfer outlives the handle's use of it: no copy.
    curl_easy_setopt(easy_, CURLOPT_POSTFIELDSIZE_LARGE,
                     static_cast<curl_off_t>(request_.body.size()));
    curl_easy_setopt(easy_, CURLOPT_POSTFIELDS, request_.body.data());
    if (request_.method == HttpMethod::kPost) return;
  } else {
    curl_easy_setopt(easy_, CURLOPT_HTTPGET, 1L);
    if (request_.method == HttpMethod::kGet) return;
  }
  curl_easy_setopt(easy_, CURLOPT_CUSTOMREQUEST, Word(request_.method));
}

Status CurlTransfer::SetHeaders() {
  // What libcurl would add by itself, unless a header of the request says otherwise below.
  std::string own[] = {"Accept:", "Expect:", "Content-Type:"};
  for (const HttpHeader& header : request_.headers) {
    RETURN_IF_ERROR(CheckHeader(header));
    const std::string& value = header.value.Reveal();
    const std::string line = value.empty() ? header.name + ";" : StrCat(header.name, ": ", value);
    curl_slist* const longer = curl_slist_append(headers_.get(), line.c_str());
    if (!longer) return Status::Internal("no memory for a header");
    if (!headers_) headers_.reset(longer);
    for (std::string& line_of_curl : own) {
      if (curl_strnequal(line_of_curl.c_str(), line.c_str(), header.name.size()) &&
          line_of_curl.size() == header.name.size() + 1) {
        line_of_curl.clear();
      }
    }
  }
  for (const std::string& line : own) {
    if (line.empty()) continue;
    curl_slist* const longer = curl_slist_append(headers_.get(), line.c_str());
    if (!longer) return Status::Internal("no memory for a header");
    if (!headers_) headers_.reset(longer);
  }
  curl_easy_setopt(easy_, CURLOPT_HTTPHEADER, headers_.get());
  return Status::Ok();
}

CURL* CurlTransfer::Release() {
  CURL* const easy = std::exchange(easy_, nullptr);
  curl_easy_reset(easy);
  return easy;
}

Status CurlTransfer::Failure(CURLcode code, bool known_host) const {
  CurlFailure failure;
  failure.code = code;
  failure.cause = cause_;
  failure.host = Host();
  failure.sent = num_sent_ > 0;
  failure.known_host = known_host;
  failure.body_bytes = body_bytes_;
  curl_easy_getinfo(easy_, CURLINFO_HTTP_CONNECTCODE, &failure.proxy_status);
  return ToStatus(failure);
}

bool CurlTransfer::LooksUpName() const {
  curl_off_t found_after = 0;
  curl_easy_getinfo(easy_, CURLINFO_NAMELOOKUP_TIME_T, &found_after);
  return num_sent_ == 0 && found_after == 0;
}

CURLcode CurlTransfer::Resume() {
  if (!paused_ || finished_) return CURLE_OK;
  paused_ = false;
  const auto rested = Now() - paused_at_;
  start_ += rested;
  last_byte_ += rested;
  return curl_easy_pause(easy_, CURLPAUSE_CONT);
}

std::optional<SteadyTime> CurlTransfer::Deadline() const {
  if (paused_) return std::nullopt;
  std::optional<SteadyTime> deadline;
  if (request_.timeout.count() > 0) deadline = start_ + request_.timeout;
  if (request_.stall_timeout.count() > 0) {
    const SteadyTime stalled = last_byte_ + request_.stall_timeout;
    deadline = deadline ? std::min(*deadline, stalled) : stalled;
  }
  return deadline;
}

// Bytes of the way out and of the handshake are not worth a callback each: they are looked for when
// time is up.
void CurlTransfer::NoteProgress() {
  curl_off_t uploaded = 0;
  curl_easy_getinfo(easy_, CURLINFO_SIZE_UPLOAD_T, &uploaded);
  if (uploaded > sent_bytes_) {
    sent_bytes_ = uploaded;
    last_byte_ = Now();
  }
  for (const CURLINFO step :
       {CURLINFO_CONNECT_TIME_T, CURLINFO_APPCONNECT_TIME_T, CURLINFO_PRETRANSFER_TIME_T}) {
    last_byte_ = std::max(last_byte_, start_ + Elapsed(easy_, step));
  }
}

Status CurlTransfer::CheckTime(SteadyTime now) {
  if (Deadline().value_or(SteadyTime::max()) > now) return Status::Ok();
  NoteProgress();
  const std::string host = Host();
  if (request_.timeout.count() > 0 && start_ + request_.timeout <= now) {
    return Status::Timeout(StrCat(host, ": no complete answer within ", request_.timeout.count(),
                                  " ms (", body_bytes_, " bytes of the body came)"))
        .WithSqlstate("HYT00");
  }
  if (Deadline().value_or(SteadyTime::max()) > now) return Status::Ok();
  const std::string text =
      StrCat(host, ": not a byte within ", request_.stall_timeout.count(), " ms");
  if (num_sent_ == 0)
    return Status::Unavailable(StrCat(text, " while connecting")).WithSqlstate("08001");
  return Status::Timeout(StrCat(text, " after ", body_bytes_, " bytes of the body"))
      .WithSqlstate("HYT00");
}

void CurlTransfer::Finish(const Status& status) {
  finished_ = true;
  if (HttpObserver* const observer = std::exchange(observer_, nullptr)) observer->OnDone(status);
}

void CurlTransfer::LogEnd(const Log& log, const Status& status) const {
  if (!log.enabled(LogLevel::kDebug)) return;
  long num_connects = 0;
  if (easy_) curl_easy_getinfo(easy_, CURLINFO_NUM_CONNECTS, &num_connects);
  const auto took = std::chrono::duration_cast<milliseconds>(Now() - start_);
  log.Write(LogLevel::kDebug, "http.done",
            {{"method", Word(request_.method)},
             {"url", request_.url},
             {"status", head_done_ ? head_.status : 0},
             {"num_bytes", body_bytes_},
             {"took_ms", took.count()},
             {"new_connection", num_connects > 0},
             {"outcome", status.ToString()}});
}

size_t CurlTransfer::OnHeaderLine(char* bytes, size_t size, size_t count, void* self) {
  auto* const transfer = static_cast<CurlTransfer*>(self);
  const size_t num_bytes = size * count;
  try {
    return transfer->TakeHeaderLine({bytes, num_bytes}) ? num_bytes : CURL_WRITEFUNC_ERROR;
  } catch (...) {  // out of memory, or an observer that throws: nothing may unwind through C
    return CURL_WRITEFUNC_ERROR;
  }
}

size_t CurlTransfer::OnPiece(char* bytes, size_t size, size_t count, void* self) {
  auto* const transfer = static_cast<CurlTransfer*>(self);
  const size_t num_bytes = size * count;
  try {
    switch (transfer->TakePiece(AsBytes({bytes, num_bytes}))) {
      case HttpObserver::Flow::kContinue:
        return num_bytes;
      case HttpObserver::Flow::kPause:
        return CURL_WRITEFUNC_PAUSE;
      case HttpObserver::Flow::kEnd:
        break;
    }
  } catch (...) {
    return CURL_WRITEFUNC_ERROR;
  }
  return CURL_WRITEFUNC_ERROR;
}

// libcurl sends a request again, silently, when a kept connection turns out to be dead. The first
// copy may have been executed, so that a second one is not ours to send.
int CurlTransfer::OnConnected(void* self, char*, char*, int, int) {
  auto* const transfer = static_cast<CurlTransfer*>(self);
  transfer->NoteBytes();
  return ++transfer->num_sent_ > 1 ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

bool CurlTransfer::TakeHeaderLine(std::string_view line) {
  NoteBytes();
  if (head_done_) return true;  // trailers after a chunked body
  const std::string_view text = Trim(line);
  if (text.empty()) {
    if (head_.status < 200) return true;  // an interim answer: the real one follows
    head_done_ = true;
    NoteContentLength();
    return observer_ && observer_->OnHead(head_) && observer_;
  }
  if (text.starts_with("HTTP/")) {
    head_ = {};
    const std::string_view digits = text.substr(std::min(text.find(' '), text.size() - 1) + 1);
    std::from_chars(digits.data(), digits.data() + digits.size(), head_.status);
    return true;
  }
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return true;
  head_.headers.emplace_back(Trim(text.substr(0, colon)), Trim(text.substr(colon + 1)));
  return true;
}

void CurlTransfer::NoteContentLength() {
  const std::string_view value = head_.Header("Content-Length");
  int64_t length = 0;
  const auto [stop, failure] = std::from_chars(value.data(), value.data() + value.size(), length);
  if (failure == std::errc() && length >= 0) head_.content_length = length;
}

HttpObserver::Flow CurlTransfer::TakePiece(Bytes piece) {
  NoteBytes();
  if (!observer_) return HttpObserver::Flow::kEnd;
  const HttpObserver::Flow flow = observer_->OnBody(piece);
  if (!observer_) return HttpObserver::Flow::kEnd;
  if (flow == HttpObserver::Flow::kContinue) body_bytes_ += static_cast<int64_t>(piece.size());
  if (flow == HttpObserver::Flow::kPause) {
    paused_ = true;
    paused_at_ = Now();
  }
  return flow;
}

}  // namespace dbx
