// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace dbx {

/// A text from outside as a message may show it: control characters become blanks, at most
/// `max_bytes` (cut at a whole UTF-8 character), and "[redacted]" in place of what looks like a
/// token (Databricks prefixes, JWTs, what follows "Bearer") or a URL's query.
std::string Scrub(std::string_view text, size_t max_bytes = 1024);

}  // namespace dbx
