// SPDX-License-Identifier: Apache-2.0
#include "warehouse/sea/session_core.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace dbx::sea {
namespace {

/// As the service names it when nobody has set another one.
constexpr std::string_view kDefaultTimeZone = "Etc/UTC";

std::string Upper(std::string_view text) {
  std::string upper(text);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return upper;
}

std::string ConfiguredTimeZone(const std::map<std::string, std::string>& settings) {
  for (const auto& [name, zone] : settings) {
    const std::string upper = Upper(name);
    if (upper == "TIMEZONE" || upper == "SPARK.SQL.SESSION.TIMEZONE") return zone;
  }
  return std::string(kDefaultTimeZone);
}

/// `sql` from its first letter on that is not in a comment.
std::string_view SkipComments(std::string_view sql) {
  while (true) {
    sql.remove_prefix(std::min(sql.find_first_not_of(" \t\r\n"), sql.size()));
    const std::string_view end = sql.starts_with("--") ? "\n" : sql.starts_with("/*") ? "*/" : "";
    if (end.empty()) return sql;
    const size_t at = sql.find(end, 2);
    if (at == std::string_view::npos) return {};
    sql.remove_prefix(at + end.size());
  }
}

std::string FirstWord(std::string_view sql) {
  sql = SkipComments(sql);
  const auto* const end =
      std::find_if(sql.begin(), sql.end(), [](unsigned char c) { return std::isalpha(c) == 0; });
  return Upper(sql.substr(0, static_cast<size_t>(end - sql.begin())));
}

}  // namespace

Result<HttpClient*> SessionCore::storage() const {
  if (context_.storage) return context_.storage();
  return context_.http;
}

bool SessionCore::LowerDisposition(Disposition refused) {
  if (refused != Disposition::kInlineOrExternalLinks) return false;
  disposition_ = Disposition::kExternalLinks;
  return true;
}

std::optional<SessionCore::Names> SessionCore::names() const {
  MutexLock lock(mutex_);
  return names_;
}

void SessionCore::SetNames(Names names) {
  MutexLock lock(mutex_);
  names_ = std::move(names);
}

std::string SessionCore::time_zone() const {
  MutexLock lock(mutex_);
  return time_zone_.empty() ? ConfiguredTimeZone(context_.config->session.settings) : time_zone_;
}

void SessionCore::SetTimeZone(std::string time_zone) {
  MutexLock lock(mutex_);
  time_zone_ = std::move(time_zone);
  time_zone_is_sure_ = true;
}

bool SessionCore::time_zone_is_sure() const {
  MutexLock lock(mutex_);
  return time_zone_is_sure_;
}

void SessionCore::NoteStatement(std::string_view sql) {
  const std::string word = FirstWord(sql);
  const bool runs_others = word == "EXECUTE" || word == "BEGIN";  // which may hold a USE or SET
  if (word != "USE" && word != "SET" && word != "RESET" && !runs_others) return;
  MutexLock lock(mutex_);
  names_.reset();
  if (word != "USE") time_zone_is_sure_ = false;
}

}  // namespace dbx::sea
