// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace apache::thrift {
class TBase;
}

namespace dbx {

/// The bytes of a call of `method`: one strict binary message whose argument 1 is `request`.
/// Errors: kInternal when `request` cannot be written.
Result<std::string> EncodeCall(std::string_view method, int32_t sequence_id,
                               const apache::thrift::TBase& request);

/// Reads the answer to that call into `*response`, which holds anything after a failure.
///
/// Fields in any order; unknown fields and enum numbers are passed over. No length in `body` is
/// believed before it is compared with what is there. Errors: kInvalidData for anything that is not
/// a whole strict reply with this name and sequence id (a web page, JSON, a cut-off message); what
/// the service says with an exception message: kNotImplemented for a method that it does not know,
/// else kInternal.
Status DecodeReply(std::string_view method, int32_t sequence_id, std::string_view body,
                   apache::thrift::TBase* response);

}  // namespace dbx
