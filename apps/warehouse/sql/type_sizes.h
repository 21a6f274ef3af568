// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sql/sql_type.h"

namespace dbx::local {

/// The numbers that listings of columns give for a type.
struct TypeSize {
  int32_t column_size = 0;  ///< bytes of fixed-width types, digits of DECIMAL, characters of texts
  int32_t decimal_digits = 0;
  int32_t radix = 0;  ///< 0: none
};

TypeSize SizeOf(const SqlType& type);

}  // namespace dbx::local
