// SPDX-License-Identifier: Apache-2.0
#include "wire/base64.h"

#include <array>
#include <cstdint>

namespace dbx {
namespace {

constexpr uint8_t kNoDigit = 0xFF;

constexpr std::array<uint8_t, 256> MakeDigits() {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::array<uint8_t, 256> digits{};
  for (uint8_t& digit : digits) digit = kNoDigit;
  for (size_t value = 0; value < kAlphabet.size(); ++value) {
    digits[static_cast<uint8_t>(kAlphabet[value])] = static_cast<uint8_t>(value);
  }
  return digits;
}

constexpr std::array<uint8_t, 256> kDigits = MakeDigits();

}  // namespace

std::optional<std::string> DecodeBase64(std::string_view text) {
  for (int padding = 0; padding < 2 && text.ends_with('='); ++padding) text.remove_suffix(1);
  if (text.size() % 4 == 1) return std::nullopt;  // six bits are no byte
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  uint32_t bits = 0;
  int num_bits = 0;
  for (const char c : text) {
    const uint8_t digit = kDigits[static_cast<uint8_t>(c)];
    if (digit == kNoDigit) return std::nullopt;
    bits = (bits << 6) | digit;
    num_bits += 6;
    if (num_bits < 8) continue;
    num_bits -= 8;
    bytes.push_back(static_cast<char>(bits >> num_bits));
  }
  return bytes;
}

}  // namespace dbx
