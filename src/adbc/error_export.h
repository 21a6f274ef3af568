// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arrow-adbc/adbc.h"
#include "base/status.h"

namespace dbx {

/// ADBC's code for ours.
AdbcStatusCode ToAdbcStatus(StatusCode code);

/// The errno value that a stream gives for ours, never 0 for a failure.
int ToErrno(StatusCode code);

/// "[databricks] " and the message, with the statement's id at its end when there is one.
std::string MessageForPeople(const Status& status);

/// Puts a failure into `error` (null: nobody wants it) and gives ADBC's code. Success leaves
/// `error` alone.
///
/// What `error` held before is released. Details go with it only when its vendor_code marks it as a
/// struct of ADBC 1.1: a shorter one gets message, sqlstate and the service's code, and no byte
/// behind them is touched.
AdbcStatusCode ExportError(const Status& status, AdbcError* error);

/// Details of an error that ExportError filled; none of any other.
int CountErrorDetails(const AdbcError* error);
/// Zeros when there is no such detail. Valid until the error is released.
AdbcErrorDetail GetErrorDetail(const AdbcError* error, int index);

}  // namespace dbx
