// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/status.h"

namespace dbx {

/// The PEM file of the authorities to trust: `chosen` if not empty, else SSL_CERT_FILE of the
/// environment, else the system's bundle where Debian, Red Hat, SUSE and Alpine keep theirs; empty
/// when there is none. Errors: kInvalidArgument when `chosen` or SSL_CERT_FILE names a file that
/// cannot be read.
Result<std::string> FindCaBundle(const std::string& chosen);

}  // namespace dbx
