// SPDX-License-Identifier: Apache-2.0
#include "net/request_log.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/str_cat.h"
#include "net/http_text.h"

namespace dbx::local {
namespace {

bool IsCredential(std::string_view header) {
  constexpr std::string_view kNames[] = {"authorization", "proxy-authorization", "cookie",
                                         "x-databricks-token"};
  return std::any_of(std::begin(kNames), std::end(kNames),
                     [&](std::string_view name) { return EqualIgnoringCase(name, header); });
}

// "Bearer [redacted]": the scheme tells what a test wants to know.
std::string Redacted(std::string_view value) {
  const size_t blank = value.find(' ');
  if (blank == std::string_view::npos) return "[redacted]";
  return StrCat(value.substr(0, blank), " [redacted]");
}

HeaderList SafeHeaders(const HeaderList& headers) {
  HeaderList safe;
  for (const auto& [name, value] : headers)
    safe.emplace_back(name, IsCredential(name) ? Redacted(value) : value);
  return safe;
}

std::string TimeWithMilliseconds(WallTime time) {
  const auto milliseconds =
      std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count() % 1000;
  std::string fraction = StrCat(milliseconds);
  fraction.insert(0, 3 - fraction.size(), '0');
  std::string text = IsoTime(time);
  text.insert(text.size() - 1, StrCat(".", fraction));
  return text;
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

bool IsNamed(const std::vector<std::string>& names, std::string_view header) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return EqualIgnoringCase(name, header); });
}

}  // namespace

Status RequestLog::WriteTo(const std::string& path, std::vector<std::string> header_names) {
  MutexLock lock(mutex_);
  file_.open(path, std::ios::app);
  if (!file_) return Status::Io(StrCat("request log ", path, ": ", std::strerror(errno)));
  header_names_ = std::move(header_names);
  return Status::Ok();
}

void RequestLog::Answered(const HttpRequest& request, const HttpReply& reply) {
  Record record{.request_id = request.request_id,
                .time = std::chrono::system_clock::now(),
                .began = std::chrono::steady_clock::now(),
                .kind = reply.kind.empty() ? "other" : reply.kind,
                .method = request.method,
                .path = request.path,
                .scheme = request.scheme,
                .headers = SafeHeaders(request.headers),
                .connection_id = request.connection_id,
                .body_bytes_received = request.body.size(),
                .status = reply.status};
  MutexLock lock(mutex_);
  ++counts_[record.kind];
  record.number = next_number_++;
  unfinished_[record.request_id] = record.number;
  if (ring_.size() < kRingSize) {
    ring_.push_back(std::move(record));
  } else {
    ring_[record.number % kRingSize] = std::move(record);
  }
}

RequestLog::Record* RequestLog::Find(uint64_t request_id) {
  const auto found = unfinished_.find(request_id);
  if (found == unfinished_.end()) return nullptr;
  Record& record = ring_[found->second % kRingSize];
  unfinished_.erase(found);
  return record.request_id == request_id ? &record : nullptr;  // the ring may have gone round
}

void RequestLog::Finished(uint64_t request_id, const ExchangeEnd& end) {
  const SteadyTime now = std::chrono::steady_clock::now();
  MutexLock lock(mutex_);
  Record* const record = Find(request_id);
  if (!record) return;
  record->outcome = end.outcome;
  record->bytes_sent = end.bytes_sent;
  record->milliseconds = std::chrono::duration<double, std::milli>(now - record->began).count();
  if (file_.is_open()) file_ << Line(*record, &header_names_) << std::endl;
}

std::string RequestLog::Requests(uint64_t since) const {
  MutexLock lock(mutex_);
  const uint64_t oldest = next_number_ - ring_.size();
  std::string text = StrCat("{\"next\":", next_number_, ",\"requests\":[");
  const uint64_t first = std::max(since, oldest);
  for (uint64_t number = first; number < next_number_; ++number) {
    if (number > first) text += ",\n";
    text += Line(ring_[number % kRingSize], nullptr);
  }
  return text + "]}";
}

std::map<std::string, int64_t> RequestLog::counts() const {
  MutexLock lock(mutex_);
  return counts_;
}

std::string RequestLog::Line(const Record& record, const std::vector<std::string>* header_names) {
  nlohmann::ordered_json line;
  line["number"] = record.number;
  line["time"] = TimeWithMilliseconds(record.time);
  line["kind"] = record.kind;
  line["method"] = record.method;
  line["path"] = record.path;
  line["scheme"] = record.scheme;
  line["status"] = record.status;
  line["connection"] = record.connection_id;
  line["request_bytes"] = record.body_bytes_received;
  line["sent_bytes"] = record.bytes_sent;
  line["milliseconds"] = record.milliseconds;
  line["outcome"] = record.outcome;
  nlohmann::ordered_json& headers = line["headers"] = nlohmann::ordered_json::object();
  for (const auto& [name, value] : record.headers) {
    if (!header_names || IsNamed(*header_names, name)) headers[Lower(name)] = value;
  }
  // A client's bytes need not be UTF-8.
  return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace dbx::local
