// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

namespace dbx {

inline void AppendTo(std::string& text, std::string_view piece) {
  text.append(piece);
}
inline void AppendTo(std::string& text, const char* piece) {
  text.append(piece);
}
inline void AppendTo(std::string& text, const std::string& piece) {
  text.append(piece);
}
inline void AppendTo(std::string& text, char piece) {
  text.push_back(piece);
}
inline void AppendTo(std::string& text, bool piece) {
  text.append(piece ? "true" : "false");
}

template <std::integral T>
void AppendTo(std::string& text, T number) {
  char digits[24];
  text.append(digits, std::to_chars(digits, digits + sizeof(digits), number).ptr);
}

template <std::floating_point T>
void AppendTo(std::string& text, T number) {
  char digits[48];
  text.append(digits, std::to_chars(digits, digits + sizeof(digits), number).ptr);
}

/// The pieces (texts, numbers, truth values) one after another.
template <typename... Pieces>
std::string StrCat(const Pieces&... pieces) {
  std::string text;
  (AppendTo(text, pieces), ...);
  return text;
}

}  // namespace dbx
