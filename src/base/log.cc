// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

namespace dbx {
namespace {

void AppendValue(std::string& line, const std::string& value) {
  if (!value.empty() && value.find_first_of(" \"\\\n\r\t=") == std::string::npos) {
    line.append(value);
    return;
  }
  line.push_back('"');
  for (const char c : value) {
    switch (c) {
      case '"':
        line.append("\\\"");
        break;
      case '\\':
        line.append("\\\\");
        break;
      case '\n':
        line.append("\\n");
        break;
      case '\r':
        line.append("\\r");
        break;
      case '\t':
        line.append("\\t");
        break;
      default:
        line.push_back(c);
    }
  }
  line.push_back('"');
}

}  // namespace

void Log::Write(LogLevel level, std::string_view event,
                std::initializer_list<LogField> fields) const {
  if (!enabled(level)) return;
  std::string line(event);
  for (const LogField& field : fields) {
    line.push_back(' ');
    line.append(field.name());
    line.push_back('=');
    AppendValue(line, field.value());
  }
  sink_(level, line);
}

}  // namespace dbx
