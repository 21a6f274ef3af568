// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "auth/auth_provider.h"
#include "base/status.h"
#include "options/config.h"

namespace dbx {

/// The credentials that `config` asks for; `auto` takes a token when there is one.
/// Errors: kUnauthenticated when nothing was given, naming where was looked; kNotImplemented for
/// kinds that this version does not know.
Result<std::unique_ptr<AuthProvider>> SelectAuth(const AuthConfig& config);

}  // namespace dbx
