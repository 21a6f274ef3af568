// SPDX-License-Identifier: Apache-2.0
#include "net/faults.h"

#include <atomic>
#include <unordered_map>
#include <utility>

#include "base/mutex.h"
#include "base/str_cat.h"
#include "net/fault_rules.h"

namespace dbx::local {
namespace {

/// Numbers that look random and depend on what they are made from alone, not on who asked before.
class Dice {
 public:
  Dice(uint64_t seed, size_t rule, std::string_view key, int64_t attempt) : state_(seed) {
    Mix(rule);
    for (const char c : key) Mix(static_cast<unsigned char>(c));
    Mix(static_cast<uint64_t>(attempt));
  }

  /// From 0 up to, not including, 1.
  double Fraction() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }
  int64_t Between(int64_t low, int64_t high) {
    const uint64_t span = static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1;
    const uint64_t offset = span == 0 ? Next() : Next() % span;
    return static_cast<int64_t>(static_cast<uint64_t>(low) + offset);
  }

 private:
  void Mix(uint64_t value) { state_ = Scramble(state_ ^ value); }
  uint64_t Next() { return Scramble(state_ += 0x9e3779b97f4a7c15); }
  // The finisher of the generator "splitmix64".
  static uint64_t Scramble(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  uint64_t state_;
};

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool Matches(const FaultRule& rule, const FaultContext& context) {
  return rule.point == context.point &&
         (rule.http_method.empty() || rule.http_method == context.http_method) &&
         Contains(context.path, rule.path) && Contains(context.sql, rule.sql) &&
         (rule.thrift_method.empty() || rule.thrift_method == context.thrift_method) &&
         (!rule.chunk || rule.chunk == context.chunk_index);
}

// What "the same thing again" means at each point.
std::string ThingOf(const FaultContext& context) {
  switch (context.point) {
    case FaultPoint::kThrift:
      return std::string(context.thrift_method);
    case FaultPoint::kSea:
      return StrCat(context.thrift_method, " ", context.chunk_index.value_or(-1));
    case FaultPoint::kResult:
      return StrCat("result of ", context.sql);
    default:
      return StrCat(context.http_method, " ", context.path);
  }
}

// Names of stored files differ from run to run, their chunk indexes do not.
std::string DiceKey(const FaultContext& context) {
  return context.chunk_index ? StrCat("chunk ", *context.chunk_index) : ThingOf(context);
}

class RuleScript final : public FaultScript {
 public:
  Status Load(std::string_view text) override EXCLUDES(mutex_);
  void Clear() override { Replace({}); }
  std::optional<FaultAction> Next(const FaultContext& context) override EXCLUDES(mutex_);
  bool empty() const override { return empty_.load(std::memory_order_relaxed); }
  std::string Describe() const override EXCLUDES(mutex_);

 private:
  struct Entry {
    FaultRule rule;
    int64_t matched = 0;
    int64_t used = 0;
  };

  void Replace(FaultRules rules) EXCLUDES(mutex_);
  bool Applies(const Entry& entry, int64_t attempt, Dice& dice) const;

  std::atomic<bool> empty_ = true;
  mutable Mutex mutex_;
  uint64_t seed_ GUARDED_BY(mutex_) = 0;
  std::vector<Entry> entries_ GUARDED_BY(mutex_);
  std::unordered_map<std::string, int64_t> attempts_ GUARDED_BY(mutex_);  // by thing
};

Status RuleScript::Load(std::string_view text) {
  ASSIGN_OR_RETURN(FaultRules rules, ParseFaultRules(text));
  Replace(std::move(rules));
  return Status::Ok();
}

void RuleScript::Replace(FaultRules rules) {
  MutexLock lock(mutex_);
  entries_.clear();
  attempts_.clear();
  for (FaultRule& rule : rules.rules) entries_.push_back({.rule = std::move(rule)});
  seed_ = rules.seed;
  empty_ = entries_.empty();
}

std::optional<FaultAction> RuleScript::Next(const FaultContext& context) {
  if (empty()) return std::nullopt;
  MutexLock lock(mutex_);
  const int64_t attempt = ++attempts_[ThingOf(context)];
  std::optional<FaultAction> chosen;
  // Every rule counts the request, chosen or not, so that no rule's n-th time depends on another
  // rule.
  for (size_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    if (!Matches(entry.rule, context)) continue;
    ++entry.matched;
    Dice dice(seed_, i, DiceKey(context), attempt);
    if (chosen || !Applies(entry, attempt, dice)) continue;
    ++entry.used;
    chosen = entry.rule.action;
    for (const RandomField& field : entry.rule.random_fields)
      field.set(*chosen, dice.Between(field.low, field.high));
  }
  return chosen;
}

bool RuleScript::Applies(const Entry& entry, int64_t attempt, Dice& dice) const {
  const FaultRule& rule = entry.rule;
  if (rule.attempt && attempt != *rule.attempt) return false;
  if (rule.nth && entry.matched < *rule.nth) return false;
  if (rule.times && entry.used >= *rule.times) return false;
  return rule.probability >= 1 || dice.Fraction() < rule.probability;
}

std::string RuleScript::Describe() const {
  MutexLock lock(mutex_);
  std::string text = StrCat("{\"seed\":", seed_, ",\"rules\":[");
  for (const Entry& entry : entries_) {
    if (&entry != &entries_.front()) text += ',';
    text += StrCat("{\"rule\":", entry.rule.text, ",\"matched\":", entry.matched,
                   ",\"used\":", entry.used, "}");
  }
  return text + "]}";
}

}  // namespace

std::unique_ptr<FaultScript> FaultScript::Make() {
  return std::make_unique<RuleScript>();
}

}  // namespace dbx::local
