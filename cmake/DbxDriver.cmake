# SPDX-License-Identifier: Apache-2.0
# dbx_driver_library(<name> SOURCES <file>... LIBRARIES <target>...)
#
# The driver as other programs load it: ${CMAKE_BINARY_DIR}/lib<name>.so. It exports the two entry points
# of cmake/driver_exports.map and nothing else, carries its own C++ runtime, and leaves no symbol open,
# so that it can live in a process next to other copies of the libraries that it is made of.

include_guard()

function(dbx_driver_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  set(exports "${CMAKE_SOURCE_DIR}/cmake/driver_exports.map")
  add_library(${name} SHARED ${arg_SOURCES})
  dbx_settings(${name})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} Threads::Threads)
  target_link_options(${name} PRIVATE "-Wl,--version-script=${exports}" -Wl,--exclude-libs,ALL
                      -Wl,--gc-sections -static-libstdc++ -static-libgcc)
  if(NOT DBX_SANITIZE)
    # A sanitizer's runtime stays outside, in the program that loads the library.
    target_link_options(${name} PRIVATE -Wl,-z,defs)
  endif()
  set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}"
                                           LINK_DEPENDS "${exports}")
endfunction()
