// SPDX-License-Identifier: Apache-2.0
#include "sql/tokenizer.h"

#include <array>
#include <cctype>

#include "sql/errors.h"
#include "sql/sql_text.h"

namespace dbx::local {
namespace {

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}
bool IsWordStart(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool IsWordPart(char c) {
  return IsWordStart(c) || IsDigit(c) || c == '$';
}

/// Longest first. `>>` is missing on purpose, see TokenKind::kOperator.
constexpr std::array<std::string_view, 12> kOperators = {
    "<=>", "<>", "!=", "==", "<=", ">=", "||", "::", "->", "=>", "&&", "<<"};

void AppendUtf8(std::string& out, uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (code >> 18));
    out += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

class Scanner {
 public:
  explicit Scanner(std::string_view sql) : sql_(sql) {}

  Result<Tokens> Run() {
    while (true) {
      RETURN_IF_ERROR(SkipBlanks());
      if (at_ >= sql_.size()) break;
      RETURN_IF_ERROR(ScanToken());
    }
    Add(TokenKind::kEnd, at_, {});
    return std::move(tokens_);
  }

 private:
  char Peek(size_t ahead = 0) const { return at_ + ahead < sql_.size() ? sql_[at_ + ahead] : '\0'; }

  void Add(TokenKind kind, size_t start, std::string value) {
    tokens_.push_back(
        {kind, std::string(sql_.substr(start, at_ - start)), std::move(value), start, space_});
    space_ = false;
  }

  Status SkipBlanks() {
    while (at_ < sql_.size()) {
      if (std::isspace(static_cast<unsigned char>(Peek())) != 0) {
        at_ += 1;
      } else if (Peek() == '-' && Peek(1) == '-') {
        while (at_ < sql_.size() && Peek() != '\n') at_ += 1;
      } else if (Peek() == '/' && Peek(1) == '*') {
        RETURN_IF_ERROR(SkipComment());
      } else {
        return Status::Ok();
      }
      space_ = true;
    }
    return Status::Ok();
  }

  Status SkipComment() {
    const size_t start = at_;
    int depth = 0;
    do {
      if (at_ >= sql_.size()) return SyntaxError(sql_, start, "/*");
      if (Peek() == '/' && Peek(1) == '*') {
        depth += 1;
        at_ += 2;
      } else if (Peek() == '*' && Peek(1) == '/') {
        depth -= 1;
        at_ += 2;
      } else {
        at_ += 1;
      }
    } while (depth > 0);
    return Status::Ok();
  }

  Status ScanToken() {
    const char c = Peek();
    const char next = Peek(1);
    if (c == '\'' || c == '"') return ScanString(at_, /*raw=*/false);
    if ((c == 'r' || c == 'R') && (next == '\'' || next == '"')) {
      at_ += 1;
      return ScanString(at_ - 1, /*raw=*/true);
    }
    if ((c == 'x' || c == 'X') && next == '\'') return ScanBinary();
    if (c == '`') return ScanQuotedWord();
    if (IsDigit(c) || (c == '.' && IsDigit(next) && !FollowsOperand())) return ScanNumber();
    if (IsWordStart(c)) return ScanWord();
    if (c == '?') return ScanMarker(1, {});
    if (c == ':' && !FollowsOperand() && (IsWordStart(next) || next == '`'))
      return ScanNamedMarker();
    return ScanOperator();
  }

  /// True when the token before ends an operand and touches this place, so that `.` and `:` go into
  /// it.
  bool FollowsOperand() const {
    if (space_ || tokens_.empty()) return false;
    const Token& last = tokens_.back();
    return last.IsIdentifier() || last.kind == TokenKind::kString ||
           last.kind == TokenKind::kMarker || last.IsOperator(")") || last.IsOperator("]");
  }

  Status ScanString(size_t start, bool raw) {
    const char quote = Peek();
    std::string value;
    at_ += 1;
    while (at_ < sql_.size()) {
      const char c = Peek();
      if (c == quote && Peek(1) == quote && !raw) {
        value += quote;
        at_ += 2;
      } else if (c == quote) {
        at_ += 1;
        Add(TokenKind::kString, start, std::move(value));
        return Status::Ok();
      } else if (c == '\\' && !raw && at_ + 1 < sql_.size()) {
        ScanEscape(value);
      } else {
        value += c;
        at_ += 1;
      }
    }
    return SyntaxError(sql_, start, sql_.substr(start, 1));
  }

  void ScanEscape(std::string& value) {
    const char c = Peek(1);
    if (c == 'u' && ScanHexEscape(4, value)) return;
    if (c == 'U' && ScanHexEscape(8, value)) return;
    at_ += 2;
    switch (c) {
      case '0':
        value += '\0';
        return;
      case 'b':
        value += '\b';
        return;
      case 'n':
        value += '\n';
        return;
      case 'r':
        value += '\r';
        return;
      case 't':
        value += '\t';
        return;
      case 'Z':
        value += '\x1A';
        return;
      // A pattern of LIKE wants its own backslash to stay.
      case '%':
        value += "\\%";
        return;
      case '_':
        value += "\\_";
        return;
      default:
        value += c;
        return;
    }
  }

  bool ScanHexEscape(size_t digits, std::string& value) {
    uint32_t code = 0;
    for (size_t i = 0; i < digits; ++i) {
      const char c = Peek(2 + i);
      if (std::isxdigit(static_cast<unsigned char>(c)) == 0) return false;
      code = code * 16 + static_cast<uint32_t>(IsDigit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    if (code > 0x10FFFF) return false;
    AppendUtf8(value, code);
    at_ += 2 + digits;
    return true;
  }

  Status ScanBinary() {
    const size_t start = at_;
    const size_t close = sql_.find('\'', at_ + 2);
    if (close == std::string_view::npos) return SyntaxError(sql_, start, "X'");
    std::string digits(sql_.substr(at_ + 2, close - at_ - 2));
    for (const char c : digits) {
      if (std::isxdigit(static_cast<unsigned char>(c)) == 0) return SyntaxError(sql_, start, "X'");
    }
    if (digits.size() % 2 == 1) digits.insert(digits.begin(), '0');
    at_ = close + 1;
    Add(TokenKind::kBinary, start, std::move(digits));
    return Status::Ok();
  }

  /// Reads the text between back-ticks at `at_` into `value`; false when it does not end.
  bool ScanBackticks(std::string& value) {
    at_ += 1;
    while (at_ < sql_.size()) {
      if (Peek() == '`' && Peek(1) != '`') {
        at_ += 1;
        return true;
      }
      if (Peek() == '`') at_ += 1;
      value += Peek();
      at_ += 1;
    }
    return false;
  }

  Status ScanQuotedWord() {
    const size_t start = at_;
    std::string value;
    if (!ScanBackticks(value)) return SyntaxError(sql_, start, "`");
    Add(TokenKind::kQuotedWord, start, std::move(value));
    return Status::Ok();
  }

  Status ScanNumber() {
    const size_t start = at_;
    while (IsDigit(Peek())) at_ += 1;
    if (Peek() == '.' && !(Peek(1) == '.' || IsWordStart(Peek(1)))) {
      at_ += 1;
      while (IsDigit(Peek())) at_ += 1;
    }
    const size_t sign = Peek(1) == '+' || Peek(1) == '-' ? 2 : 1;
    if ((Peek() == 'e' || Peek() == 'E') && IsDigit(Peek(sign))) {
      at_ += sign;
      while (IsDigit(Peek())) at_ += 1;
    }
    const size_t suffix = at_;
    while (IsWordPart(Peek())) at_ += 1;
    Add(TokenKind::kNumber, start, std::string(sql_.substr(start, suffix - start)));
    return Status::Ok();
  }

  Status ScanWord() {
    const size_t start = at_;
    while (IsWordPart(Peek())) at_ += 1;
    Add(TokenKind::kWord, start, std::string(sql_.substr(start, at_ - start)));
    return Status::Ok();
  }

  Status ScanMarker(size_t length, std::string name) {
    const size_t start = at_;
    at_ += length;
    Add(TokenKind::kMarker, start, std::move(name));
    return Status::Ok();
  }

  Status ScanNamedMarker() {
    const size_t start = at_;
    at_ += 1;
    std::string name;
    if (Peek() == '`') {
      if (!ScanBackticks(name)) return SyntaxError(sql_, start, "`");
    } else {
      while (IsWordPart(Peek())) name += sql_[at_++];
    }
    Add(TokenKind::kMarker, start, std::move(name));
    return Status::Ok();
  }

  Status ScanOperator() {
    const size_t start = at_;
    at_ += 1;
    for (const std::string_view symbol : kOperators) {
      if (sql_.substr(start, symbol.size()) == symbol) {
        at_ = start + symbol.size();
        break;
      }
    }
    if (std::string_view("+-*/%~&|^<>=!()[],.;:@{}").find(sql_[start]) == std::string_view::npos) {
      return SyntaxError(sql_, start, sql_.substr(start, 1));
    }
    Add(TokenKind::kOperator, start, {});
    return Status::Ok();
  }

  std::string_view sql_;
  size_t at_ = 0;
  bool space_ = false;
  Tokens tokens_;
};

}  // namespace

bool Token::Is(std::string_view word) const {
  return kind == TokenKind::kWord && EqualsIgnoreCase(text, word);
}

Result<Tokens> Tokenize(std::string_view sql) {
  return Scanner(sql).Run();
}

size_t FindClosing(const Tokens& tokens, size_t open) {
  size_t depth = 0;
  for (size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i].IsOperator("(") || tokens[i].IsOperator("[")) depth += 1;
    if (tokens[i].IsOperator(")") || tokens[i].IsOperator("]")) {
      depth -= 1;
      if (depth == 0) return i;
    }
  }
  return tokens.size() - 1;
}

}  // namespace dbx::local
