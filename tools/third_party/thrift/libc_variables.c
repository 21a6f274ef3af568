// SPDX-License-Identifier: Apache-2.0
// What libthrift_pic.a reads in place of two variables of libc; see CMakeLists.txt beside this file.

#include <stdio.h>

#define HIDDEN __attribute__((visibility("hidden")))

// Where Thrift's own messages go unless the program gives it another output.
HIDDEN FILE* dbx_thrift_stderr;

// "There may be more threads": reference counts are always counted atomically.
HIDDEN char dbx_thrift_single_threaded = 0;

__attribute__((constructor)) static void SetStderr(void) { dbx_thrift_stderr = stderr; }
