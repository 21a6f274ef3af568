// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "options/option_table.h"

int main() {
  return std::fputs(dbx::OptionsPage().c_str(), stdout) < 0 ? 1 : 0;
}
