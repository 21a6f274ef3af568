// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sql/engine.h"
#include "thrift_generated/TCLIService_types.h"

namespace dbx::local {

/// The values of a statement's markers, in list order: some clients write the same ordinal for all.
/// What has no type and no value, or the type VOID, is NULL.
std::vector<SqlParameter> ReadParameters(const std::vector<thrift::TSparkParameter>& parameters);

}  // namespace dbx::local
