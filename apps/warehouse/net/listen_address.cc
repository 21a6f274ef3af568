// SPDX-License-Identifier: Apache-2.0
#include "net/listen_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <optional>

#include "base/str_cat.h"
#include "net/http_text.h"

namespace dbx::local {
namespace {

// nullopt: no literal address.
std::optional<bool> IsLoopback(const std::string& host) {
  in_addr v4{};
  if (inet_pton(AF_INET, host.c_str(), &v4) == 1) return ntohl(v4.s_addr) >> 24 == 127;
  in6_addr v6{};
  if (inet_pton(AF_INET6, host.c_str(), &v6) == 1) return IN6_IS_ADDR_LOOPBACK(&v6);
  return std::nullopt;
}

}  // namespace

std::string ListenAddress::ToString() const {
  const bool v6 = host.find(':') != std::string::npos;
  return v6 ? StrCat("[", host, "]:", port) : StrCat(host, ":", port);
}

Result<ListenAddress> ParseListenAddress(std::string_view text) {
  const Status wrong = Status::InvalidArgument(StrCat("address '", text, "' is not IP:PORT"));
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return wrong;
  const std::optional<uint64_t> port = ParseNumber(text.substr(colon + 1));
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (host == "localhost") host = "127.0.0.1";
  const std::optional<bool> loopback = IsLoopback(std::string(host));
  if (!port || *port > 65535 || !loopback) return wrong;
  return ListenAddress{
      .host = std::string(host), .port = static_cast<uint16_t>(*port), .is_loopback = *loopback};
}

}  // namespace dbx::local
