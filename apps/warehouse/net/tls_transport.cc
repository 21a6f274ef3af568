// SPDX-License-Identifier: Apache-2.0
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <string_view>

#include "base/str_cat.h"
#include "net/transport.h"

namespace dbx::local {
namespace {

struct FreeContext {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};
struct FreeSession {
  void operator()(SSL* session) const { SSL_free(session); }
};

Status LibraryError(std::string_view what, const std::string& file) {
  char text[256];
  ERR_error_string_n(ERR_get_error(), text, sizeof(text));
  ERR_clear_error();
  return Status::InvalidArgument(StrCat(what, " ", file, ": ", text));
}

// Picks HTTP/1.1 whenever a client offers it, and answers nothing else.
int ChooseProtocol(SSL*, const unsigned char** chosen, unsigned char* chosen_size,
                   const unsigned char* offered, unsigned int offered_size, void*) {
  static constexpr unsigned char kHttp11[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
  unsigned char* match = nullptr;
  const int outcome =
      SSL_select_next_proto(&match, chosen_size, kHttp11, sizeof(kHttp11), offered, offered_size);
  *chosen = match;
  return outcome == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

class TlsTransport final : public Transport {
 public:
  TlsTransport(SSL* session, int descriptor) : session_(session) {
    SSL_set_fd(session, descriptor);
  }

  IoResult Handshake() override {
    ERR_clear_error();
    const int outcome = SSL_accept(session_.get());
    return outcome == 1 ? IoResult{} : Failure(outcome);
  }

  IoResult Read(std::span<char> into) override {
    size_t read = 0;
    ERR_clear_error();
    const int outcome = SSL_read_ex(session_.get(), into.data(), into.size(), &read);
    return outcome == 1 ? IoResult{.num_bytes = read} : Failure(outcome);
  }

  IoResult Write(std::span<const OutgoingPiece> pieces, uint64_t limit) override {
    size_t written = 0;
    const OutgoingPiece& piece = pieces.front();
    ERR_clear_error();
    const int outcome = SSL_write_ex(session_.get(), piece.data,
                                     std::min<uint64_t>(piece.num_bytes, limit), &written);
    return outcome == 1 ? IoResult{.num_bytes = written} : Failure(outcome);
  }

  void FinishWriting() override {
    SSL_shutdown(session_.get());
    ERR_clear_error();
  }

 private:
  IoResult Failure(int outcome) {
    switch (SSL_get_error(session_.get(), outcome)) {
      case SSL_ERROR_WANT_READ:
        return {.outcome = IoResult::Outcome::kWantRead};
      case SSL_ERROR_WANT_WRITE:
        return {.outcome = IoResult::Outcome::kWantWrite};
      default:
        ERR_clear_error();
        return {.outcome = IoResult::Outcome::kClosed};
    }
  }

  const std::unique_ptr<SSL, FreeSession> session_;
};

class OpenSslContext final : public TlsContext {
 public:
  OpenSslContext() : context_(SSL_CTX_new(TLS_server_method())) {}

  Status LoadFiles(const std::string& certificate_file, const std::string& key_file) {
    SSL_CTX* const context = context_.get();
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    // A write that could not finish is repeated from wherever the cursor then stands.
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                  SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_alpn_select_cb(context, ChooseProtocol, nullptr);
    if (SSL_CTX_use_certificate_chain_file(context, certificate_file.c_str()) != 1) {
      return LibraryError("certificate", certificate_file);
    }
    if (SSL_CTX_use_PrivateKey_file(context, key_file.c_str(), SSL_FILETYPE_PEM) != 1) {
      return LibraryError("key", key_file);
    }
    if (SSL_CTX_check_private_key(context) != 1)
      return LibraryError("key does not fit the certificate:", key_file);
    return Status::Ok();
  }

  std::unique_ptr<Transport> Connect(int descriptor) override {
    return std::make_unique<TlsTransport>(SSL_new(context_.get()), descriptor);
  }

 private:
  const std::unique_ptr<SSL_CTX, FreeContext> context_;
};

}  // namespace

Result<std::unique_ptr<TlsContext>> TlsContext::Load(const std::string& certificate_file,
                                                     const std::string& key_file) {
  auto context = std::make_unique<OpenSslContext>();
  RETURN_IF_ERROR(context->LoadFiles(certificate_file, key_file));
  return std::unique_ptr<TlsContext>(std::move(context));
}

}  // namespace dbx::local
