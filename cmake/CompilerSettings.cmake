# SPDX-License-Identifier: Apache-2.0
# Language, warnings, sanitizers and speed-ups for every target of ours.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

option(DBX_WARNINGS_AS_ERRORS "Stop at a warning" ON)
set(DBX_SANITIZE "" CACHE STRING "Empty, `address,undefined` or `thread`")

add_library(dbx_warnings INTERFACE)
target_compile_options(
  dbx_warnings
  INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
            -Wimplicit-fallthrough -Wcast-qual -Wvla
            $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety>
            $<$<BOOL:${DBX_WARNINGS_AS_ERRORS}>:-Werror>)

if(DBX_SANITIZE)
  add_compile_options(-fsanitize=${DBX_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${DBX_SANITIZE})
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND DBX_SANITIZE)
  # GCC 12 reports false positives of these two under its own sanitizers.
  target_compile_options(dbx_warnings INTERFACE -Wno-maybe-uninitialized -Wno-restrict)
endif()

# The kinds of build that we use; CMake's own MinSizeRel is left as it is.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1 -D_GLIBCXX_ASSERTIONS")
set(CMAKE_CXX_FLAGS_SANITIZE "-O1 -g1 -D_GLIBCXX_ASSERTIONS")
set(CMAKE_C_FLAGS_SANITIZE "-O1 -g1")

# Lets the linker drop what a binary does not call.
add_compile_options(-ffunction-sections -fdata-sections)

# No path of the machine in a binary, and one ccache for all build folders.
add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
find_program(DBX_CCACHE ccache)
if(DBX_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(launcher "${CMAKE_COMMAND}" -E env CCACHE_NOHASHDIR=1 "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}"
               "${DBX_CCACHE}")
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()

find_program(DBX_MOLD mold)
if(DBX_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
