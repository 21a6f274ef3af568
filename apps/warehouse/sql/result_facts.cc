// SPDX-License-Identifier: Apache-2.0
#include "sql/result_facts.h"

#include <algorithm>
#include <array>
#include <map>

#include "sql/column_naming.h"
#include "sql/interval.h"
#include "sql/sql_text.h"
#include "sql/type_parser.h"

namespace dbx::local {
namespace {

using Facts = std::vector<ColumnFact>;

/// A table of a FROM clause.
struct Source {
  std::string alias;
  std::optional<Facts> columns;  ///< nullopt: unknown
};

/// Joins unsure of their sides: any column may be null.
Facts Nullable(Facts facts) {
  for (ColumnFact& fact : facts) fact.nullable = true;
  return facts;
}

/// Deeper than this nothing is looked for.
constexpr int kMaxDepth = 20;

class Analyzer {
 public:
  Analyzer(const Tokens& tokens, const FactsOfTable& tables) : tokens_(tokens), tables_(tables) {}

  std::optional<Facts> Query(size_t begin, size_t end) {
    if (depth_ >= kMaxDepth) return std::nullopt;
    depth_ += 1;
    std::optional<Facts> facts = SetOperation(begin, end);
    depth_ -= 1;
    return facts;
  }

 private:
  bool At(size_t i, size_t end, std::string_view word) const {
    return i < end && tokens_[i].Is(word);
  }

  size_t Skip(size_t i) const {
    return tokens_[i].IsOperator("(") || tokens_[i].IsOperator("[") ? FindClosing(tokens_, i) + 1
                                                                    : i + 1;
  }

  /// First place from `i` on, outside of brackets, that holds one of `words`; `end` when none does.
  template <size_t kSize>
  size_t Find(size_t i, size_t end, const std::array<std::string_view, kSize>& words) const {
    for (; i < end; i = Skip(i)) {
      if (std::any_of(words.begin(), words.end(),
                      [&](std::string_view word) { return tokens_[i].Is(word); }))
        return i;
    }
    return end;
  }

  std::optional<Facts> SetOperation(size_t begin, size_t end) {
    if (At(begin, end, "WITH")) begin = CommonTables(begin, end);
    static constexpr std::array<std::string_view, 4> kSets = {"UNION", "INTERSECT", "MINUS",
                                                              "EXCEPT"};
    size_t stop = Find(begin, end, kSets);
    while (stop < end && tokens_[stop].Is("EXCEPT") && tokens_[stop - 1].IsOperator("*"))
      stop = Find(stop + 1, end, kSets);
    if (stop == end) return Term(begin, end);
    std::optional<Facts> left = Term(begin, stop);
    size_t next = stop + 1;
    if (At(next, end, "ALL") || At(next, end, "DISTINCT")) next += 1;
    const std::optional<Facts> right = SetOperation(next, end);
    if (!left || !right || left->size() != right->size()) return std::nullopt;
    for (size_t i = 0; i < left->size(); ++i) Merge((*left)[i], (*right)[i]);
    return left;
  }

  /// A column of a set operation or of VALUES: null where either is, VOID only where both are.
  static void Merge(ColumnFact& left, const ColumnFact& right) {
    left.nullable = left.nullable || right.nullable;
    left.sum.reset();
    const bool left_void = left.type && left.type->id == SqlTypeId::kVoid;
    const bool right_void = right.type && right.type->id == SqlTypeId::kVoid;
    if (left_void && !right_void) {
      left.type = right.type;
    } else if (!right_void && left.type && right.type && left.type->Text() != right.type->Text()) {
      left.type = std::nullopt;
    }
  }

  /// Reads the tables of WITH and returns where the query behind them begins.
  size_t CommonTables(size_t begin, size_t end) {
    size_t i = begin + 1;
    if (At(i, end, "RECURSIVE")) i += 1;
    while (i < end && tokens_[i].IsIdentifier()) {
      const std::string name = ToLower(tokens_[i].value);
      i += 1;
      std::vector<std::string> names;
      if (i < end && tokens_[i].IsOperator("(")) names = Names(&i);
      if (At(i, end, "AS")) i += 1;
      if (i >= end || !tokens_[i].IsOperator("(")) return end;
      const size_t close = FindClosing(tokens_, i);
      std::optional<Facts> facts = Query(i + 1, close);
      Rename(facts, names);
      common_[name] = std::move(facts);
      i = close + 1;
      if (i >= end || !tokens_[i].IsOperator(",")) break;
      i += 1;
    }
    return i;
  }

  /// "(a, b)" at `*i`, which moves behind it.
  std::vector<std::string> Names(size_t* i) const {
    std::vector<std::string> names;
    const size_t close = FindClosing(tokens_, *i);
    for (size_t k = *i + 1; k < close; ++k) {
      if (tokens_[k].IsIdentifier()) names.push_back(tokens_[k].value);
    }
    *i = close + 1;
    return names;
  }

  static void Rename(std::optional<Facts>& facts, const std::vector<std::string>& names) {
    if (!facts) return;
    for (size_t i = 0; i < std::min(names.size(), facts->size()); ++i) (*facts)[i].name = names[i];
  }

  std::optional<Facts> Term(size_t begin, size_t end) {
    if (begin >= end) return std::nullopt;
    if (tokens_[begin].IsOperator("(")) return Query(begin + 1, FindClosing(tokens_, begin));
    if (At(begin, end, "VALUES")) return Values(begin + 1, end);
    if (At(begin, end, "TABLE")) return Table(begin + 1, end);
    if (At(begin, end, "SELECT")) return Select(begin, end);
    return std::nullopt;
  }

  std::optional<Facts> Table(size_t begin, size_t end) {
    size_t i = begin;
    return ReadSource(&i, end).columns;
  }

  std::optional<Facts> Values(size_t begin, size_t end) {
    static constexpr std::array<std::string_view, 3> kEnds = {"ORDER", "LIMIT", "AS"};
    std::optional<Facts> all;
    for (const auto& [row, row_end] : SplitAtCommas(tokens_, begin, Find(begin, end, kEnds))) {
      if (row == row_end) return std::nullopt;
      const bool bracket = tokens_[row].IsOperator("(") && FindClosing(tokens_, row) + 1 == row_end;
      Facts facts;
      const auto items = bracket ? SplitAtCommas(tokens_, row + 1, row_end - 1)
                                 : std::vector{std::pair{row, row_end}};
      for (const auto& [item, item_end] : items) {
        ColumnFact fact = Expression(item, item_end, {});
        fact.name = "col" + std::to_string(facts.size() + 1);
        facts.push_back(std::move(fact));
      }
      if (!all) {
        all = std::move(facts);
      } else if (all->size() == facts.size()) {
        for (size_t i = 0; i < facts.size(); ++i) Merge((*all)[i], facts[i]);
      } else {
        return std::nullopt;
      }
    }
    return all;
  }

  std::optional<Facts> Select(size_t begin, size_t end) {
    size_t list = begin + 1;
    while (At(list, end, "DISTINCT") || At(list, end, "ALL")) list += 1;
    const size_t list_end = SelectListEnd(tokens_, list, end);
    const std::vector<Source> sources =
        At(list_end, end, "FROM") ? From(list_end + 1, end) : std::vector<Source>();
    Facts facts;
    for (const auto& [item, item_end] : SplitAtCommas(tokens_, list, list_end)) {
      if (item == item_end) return std::nullopt;
      const SelectItemShape shape = ReadSelectItem(tokens_, item, item_end);
      if (shape.star) {
        if (!Star(item, item_end, sources, facts)) return std::nullopt;
        continue;
      }
      ColumnFact fact = Expression(item, shape.expression_end, sources);
      fact.name = !shape.alias.empty() ? shape.alias
                  : shape.plain_column ? tokens_[item_end - 1].value
                                       : ColumnNameOf(tokens_, item, item_end);
      facts.push_back(std::move(fact));
    }
    return facts;
  }

  bool Star(size_t item, size_t item_end, const std::vector<Source>& sources, Facts& facts) const {
    const bool qualified = tokens_[item].IsIdentifier();
    size_t star = item;
    while (star < item_end && !tokens_[star].IsOperator("*")) star += 1;
    const std::string alias = qualified ? ToLower(tokens_[star - 2].value) : "";
    std::vector<std::string> excluded;
    if (star + 2 < item_end && tokens_[star + 2].IsOperator("(")) {
      size_t open = star + 2;
      excluded = Names(&open);
    }
    bool found = false;
    for (const Source& source : sources) {
      if (qualified && source.alias != alias) continue;
      found = true;
      if (!source.columns) return false;
      for (const ColumnFact& fact : *source.columns) {
        const bool skip =
            std::any_of(excluded.begin(), excluded.end(),
                        [&](const std::string& name) { return EqualsIgnoreCase(name, fact.name); });
        if (!skip) facts.push_back(fact);
      }
    }
    return found;
  }

  /// The tables of a FROM clause, with what outer joins do to them. USING drops a column: then all
  /// is unknown.
  std::vector<Source> From(size_t begin, size_t end) {
    static constexpr std::array<std::string_view, 13> kEnds = {
        "WHERE",   "GROUP", "HAVING", "ORDER",   "LIMIT", "OFFSET", "WINDOW",
        "QUALIFY", "UNION", "SORT",   "LATERAL", "PIVOT", "UNPIVOT"};
    const size_t stop = Find(begin, end, kEnds);
    std::vector<Source> sources;
    size_t i = begin;
    bool right_nullable = false;
    bool hidden = false;
    while (i < stop) {
      Source source = ReadSource(&i, stop);
      if (right_nullable && source.columns) source.columns = Nullable(std::move(*source.columns));
      if (!hidden) sources.push_back(std::move(source));
      right_nullable = false;
      hidden = false;
      bool left_nullable = false;
      while (i < stop && !tokens_[i].Is("JOIN") && !tokens_[i].IsOperator(",")) {
        if (tokens_[i].Is("USING") || tokens_[i].Is("NATURAL")) ForgetAll(sources);
        // The words of a join stand before JOIN; what ON compares may be anything.
        right_nullable = right_nullable ||
                         (tokens_[i].Is("LEFT") && !tokens_[i + 1].IsOperator("(")) ||
                         tokens_[i].Is("FULL");
        left_nullable = left_nullable ||
                        (tokens_[i].Is("RIGHT") && !tokens_[i + 1].IsOperator("(")) ||
                        tokens_[i].Is("FULL");
        hidden = hidden || tokens_[i].Is("SEMI") || tokens_[i].Is("ANTI");
        i = Skip(i);
      }
      if (left_nullable) {
        for (Source& before : sources) {
          if (before.columns) before.columns = Nullable(std::move(*before.columns));
        }
      }
      i += 1;
    }
    if (stop < end &&
        (tokens_[stop].Is("LATERAL") || tokens_[stop].Is("PIVOT") || tokens_[stop].Is("UNPIVOT")))
      ForgetAll(sources);
    return sources;
  }

  static void ForgetAll(std::vector<Source>& sources) {
    for (Source& source : sources) source.columns = std::nullopt;
    sources.push_back({});
  }

  /// One table, subquery or VALUES with its alias and column names; `*i` moves behind them.
  Source ReadSource(size_t* i, size_t end) {
    Source source;
    if (*i < end && tokens_[*i].IsOperator("(")) {
      const size_t close = FindClosing(tokens_, *i);
      source.columns = Query(*i + 1, close);
      *i = close + 1;
    } else if (At(*i, end, "VALUES")) {
      size_t stop = *i + 1;
      while (stop < end && (tokens_[stop].IsOperator("(") || tokens_[stop].IsOperator(",")))
        stop = Skip(stop);
      source.columns = Values(*i + 1, stop);
      *i = stop;
    } else {
      std::vector<std::string> parts;
      while (*i < end && tokens_[*i].IsIdentifier()) {
        parts.push_back(tokens_[*i].value);
        *i += 1;
        if (*i >= end || !tokens_[*i].IsOperator(".")) break;
        *i += 1;
      }
      if (parts.empty()) {
        *i += 1;
        return source;
      }
      source.alias = ToLower(parts.back());
      if (*i < end && tokens_[*i].IsOperator("(")) {
        if (EqualsIgnoreCase(parts[0], "range")) source.columns = Facts{{"id", false}};
        *i = FindClosing(tokens_, *i) + 1;
      } else {
        source.columns = Lookup(parts);
      }
    }
    ReadAlias(source, i, end);
    return source;
  }

  std::optional<Facts> Lookup(const std::vector<std::string>& parts) const {
    if (parts.size() == 1) {
      const auto common = common_.find(ToLower(parts[0]));
      if (common != common_.end()) return common->second;
    }
    return tables_(parts);
  }

  void ReadAlias(Source& source, size_t* i, size_t end) const {
    static constexpr std::array<std::string_view, 12> kNoAlias = {
        "JOIN", "LEFT",  "RIGHT", "FULL", "INNER",   "CROSS",
        "ON",   "USING", "SEMI",  "ANTI", "NATURAL", "TABLESAMPLE"};
    if (At(*i, end, "AS")) *i += 1;
    if (*i >= end || !tokens_[*i].IsIdentifier()) return;
    if (std::any_of(kNoAlias.begin(), kNoAlias.end(),
                    [&](std::string_view word) { return tokens_[*i].Is(word); }))
      return;
    source.alias = ToLower(tokens_[*i].value);
    *i += 1;
    if (*i < end && tokens_[*i].IsOperator("(")) Rename(source.columns, Names(i));
  }

  static ColumnFact Column(const std::string& qualifier, const std::string& name,
                           const std::vector<Source>& sources) {
    for (const Source& source : sources) {
      if (!qualifier.empty() && source.alias != ToLower(qualifier)) continue;
      if (!source.columns) continue;
      const auto found =
          std::find_if(source.columns->begin(), source.columns->end(),
                       [&](const ColumnFact& fact) { return EqualsIgnoreCase(fact.name, name); });
      if (found != source.columns->end()) return *found;
    }
    return {name, true};
  }

  /// The kind of the intervals in an expression, if it looks like one that gives an interval.
  std::optional<SqlType> IntervalOf(size_t begin, size_t end, bool* whole) const {
    for (size_t i = begin; i < end; ++i) {
      if (!tokens_[i].Is("INTERVAL")) continue;
      size_t next = i;
      if (const std::optional<IntervalLiteral> literal = ParseInterval(tokens_, &next)) {
        *whole = i == begin && next == end;
        return literal->type;
      }
      next = i;
      if (const std::optional<SqlType> type = ParseType(tokens_, &next)) return type;
    }
    return std::nullopt;
  }

  ColumnFact Expression(size_t begin, size_t end, const std::vector<Source>& sources) const {
    const Token& first = tokens_[begin];
    const size_t length = end - begin;
    if (length == 1) {
      if (first.Is("NULL")) return {"", true, SimpleType(SqlTypeId::kVoid), {}};
      const bool literal = first.kind == TokenKind::kNumber || first.kind == TokenKind::kString ||
                           first.kind == TokenKind::kBinary || first.Is("TRUE") ||
                           first.Is("FALSE") || first.Is("CURRENT_DATE") ||
                           first.Is("CURRENT_TIMESTAMP");
      if (literal) return {"", false};
    }
    if (length == 2 && first.IsOperator("-") && tokens_[begin + 1].kind == TokenKind::kNumber)
      return {"", false};
    const bool typed = length == 2 && tokens_[begin + 1].kind == TokenKind::kString &&
                       (first.Is("DATE") || first.Is("TIMESTAMP") || first.Is("TIMESTAMP_NTZ"));
    if (typed) return {"", false};
    if (first.IsIdentifier() && length == 1) return Column("", first.value, sources);
    if (first.IsIdentifier() && length == 3 && tokens_[begin + 1].IsOperator(".")) {
      return Column(first.value, tokens_[begin + 2].value, sources);
    }
    if (first.IsIdentifier() && length >= 5 && tokens_[end - 2].IsOperator(".")) {
      return Column(tokens_[end - 3].value, tokens_[end - 1].value, sources);
    }
    const bool call = length >= 3 && tokens_[begin + 1].IsOperator("(") &&
                      FindClosing(tokens_, begin + 1) == end - 1;
    static constexpr std::array<std::string_view, 8> kNeverNull = {
        "COUNT",           "CURRENT_DATE",     "CURRENT_TIMESTAMP", "NOW",
        "CURRENT_CATALOG", "CURRENT_DATABASE", "CURRENT_SCHEMA",    "CURRENT_USER"};
    if (call && std::any_of(kNeverNull.begin(), kNeverNull.end(),
                            [&](std::string_view word) { return first.Is(word); })) {
      return {"", false};
    }
    if (call && first.Is("SUM")) return {"", true, {}, begin};
    bool whole = false;
    const std::optional<SqlType> interval = IntervalOf(begin, end, &whole);
    // Whether this is an interval at all only the engine knows; it takes the kind from here if so.
    if (interval) return {"", !whole, interval, {}};
    return {"", true};
  }

  const Tokens& tokens_;
  const FactsOfTable& tables_;
  std::map<std::string, std::optional<Facts>> common_;
  int depth_ = 0;
};

}  // namespace

std::optional<std::vector<ColumnFact>> QueryFacts(const Tokens& tokens, size_t begin, size_t end,
                                                  const FactsOfTable& tables) {
  return Analyzer(tokens, tables).Query(begin, end);
}

}  // namespace dbx::local
