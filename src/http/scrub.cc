// SPDX-License-Identifier: Apache-2.0
#include "http/scrub.h"

#include <algorithm>
#include <array>

#include "base/str_cat.h"

namespace dbx {
namespace {

constexpr std::string_view kRedacted = "[redacted]";
constexpr std::array<std::string_view, 5> kTokenPrefixes = {"dapi", "dkea", "dskea", "dose",
                                                            "dsapi"};
constexpr size_t kLeastTokenBytes = 20;

bool IsWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.' || c == '~' || c == '+' || c == '/' || c == '=';
}

bool LooksLikeToken(std::string_view word) {
  if (word.size() < kLeastTokenBytes) return false;
  if (word.starts_with("eyJ") && std::count(word.begin(), word.end(), '.') >= 2) return true;
  return std::any_of(kTokenPrefixes.begin(), kTokenPrefixes.end(),
                     [&](std::string_view prefix) { return word.starts_with(prefix); });
}

bool IsAuthScheme(std::string_view word) {
  return word == "Bearer" || word == "bearer" || word == "Basic";
}

/// What is left of `text`, as characters that belong together: one word, or one other character.
std::string_view NextPiece(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), IsWordCharacter);
  return text.substr(0, std::max<size_t>(end - text.begin(), 1));
}

size_t QueryLength(std::string_view text) {
  return std::min(text.size(), text.find_first_of(" \t\r\n\"'<>)", 0));
}

void CutAtCharacter(std::string& text, size_t max_bytes) {
  if (text.size() <= max_bytes) return;
  while (max_bytes > 0 && (static_cast<unsigned char>(text[max_bytes]) & 0xC0) == 0x80) --max_bytes;
  text.resize(max_bytes);
  text += "...";
}

}  // namespace

std::string Scrub(std::string_view text, size_t max_bytes) {
  std::string clean;
  bool in_url = false;
  bool after_scheme = false;
  while (!text.empty() && clean.size() <= max_bytes) {
    std::string_view piece = NextPiece(text);
    if (in_url && piece == "?") {
      piece = text.substr(0, QueryLength(text));
      clean += StrCat("?", kRedacted);
      in_url = false;
    } else if (IsWordCharacter(piece.front())) {
      const bool secret = after_scheme || LooksLikeToken(piece);
      clean += secret ? kRedacted : piece;
      in_url = in_url || piece.starts_with("//");
      after_scheme = IsAuthScheme(piece);
    } else {
      const bool is_control =
          static_cast<unsigned char>(piece.front()) < 0x20 || piece.front() == 0x7F;
      clean += is_control ? std::string_view(" ") : piece;
      if (is_control || piece == " ") in_url = false;
      if (piece != " ") after_scheme = false;
    }
    text.remove_prefix(piece.size());
  }
  CutAtCharacter(clean, max_bytes);
  return clean;
}

}  // namespace dbx
