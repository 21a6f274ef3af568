// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "options/config.h"

namespace dbx {

/// The catalog to open a session in; empty: the default one, which other clients call "SPARK" in
/// any case.
std::string CatalogAsked(const SessionConfig& config);

}  // namespace dbx
