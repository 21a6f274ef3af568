// SPDX-License-Identifier: Apache-2.0
#include "adbc/auth_selection.h"

#include <string_view>

#include "base/str_cat.h"

namespace dbx {
namespace {

std::string_view NameOf(AuthType type) {
  switch (type) {
    case AuthType::kAuto:
      return "auto";
    case AuthType::kAccessToken:
      return "access_token";
    case AuthType::kOauthM2m:
      return "oauth_m2m";
    case AuthType::kOauthU2m:
      return "oauth_u2m";
    case AuthType::kOauthJwt:
      return "oauth_jwt";
    case AuthType::kTokenExchange:
      return "token_exchange";
    case AuthType::kAzureServicePrincipal:
      return "azure_service_principal";
    case AuthType::kAzureMsi:
      return "azure_msi";
    case AuthType::kAzureCli:
      return "azure_cli";
    case AuthType::kDatabricksCli:
      return "databricks_cli";
    case AuthType::kProfile:
      return "profile";
    case AuthType::kCallback:
      return "callback";
  }
  return "unknown";
}

Status NothingGiven(const AuthConfig& config) {
  const bool has_client = !config.client_id.empty() || !config.client_secret.empty();
  return Status::Unauthenticated(
      StrCat("no credentials: looked for an access token in the option databricks.access_token (or "
             "password), in the uri (databricks://token:<token>@host/…), in the variable "
             "DATABRICKS_TOKEN and in the profile file (databricks.profile, "
             "DATABRICKS_CONFIG_PROFILE)",
             has_client ? "; an OAuth client was given, which this version does not know" : ""));
}

}  // namespace

Result<std::unique_ptr<AuthProvider>> SelectAuth(const AuthConfig& config) {
  const bool takes_token = config.type == AuthType::kAuto || config.type == AuthType::kAccessToken;
  if (!takes_token) {
    return Status::NotImplemented(StrCat("databricks.auth.type: '", NameOf(config.type),
                                         "' is not part of this version; use access_token"));
  }
  if (config.access_token.empty()) return NothingGiven(config);
  return MakeTokenAuthProvider(config.access_token);
}

}  // namespace dbx
