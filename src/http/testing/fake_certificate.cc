// SPDX-License-Identifier: Apache-2.0
#include "http/testing/fake_certificate.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

#include "base/str_cat.h"

namespace dbx {
namespace {

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;

// A test without a certificate has nothing to say.
void Must(bool done) {
  if (!done) std::abort();
}

Key MakeKey() {
  Key key(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"), &EVP_PKEY_free);
  Must(key != nullptr);
  return key;
}

void AddExtension(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
  Must(extension && X509_add_ext(certificate, extension, -1) == 1);
  X509_EXTENSION_free(extension);
}

Certificate MakeUnsigned(const std::string& name, int serial, EVP_PKEY* key) {
  Certificate certificate(X509_new(), &X509_free);
  X509_set_version(certificate.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), serial);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate.get()), "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
  Must(X509_set_pubkey(certificate.get(), key) == 1);
  return certificate;
}

Certificate MakeAuthority(EVP_PKEY* key) {
  Certificate authority = MakeUnsigned("authority of a test", 1, key);
  X509_set_issuer_name(authority.get(), X509_get_subject_name(authority.get()));
  AddExtension(authority.get(), authority.get(), NID_basic_constraints, "critical,CA:TRUE");
  AddExtension(authority.get(), authority.get(), NID_key_usage, "critical,keyCertSign,cRLSign");
  AddExtension(authority.get(), authority.get(), NID_subject_key_identifier, "hash");
  Must(X509_sign(authority.get(), key, EVP_sha256()) > 0);
  return authority;
}

Certificate MakeLeaf(const std::string& host, EVP_PKEY* key, X509* authority, EVP_PKEY* signer) {
  Certificate leaf = MakeUnsigned(host, 2, key);
  X509_set_issuer_name(leaf.get(), X509_get_subject_name(authority));
  const bool is_address = host.find_first_not_of("0123456789.") == std::string::npos;
  AddExtension(leaf.get(), authority, NID_subject_alt_name,
               StrCat(is_address ? "IP:" : "DNS:", host));
  Must(X509_sign(leaf.get(), signer, EVP_sha256()) > 0);
  return leaf;
}

std::string ToPem(X509* certificate) {
  BIO* memory = BIO_new(BIO_s_mem());
  Must(PEM_write_bio_X509(memory, certificate) == 1);
  char* text = nullptr;
  const long size = BIO_get_mem_data(memory, &text);
  std::string pem(text, static_cast<size_t>(size));
  BIO_free(memory);
  return pem;
}

}  // namespace

FakeCertificate::FakeCertificate(const std::string& host)
    : context_(SSL_CTX_new(TLS_server_method())), ca_fd_(memfd_create("ca", MFD_CLOEXEC)) {
  Must(context_ && ca_fd_ >= 0);
  const Key authority_key = MakeKey();
  const Certificate authority = MakeAuthority(authority_key.get());
  const Key leaf_key = MakeKey();
  const Certificate leaf = MakeLeaf(host, leaf_key.get(), authority.get(), authority_key.get());
  Must(SSL_CTX_use_certificate(context_, leaf.get()) == 1);
  Must(SSL_CTX_use_PrivateKey(context_, leaf_key.get()) == 1);

  const std::string pem = ToPem(authority.get());
  Must(write(ca_fd_, pem.data(), pem.size()) == static_cast<ssize_t>(pem.size()));
  ca_file_ = StrCat("/proc/self/fd/", ca_fd_);
}

FakeCertificate::~FakeCertificate() {
  SSL_CTX_free(context_);
  close(ca_fd_);
}

}  // namespace dbx
