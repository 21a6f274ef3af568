// SPDX-License-Identifier: Apache-2.0
#include "text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cwchar>
#include <vector>

namespace dbx::cli {
namespace {

/// One decoded character and the bytes it took.
struct Character {
  char32_t code = 0;
  size_t num_bytes = 1;
};

Character First(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  size_t num_bytes = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (lead >= 0x80 && lead < 0xC0) num_bytes = 1;
  num_bytes = std::min(num_bytes, text.size());
  if (num_bytes == 1) return {lead, 1};
  char32_t code = lead & (0xFFU >> (num_bytes + 1));
  for (size_t i = 1; i < num_bytes; ++i)
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3FU);
  return {code, num_bytes};
}

int WidthOf(char32_t code) {
  return std::max(0, wcwidth(static_cast<wchar_t>(code)));
}

}  // namespace

std::string WithThousands(int64_t number) {
  std::string digits = fmt::format("{}", number < 0 ? -number : number);
  for (size_t place = digits.size(); place > 3; place -= 3) digits.insert(place - 3, 1, ',');
  if (number < 0) digits.insert(digits.begin(), '-');
  return digits;
}

std::string ByteSize(double num_bytes) {
  if (num_bytes >= 1e9) return fmt::format("{:.2f} GB", num_bytes / 1e9);
  if (num_bytes >= 1e6) return fmt::format("{:.1f} MB", num_bytes / 1e6);
  return fmt::format("{:.0f} kB", num_bytes / 1e3);
}

std::string Duration(double seconds) {
  if (seconds < 10) return fmt::format("{:.2f} s", seconds);
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<int64_t>(std::llround(seconds));
  return fmt::format("{} min {:02} s", whole / 60, whole % 60);
}

int DisplayWidth(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const Character character = First(text);
    width += WidthOf(character.code);
    text.remove_prefix(character.num_bytes);
  }
  return width;
}

std::string Fit(std::string_view text, int width) {
  if (DisplayWidth(text) <= width) return std::string(text);
  std::string fitted;
  int used = 1;  // the ellipsis
  while (!text.empty()) {
    const Character character = First(text);
    used += WidthOf(character.code);
    if (used > width) break;
    fitted.append(text.substr(0, character.num_bytes));
    text.remove_prefix(character.num_bytes);
  }
  if (width > 0) fitted.append("…");
  return fitted;
}

std::string Printable(std::string_view text) {
  std::string printable;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      printable += "\\n";
    } else if (c == '\t') {
      printable += "\\t";
    } else if (byte < 0x20 || byte == 0x7F) {
      printable += fmt::format("\\x{:02x}", byte);
    } else {
      printable += c;
    }
  }
  return printable;
}

}  // namespace dbx::cli
