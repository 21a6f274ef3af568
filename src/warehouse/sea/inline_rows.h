// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/cancellation.h"
#include "base/status.h"
#include "result/result_stream.h"
#include "warehouse/sea/sea_statement.h"
#include "wire/sea_messages.h"

namespace dbx::sea {

/// The rows that came within replies, from `first` on: text, or pieces of one Arrow stream, of
/// which the first alone has the schema and which may be cut anywhere, in LZ4 frames or not.
///
/// `columns` are the manifest's, in order. The stream fetches the pages after the first and ends
/// well only when the rows add up to the manifest's total and the service did not cut the result
/// off (kIntegrity otherwise). Errors: kInvalidData.
Result<std::unique_ptr<ResultStream>> MakeInlineRows(std::unique_ptr<SeaStatement> statement,
                                                     const ManifestMessage& manifest,
                                                     const std::vector<ColumnMessage>& columns,
                                                     ResultMessage first);

}  // namespace dbx::sea
