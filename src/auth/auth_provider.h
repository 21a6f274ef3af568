// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/cancellation.h"
#include "base/secret.h"
#include "base/status.h"

namespace dbx {

/// Gives the credential of each request to the workspace. Storage links never get it. Methods from
/// any thread.
class AuthProvider {
 public:
  virtual ~AuthProvider() = default;

  /// The value of the Authorization header, such as "Bearer …". May ask a token endpoint;
  /// `cancellation` ends that.
  virtual Result<Secret> AuthorizationHeader(Cancellation* cancellation) = 0;

  /// The service refused (401) what AuthorizationHeader gave. True: a fresh credential may help,
  /// try once more.
  virtual bool OnRefused() = 0;
};

/// A personal access token or any other fixed bearer token.
std::unique_ptr<AuthProvider> MakeTokenAuthProvider(const Secret& token);

}  // namespace dbx
