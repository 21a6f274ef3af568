// SPDX-License-Identifier: Apache-2.0
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/bytes.h"
#include "base/str_cat.h"
#include "net/http_text.h"
#include "net/spool.h"

namespace dbx::local {
namespace {

constexpr std::chrono::seconds kUsualLifetime{900};

std::string ToHex(Bytes bytes) {
  std::string text;
  for (const uint8_t byte : bytes)
    text += {"0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15]};
  return text;
}

/// The names that one store gives to the parts of a link.
struct Dialect {
  std::string_view signature;
  std::string_view date;      // the moment of signing
  std::string_view lifetime;  // in seconds; empty: the store states the end itself, under `expiry`
  std::string_view expiry;
};
constexpr Dialect kAmazon{"X-Amz-Signature", "X-Amz-Date", "X-Amz-Expires", ""};
constexpr Dialect kGoogle{"X-Goog-Signature", "X-Goog-Date", "X-Goog-Expires", ""};
constexpr Dialect kAzure{"sig", "st", "", "se"};

const Dialect& DialectOf(StorageFlavor flavor) {
  switch (flavor) {
    case StorageFlavor::kAdls:
      return kAzure;
    case StorageFlavor::kGcs:
      return kGoogle;
    default:
      return kAmazon;
  }
}

class HmacSigner final : public LinkSigner {
 public:
  explicit HmacSigner(StorageFlavor flavor)
      : flavor_(flavor), dialect_(DialectOf(flavor)), key_(RandomHex(32)) {}

  std::string Sign(std::string_view base, std::string_view name,
                   std::chrono::seconds lifetime) const override {
    const std::string query = UnsignedQuery(std::chrono::system_clock::now(), lifetime);
    return StrCat(base, "/results/", name, "?", query, "&", dialect_.signature, "=",
                  Signature(name, query));
  }

  LinkCheck Check(std::string_view name, std::string_view query, WallTime now) const override {
    const std::string mark = StrCat("&", dialect_.signature, "=");
    const size_t at = query.rfind(mark);
    if (at == std::string_view::npos) return {.verdict = LinkVerdict::kUnsigned};
    const std::string_view unsigned_query = query.substr(0, at);
    const std::optional<WallTime> expires_at = Expiry(unsigned_query);
    if (!expires_at) return {.verdict = LinkVerdict::kMalformed};
    if (now >= *expires_at) return {.verdict = LinkVerdict::kExpired, .expires_at = *expires_at};
    const std::string wanted = Signature(name, unsigned_query);
    const std::string_view given = query.substr(at + mark.size());
    const bool same = given.size() == wanted.size() &&
                      CRYPTO_memcmp(given.data(), wanted.data(), wanted.size()) == 0;
    return {.verdict = same ? LinkVerdict::kValid : LinkVerdict::kForged,
            .expires_at = *expires_at};
  }

 private:
  std::string UnsignedQuery(WallTime now, std::chrono::seconds lifetime) const {
    // No store signs for a time that is over: such a link says that it was signed longer ago.
    if (lifetime.count() <= 0) {
      now += lifetime - kUsualLifetime;
      lifetime = kUsualLifetime;
    }
    if (flavor_ == StorageFlavor::kAdls) {
      return StrCat("sv=2021-08-06&st=", PercentEncode(IsoTime(now)),
                    "&se=", PercentEncode(IsoTime(now + lifetime)), "&sr=b&sp=r");
    }
    const bool google = flavor_ == StorageFlavor::kGcs;
    const std::string prefix = google ? "X-Goog-" : "X-Amz-";
    const std::string day = CompactTime(now).substr(0, 8);
    const std::string scope = google
                                  ? StrCat("warehouse@local/", day, "/auto/storage/goog4_request")
                                  : StrCat("WAREHOUSELOCAL/", day, "/local/s3/aws4_request");
    return StrCat(prefix, "Algorithm=", google ? "GOOG4-RSA-SHA256" : "AWS4-HMAC-SHA256", "&",
                  prefix, "Credential=", PercentEncode(scope), "&", prefix,
                  "Date=", CompactTime(now), "&", prefix, "Expires=", lifetime.count(), "&", prefix,
                  "SignedHeaders=host");
  }

  std::optional<WallTime> Expiry(std::string_view query) const {
    if (!dialect_.expiry.empty()) return Time(query, dialect_.expiry);
    const std::optional<WallTime> signed_at = Time(query, dialect_.date);
    const std::optional<std::string_view> text = QueryValue(query, dialect_.lifetime);
    const std::optional<uint64_t> seconds = text ? ParseNumber(*text) : std::nullopt;
    if (!signed_at || !seconds || *seconds > 604800)
      return std::nullopt;  // the stores' limit: a week
    return *signed_at + std::chrono::seconds(*seconds);
  }

  static std::optional<WallTime> Time(std::string_view query, std::string_view name) {
    const std::optional<std::string_view> text = QueryValue(query, name);
    return text ? ParseUtcTime(PercentDecode(*text)) : std::nullopt;
  }

  std::string Signature(std::string_view name, std::string_view query) const {
    const std::string text = StrCat("GET\n/results/", name, "\n", query);
    std::array<uint8_t, EVP_MAX_MD_SIZE> digest;
    unsigned int size = 0;
    HMAC(EVP_sha256(), key_.data(), static_cast<int>(key_.size()), AsBytes(text).data(),
         text.size(), digest.data(), &size);
    return ToHex(std::span(digest).first(size));
  }

  const StorageFlavor flavor_;
  const Dialect& dialect_;
  const std::string key_;
};

}  // namespace

std::unique_ptr<LinkSigner> LinkSigner::Make(StorageFlavor flavor) {
  return std::make_unique<HmacSigner>(flavor);
}

}  // namespace dbx::local
