// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/status.h"
#include "net/http_server.h"

namespace dbx::local {

/// Stored result files, each written once and then served by signed links. Thread-safe.
class Spool {
 public:
  virtual ~Spool() = default;
  /// `directory`: its file system holds the objects, as files without a name there, so that nothing
  /// is left behind by however the program ends and several programs may share it. Made when
  /// missing; empty: memory holds them.
  static Result<std::unique_ptr<Spool>> Make(std::string directory);

  /// Stores `bytes` and returns the object's name (a file name of URL-safe characters).
  /// `chunk_index` is what fault rules match by and stands at the name's end.
  virtual Result<std::string> Put(std::string_view bytes,
                                  std::optional<int64_t> chunk_index = std::nullopt) = 0;
  /// Null when there is none of that name.
  virtual std::shared_ptr<const SharedBytes> Get(std::string_view name) const = 0;
  /// Open readers keep what they have.
  virtual void Remove(std::string_view name) = 0;
  virtual int64_t num_objects() const = 0;
  virtual int64_t num_bytes() const = 0;
};

/// The chunk index in an object's name, if it has one.
std::optional<int64_t> ChunkIndexOf(std::string_view object_name);

/// Whose links and answers the storage imitates.
enum class StorageFlavor : uint8_t { kS3, kAdls, kGcs };

/// What a signature says of a request.
enum class LinkVerdict : uint8_t { kValid, kUnsigned, kMalformed, kExpired, kForged };

struct LinkCheck {
  LinkVerdict verdict = LinkVerdict::kUnsigned;
  WallTime expires_at = {};  ///< set unless unsigned or malformed
};

/// Makes and checks the links to spooled objects: path, expiry and signature in the query, as
/// object stores have them. The key is this object's own, so links of another life are void.
/// Thread-safe.
class LinkSigner {
 public:
  virtual ~LinkSigner() = default;
  static std::unique_ptr<LinkSigner> Make(StorageFlavor flavor = StorageFlavor::kS3);

  /// "<base>/results/<name>?X-Amz-…": `base` is "http://host:port" of the storage listener as this
  /// client sees it. Times have whole seconds. A lifetime of zero or less makes a link that has
  /// expired already.
  virtual std::string Sign(std::string_view base, std::string_view name,
                           std::chrono::seconds lifetime) const = 0;
  /// `query` as it came, without '?'. Expiry is looked at before the signature, as the stores do.
  virtual LinkCheck Check(std::string_view name, std::string_view query, WallTime now) const = 0;
};

}  // namespace dbx::local
