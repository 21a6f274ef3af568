// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>

#include "thrift_generated/TCLIService_types.h"

namespace dbx::local {

/// What a client shows to be let at a session or an operation: both parts must match. Sixteen
/// random bytes each; the public part is a UUID of version 4, since some clients refuse any other
/// bytes.
struct HandleId {
  using Part = std::array<uint8_t, 16>;

  Part guid = {};
  Part secret = {};

  static HandleId Random();
  /// nullopt when a part is not 16 bytes long.
  static std::optional<HandleId> Parse(const thrift::THandleIdentifier& identifier);

  thrift::THandleIdentifier ToThrift() const;
  /// The public part, with dashes.
  std::string Uuid() const;

  friend auto operator<=>(const HandleId&, const HandleId&) = default;
};

/// The public part of whatever a client sent, for messages: hex of other lengths than 16 has no
/// dashes.
std::string UuidOf(const thrift::THandleIdentifier& identifier);

}  // namespace dbx::local
