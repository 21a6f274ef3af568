// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "auth/auth_provider.h"
#include "base/str_cat.h"

namespace dbx {
namespace {

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

/// What may stand in a header's value without being read as something else.
bool IsVisible(char c) {
  return c > ' ' && c < 0x7F;
}

/// The header's value, or why there is none; never shows a character of the token.
Result<Secret> MakeHeader(const Secret& token) {
  const std::string_view text = Trim(token.Reveal());
  if (text.empty()) return Status::Unauthenticated("the access token is empty");
  if (!std::all_of(text.begin(), text.end(), IsVisible)) {
    return Status::Unauthenticated(
        "the access token has a line break, a blank or another character that no token has; was it "
        "copied whole, and alone?");
  }
  return Secret(StrCat("Bearer ", text));
}

class TokenAuthProvider : public AuthProvider {
 public:
  explicit TokenAuthProvider(const Secret& token) : header_(MakeHeader(token)) {}

  Result<Secret> AuthorizationHeader(Cancellation*) override { return header_; }
  bool OnRefused() override { return false; }  // there is no other token

 private:
  const Result<Secret> header_;
};

}  // namespace

std::unique_ptr<AuthProvider> MakeTokenAuthProvider(const Secret& token) {
  return std::make_unique<TokenAuthProvider>(token);
}

}  // namespace dbx
