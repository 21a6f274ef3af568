// SPDX-License-Identifier: Apache-2.0
#include "net/test_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/str_cat.h"
#include "net/http_text.h"

namespace dbx::local {
namespace {

std::string Request(std::string_view target, std::string_view header_lines) {
  return StrCat("GET ", target, " HTTP/1.1\r\nHost: 127.0.0.1\r\n", header_lines, "\r\n");
}

int Connect(uint16_t port) {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval limit{.tv_sec = 20, .tv_usec = 0};
  ::setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    ::close(descriptor);
    return -1;  // what is done with it fails, and the test says so
  }
  return descriptor;
}

template <auto kFree>
struct Freed {
  template <typename T>
  void operator()(T* thing) const {
    kFree(thing);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509_free>>;
using Context = std::unique_ptr<SSL_CTX, Freed<SSL_CTX_free>>;
using Session = std::unique_ptr<SSL, Freed<SSL_free>>;
using File = std::unique_ptr<std::FILE, Freed<std::fclose>>;

Certificate MakeCertificate(EVP_PKEY* key) {
  Certificate certificate(X509_new());
  X509_set_version(certificate.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -60);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
  X509_set_pubkey(certificate.get(), key);
  X509_NAME* const name = X509_get_subject_name(certificate.get());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>("local"), -1, -1, 0);
  X509_set_issuer_name(certificate.get(), name);
  X509_EXTENSION* const names =
      X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "IP:127.0.0.1");
  X509_add_ext(certificate.get(), names, -1);
  X509_EXTENSION_free(names);
  X509_sign(certificate.get(), key, EVP_sha256());
  return certificate;
}

}  // namespace

std::string TestReply::Header(std::string_view name) const {
  size_t at = head.find("\r\n");
  while (at != std::string::npos && at + 2 < head.size()) {
    const size_t end = head.find("\r\n", at + 2);
    const std::string_view line = std::string_view(head).substr(at + 2, end - at - 2);
    const size_t colon = line.find(':');
    if (colon != std::string_view::npos && EqualIgnoringCase(line.substr(0, colon), name)) {
      return std::string(Trim(line.substr(colon + 1)));
    }
    at = end;
  }
  return {};
}

TestClient::TestClient(uint16_t port) : descriptor_(Connect(port)) {}

TestClient::TestClient(TestClient&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      input_(std::move(other.input_)),
      was_reset_(other.was_reset_) {}

TestClient::~TestClient() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void TestClient::Send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;  // the next read tells
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
}

void TestClient::SendGet(std::string_view target, std::string_view header_lines) const {
  Send(Request(target, header_lines));
}

bool TestClient::ReadMore() {
  char bytes[65536];
  const ssize_t read = ::recv(descriptor_, bytes, sizeof(bytes), 0);
  if (read < 0 && errno == ECONNRESET) was_reset_ = true;
  if (read <= 0) return false;
  input_.append(bytes, static_cast<size_t>(read));
  return true;
}

TestReply TestClient::Read(bool has_body) {
  TestReply reply;
  size_t end = input_.find("\r\n\r\n");
  while (end == std::string::npos && ReadMore()) end = input_.find("\r\n\r\n");
  reply.ended = end == std::string::npos;
  if (!reply.ended) {
    reply.head = input_.substr(0, end + 4);
    input_.erase(0, end + 4);
    reply.status = std::atoi(reply.head.c_str() + 9);
    const uint64_t length = has_body ? ParseNumber(reply.Header("content-length")).value_or(0) : 0;
    while (input_.size() < length && !reply.ended) reply.ended = !ReadMore();
    reply.body = input_.substr(0, length);
    input_.erase(0, length);
  }
  reply.was_reset = was_reset_;
  return reply;
}

std::string TestClient::ReadBytes(size_t num_bytes) {
  while (input_.size() < num_bytes && ReadMore()) {
  }
  std::string bytes = input_.substr(0, num_bytes);
  input_.erase(0, num_bytes);
  return bytes;
}

TestReply TestClient::Get(std::string_view target, std::string_view header_lines) {
  SendGet(target, header_lines);
  return Read();
}

TestCertificate::TestCertificate() {
  std::string folder = (std::filesystem::temp_directory_path() / "certificate-XXXXXX").string();
  folder_ = ::mkdtemp(folder.data());
  certificate_file_ = folder_ + "/certificate.pem";
  key_file_ = folder_ + "/key.pem";
  const Key key(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"));
  const Certificate certificate = MakeCertificate(key.get());
  PEM_write_X509(File(std::fopen(certificate_file_.c_str(), "w")).get(), certificate.get());
  PEM_write_PrivateKey(File(std::fopen(key_file_.c_str(), "w")).get(), key.get(), nullptr, nullptr,
                       0, nullptr, nullptr);
}

TestCertificate::~TestCertificate() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string TlsGet(uint16_t port, const TestCertificate& certificate, std::string_view target) {
  const Context context(SSL_CTX_new(TLS_client_method()));
  SSL_CTX_load_verify_file(context.get(), certificate.certificate_file().c_str());
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  const TestClient client(port);
  const Session session(SSL_new(context.get()));
  X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session.get()), "127.0.0.1");
  SSL_set_fd(session.get(), client.descriptor());
  std::string bytes;
  if (SSL_connect(session.get()) != 1) return bytes;
  const std::string request = Request(target, "Connection: close\r\n");
  SSL_write(session.get(), request.data(), static_cast<int>(request.size()));
  char piece[16384];
  for (int read = 0; (read = SSL_read(session.get(), piece, sizeof(piece))) > 0;) {
    bytes.append(piece, static_cast<size_t>(read));
  }
  return bytes;
}

}  // namespace dbx::local
