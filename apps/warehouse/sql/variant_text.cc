// SPDX-License-Identifier: Apache-2.0
#include "sql/variant_text.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace dbx::local {
namespace {

constexpr int kMaxDepth = 500;
constexpr std::string_view kBlanks = " \t\r\n";

/// Reads one value after another and writes it in order. nullopt, or false: not JSON.
class VariantPrinter {
 public:
  explicit VariantPrinter(std::string_view json) : rest_(json) {}

  std::optional<std::string> PrintAll() {
    std::optional<std::string> text = PrintValue(0);
    SkipBlanks();
    return rest_.empty() ? text : std::nullopt;
  }

 private:
  using Field = std::pair<std::string_view, std::string>;  // key as written, value in order

  std::optional<std::string> PrintValue(int depth) {
    if (depth > kMaxDepth) return std::nullopt;
    SkipBlanks();
    if (Take('{')) return PrintObject(depth);
    if (Take('[')) return PrintArray(depth);
    const std::string_view scalar = rest_.starts_with('"') ? TakeString() : TakeWord();
    return scalar.empty() ? std::nullopt : std::optional(std::string(scalar));
  }

  std::optional<std::string> PrintArray(int depth) {
    std::string text = "[";
    if (Take(']')) return text + "]";
    while (true) {
      const std::optional<std::string> element = PrintValue(depth + 1);
      if (!element) return std::nullopt;
      text += *element;
      if (Take(']')) return text + "]";
      if (!Take(',')) return std::nullopt;
      text += ",";
    }
  }

  std::optional<std::string> PrintObject(int depth) {
    std::vector<Field> fields;
    bool more = !Take('}');
    while (more) {
      SkipBlanks();
      const std::string_view key = TakeString();
      if (key.empty() || !Take(':')) return std::nullopt;
      std::optional<std::string> value = PrintValue(depth + 1);
      if (!value) return std::nullopt;
      fields.emplace_back(key, *std::move(value));
      more = Take(',');
      if (!more && !Take('}')) return std::nullopt;
    }
    std::stable_sort(fields.begin(), fields.end(),
                     [](const Field& a, const Field& b) { return Name(a) < Name(b); });
    std::string text = "{";
    for (const auto& [key, value] : fields) {
      if (text.size() > 1) text += ",";
      text.append(key).append(":").append(value);
    }
    return text + "}";
  }

  /// Without its quotes, of which the closing one would sort behind blanks.
  static std::string_view Name(const Field& field) {
    return field.first.substr(1, field.first.size() - 2);
  }

  void SkipBlanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size()));
  }

  bool Take(char c) {
    SkipBlanks();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string_view TakeFirst(size_t length) {
    const std::string_view taken = rest_.substr(0, length);
    rest_.remove_prefix(taken.size());
    return taken;
  }

  /// With its quotes; empty when there is none.
  std::string_view TakeString() {
    if (!rest_.starts_with('"')) return {};
    for (size_t i = 1; i < rest_.size(); ++i) {
      if (rest_[i] == '"') return TakeFirst(i + 1);
      if (rest_[i] == '\\') ++i;
    }
    return {};
  }

  /// A number, true, false or null.
  std::string_view TakeWord() {
    return TakeFirst(std::min(rest_.find_first_of(" \t\r\n,:]}[{\""), rest_.size()));
  }

  std::string_view rest_;
};

}  // namespace

std::string VariantText(std::string_view json) {
  return VariantPrinter(json).PrintAll().value_or(std::string(json));
}

}  // namespace dbx::local
