// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "net/http_server.h"
#include "result/link_terms.h"
#include "sea/statement.h"

namespace dbx::local {

HttpReply JsonReply(std::string body);
/// A refused request: `error_code` and `message`.
HttpReply RefusedReply(int http_status, std::string_view error_code, std::string_view message);

/// The statement as it stands: id and state, and of a failed one why.
std::string StatusText(const SeaStatement& statement, StatementState state, const Status& error);
/// The same for a state that exists in a script alone.
std::string ScriptedStatusText(const SeaStatement& statement, std::string_view state);

/// Of a statement that has succeeded: manifest and first chunk as well. `terms.max_links` is for
/// hybrid results: others have one link a reply. `*links_given` is raised by the links in it.
std::string ResultText(SeaStatement* statement, const StoredResult& result, const LinkTerms& terms,
                       int64_t* links_given);
/// The answer to a request for one chunk, which must be there: its rows, or up to `terms.max_links`
/// links from its own on.
std::string ChunkText(SeaStatement* statement, const StoredResult& result, size_t chunk_index,
                      const LinkTerms& terms, int64_t* links_given);

}  // namespace dbx::local
