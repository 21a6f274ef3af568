# SPDX-License-Identifier: Apache-2.0
# dbx_module(<name>
#   SOURCES <file>...               the room's own code; a room of headers alone gives none
#   USES <room>...                  rooms whose headers it may include; tools/check_layers.py reads this list
#   LIBRARIES <target>...           third-party targets that its headers show
#   PRIVATE_LIBRARIES <target>...   third-party targets of its .cc files
#   TEST_SUPPORT <file>...          fakes for the tests of this and other rooms: library dbx::<name>_testing
#   TEST_USES <room>...             rooms and test supports that the tests alone may include
#   TESTS <file>...)                one program <name>_test, every case of it known to ctest
#
# Makes the static library dbx_<name> (alias dbx::<name>). Includes are written from src/: "base/status.h".

include_guard()
include(GoogleTest)

function(dbx_settings target)
  target_link_libraries(${target} PRIVATE dbx_warnings)
  target_include_directories(${target} PUBLIC "${CMAKE_SOURCE_DIR}/src")
endfunction()

# A room without sources still needs a scope for what it uses.
function(dbx_add_room target visibility)
  if(visibility STREQUAL "INTERFACE")
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE "${CMAKE_SOURCE_DIR}/src")
  else()
    add_library(${target} STATIC ${ARGN})
    dbx_settings(${target})
  endif()
endfunction()

# `http` -> dbx::http, `http_testing` -> dbx::http_testing; a full target name stays as it is.
function(dbx_room_targets result)
  set(targets "")
  foreach(room IN LISTS ARGN)
    if(room MATCHES "::")
      list(APPEND targets ${room})
    else()
      list(APPEND targets dbx::${room})
    endif()
  endforeach()
  set(${result} ${targets} PARENT_SCOPE)
endfunction()

# A GoogleTest program; its cases are listed when ctest starts, not while it is built.
function(dbx_test target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "SOURCES;LIBRARIES")
  if(NOT BUILD_TESTING)
    return()
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  add_executable(${target} ${arg_SOURCES})
  dbx_settings(${target})
  target_link_libraries(${target} PRIVATE ${arg_LIBRARIES} dbx::gtest_main)
  gtest_discover_tests(${target} DISCOVERY_MODE PRE_TEST TEST_PREFIX "${target}." PROPERTIES TIMEOUT
                       ${arg_TIMEOUT})
endfunction()

function(dbx_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg ""
                        "" "SOURCES;USES;LIBRARIES;PRIVATE_LIBRARIES;TEST_SUPPORT;TEST_USES;TESTS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "dbx_module(${name}): unknown argument ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(arg_SOURCES)
    set(visibility PUBLIC)
  else()
    set(visibility INTERFACE)
  endif()
  dbx_room_targets(uses ${arg_USES})
  dbx_room_targets(test_uses ${arg_TEST_USES})

  dbx_add_room(dbx_${name} ${visibility} ${arg_SOURCES})
  add_library(dbx::${name} ALIAS dbx_${name})
  target_link_libraries(dbx_${name} ${visibility} ${uses} ${arg_LIBRARIES} Threads::Threads)
  if(arg_PRIVATE_LIBRARIES)
    target_link_libraries(dbx_${name} PRIVATE ${arg_PRIVATE_LIBRARIES})
  endif()

  set(test_libraries dbx::${name} ${test_uses})
  if(arg_TEST_SUPPORT AND BUILD_TESTING)
    dbx_add_room(dbx_${name}_testing PUBLIC ${arg_TEST_SUPPORT})
    add_library(dbx::${name}_testing ALIAS dbx_${name}_testing)
    target_link_libraries(dbx_${name}_testing PUBLIC ${test_libraries} ${arg_PRIVATE_LIBRARIES})
    list(PREPEND test_libraries dbx::${name}_testing)
  endif()
  if(arg_TESTS AND (NOT DBX_TESTS OR name IN_LIST DBX_TESTS))
    dbx_test(${name}_test SOURCES ${arg_TESTS} LIBRARIES ${test_libraries} ${arg_PRIVATE_LIBRARIES})
  endif()
endfunction()

# dbx_program(<name> SOURCES <file>... LIBRARIES <target>...): an executable at the top of the build folder.
function(dbx_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE dbx_warnings ${arg_LIBRARIES} Threads::Threads)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}")
  if(NOT DBX_SANITIZE)
    target_link_options(${name} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
endfunction()
