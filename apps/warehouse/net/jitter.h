// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

namespace dbx::local {

struct JitterSource {
  uint64_t seed = 0;
  uint64_t request_id = 0;
};

/// How much later (or earlier) than the rest this request is answered: evenly spread between -most
/// and most, the same for the same seed and request.
std::chrono::microseconds JitterOf(const JitterSource& source, std::chrono::milliseconds most);

}  // namespace dbx::local
