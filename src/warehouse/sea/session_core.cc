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

std::string FirstWord(std::string_view sql) {
  const size_t begin = std::min(sql.find_first_not_of(" \t\r\n"), sql.size());
  sql.remove_prefix(begin);
  return Upper(sql.substr(0, sql.find_first_of(" \t\r\n")));
}

}  // namespace

Result<HttpClient*> SessionCore::storage() const {
  if (context_.storage) return context_.storage();
  return context_.http;
}

Status SessionCore::lost() const {
  MutexLock lock(mutex_);
  return lost_;
}

Status SessionCore::Note(Status failure) {
  if (!failure.session_lost()) return failure;
  MutexLock lock(mutex_);
  if (lost_.ok()) lost_ = failure;
  return failure;
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
  if (word != "USE" && word != "SET") return;
  MutexLock lock(mutex_);
  names_.reset();
  if (word == "SET") time_zone_is_sure_ = false;
}

}  // namespace dbx::sea
