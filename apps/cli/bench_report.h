// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "bench_result.h"

namespace dbx::cli {

/// Tables for a terminal: times (with the baseline and a mark where it is news), rates and memory,
/// and, of several settings, each beside the first.
std::string TerminalReport(const BenchResult& result, const Baseline& baseline);

/// The same for a page in Markdown, a line a query, or of several settings a table a query.
std::string MarkdownReport(const BenchResult& result, const Baseline& baseline);

}  // namespace dbx::cli
