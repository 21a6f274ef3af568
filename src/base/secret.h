// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace dbx {

/// A text that must never be printed: a token, a password, a handle's secret. Only `http/`, `auth/`
/// and the wire codecs call Reveal().
class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string text) : text_(std::move(text)) {}

  const std::string& Reveal() const { return text_; }
  bool empty() const { return text_.empty(); }
  /// What may stand in a log or a message.
  std::string Redacted() const { return text_.empty() ? "" : "[redacted]"; }

  friend bool operator==(const Secret&, const Secret&) = default;

 private:
  std::string text_;
};

/// A URL whose query (and user part) is a credential, such as a presigned link.
class SecretUrl {
 public:
  SecretUrl() = default;
  explicit SecretUrl(std::string url) : url_(std::move(url)) {}

  const std::string& Reveal() const { return url_; }
  bool empty() const { return url_.empty(); }
  /// "https://host/path?[redacted]": no user part, no query, no fragment.
  std::string Redacted() const;
  /// Host without port and user part, for messages that name whom we could not reach.
  std::string Host() const;

  friend bool operator==(const SecretUrl&, const SecretUrl&) = default;

 private:
  std::string url_;
};

}  // namespace dbx
