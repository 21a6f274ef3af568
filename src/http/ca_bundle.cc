// SPDX-License-Identifier: Apache-2.0
#include "http/ca_bundle.h"

#include <unistd.h>

#include <cstdlib>

#include "base/str_cat.h"

namespace dbx {
namespace {

constexpr const char* kSystemBundles[] = {
    "/etc/ssl/certs/ca-certificates.crt",                 // Debian, Ubuntu, Alpine, Arch
    "/etc/pki/tls/certs/ca-bundle.crt",                   // Red Hat, Fedora, Amazon
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // the same, newer
    "/etc/ssl/ca-bundle.pem",                             // SUSE
    "/etc/ssl/cert.pem",                                  // Alpine without the package
};

bool IsReadable(const char* path) {
  return access(path, R_OK) == 0;
}

Result<std::string> Readable(const std::string& path, std::string_view what) {
  if (IsReadable(path.c_str())) return path;
  return Status::InvalidArgument(StrCat(what, ": cannot read '", path, "'"));
}

}  // namespace

Result<std::string> FindCaBundle(const std::string& chosen) {
  if (!chosen.empty()) return Readable(chosen, "CA file");
  const char* const from_environment = std::getenv("SSL_CERT_FILE");
  if (from_environment && *from_environment) return Readable(from_environment, "SSL_CERT_FILE");
  for (const char* const path : kSystemBundles) {
    if (IsReadable(path)) return std::string(path);
  }
  return std::string();
}

}  // namespace dbx
