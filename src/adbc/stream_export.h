// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "arrow-adbc/adbc.h"
#include "result/result_stream.h"

namespace dbx {

/// Gives `stream` to the C ABI. `out` is overwritten; whoever holds it releases it, which destroys
/// the stream.
///
/// The struct may be moved bit by bit. A failure of get_schema and get_next is an errno value, with
/// a text until the next call and an AdbcError behind GetStreamError. After the last row, and after
/// a failure, get_next repeats itself. In a child after a fork get_next fails and release frees
/// nothing that threads of the parent use.
void ExportStream(std::unique_ptr<ResultStream> stream, ArrowArrayStream* out);

/// ErrorFromArrayStream of ADBC: the last failure of a stream that ExportStream made, owned by the
/// stream, and its code in `*status`. Null, and `*status` untouched, for other streams and after a
/// success.
const AdbcError* GetStreamError(ArrowArrayStream* stream, AdbcStatusCode* status);

}  // namespace dbx
