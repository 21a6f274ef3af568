// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <new>

#include "adbc/error_export.h"
#include "base/str_cat.h"

namespace dbx {

/// `call`'s Status, or kInternal for what it threw.
template <typename Call>
Status WithoutExceptions(Call&& call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return Status::Internal("out of memory");
  } catch (const std::exception& exception) {
    return Status::Internal(StrCat("unexpected failure: ", exception.what()));
  } catch (...) {
    return Status::Internal("unexpected failure");
  }
}

/// The border between C++ and the C ABI: runs `call`, which gives a Status, and puts its failure
/// into `error` (may be null). No exception passes, not even when there is no memory left to tell
/// of it.
template <typename Call>
AdbcStatusCode Guard(AdbcError* error, Call&& call) noexcept {
  try {
    return ExportError(WithoutExceptions(call), error);
  } catch (...) {
    return ADBC_STATUS_INTERNAL;
  }
}

}  // namespace dbx
