# SPDX-License-Identifier: Apache-2.0
# Everything that we did not write, as imported targets with system includes. Headers and archives come
# from Debian's packages and from .deps/install; tools/setup puts both in place.
#
#   dbx::openssl dbx::zlib dbx::curl      static; curl brings the other two
#   dbx::lz4 dbx::thrift                  static
#   dbx::nanoarrow                        static, with IPC (LZ4 bodies) and the C++ headers
#   dbx::adbc_headers dbx::driver_manager "arrow-adbc/adbc.h"; static
#   dbx::duckdb                           static, with its extensions
#   dbx::json dbx::fmt dbx::spdlog dbx::cli11 dbx::tomlplusplus dbx::asio    headers only
#   dbx::gtest dbx::gtest_main dbx::gmock dbx::benchmark                     for tests

include_guard()

set(DBX_DEPS "${CMAKE_SOURCE_DIR}/.deps" CACHE PATH "Where tools/setup built the third-party libraries")
set(DBX_DEPS_INCLUDE "${DBX_DEPS}/install/include")
set(DBX_DEPS_LIB "${DBX_DEPS}/install/lib")
if(NOT EXISTS "${DBX_DEPS}/stamps/ready")
  message(FATAL_ERROR "${DBX_DEPS} is not ready: run tools/setup first (or make setup)")
endif()

# Stops at configure time with the file's name, rather than with a linker's message later.
function(dbx_find_archive result name)
  find_library(DBX_ARCHIVE_${name} NAMES lib${name}.a PATHS "${DBX_DEPS_LIB}")
  if(NOT DBX_ARCHIVE_${name})
    message(FATAL_ERROR "lib${name}.a is missing: run tools/setup")
  endif()
  mark_as_advanced(DBX_ARCHIVE_${name})
  set(${result} "${DBX_ARCHIVE_${name}}" PARENT_SCOPE)
endfunction()

# dbx_import(<name> [ARCHIVES <archive>...] [INCLUDES <folder>...] [DEFINES <macro>...] [NEEDS <target>...])
function(dbx_import name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "ARCHIVES;INCLUDES;DEFINES;NEEDS")
  add_library(dbx_third_party_${name} INTERFACE)
  add_library(dbx::${name} ALIAS dbx_third_party_${name})
  target_include_directories(dbx_third_party_${name} SYSTEM INTERFACE ${arg_INCLUDES})
  target_compile_definitions(dbx_third_party_${name} INTERFACE ${arg_DEFINES})
  set(archives "")
  foreach(archive IN LISTS arg_ARCHIVES)
    dbx_find_archive(path ${archive})
    list(APPEND archives "${path}")
  endforeach()
  target_link_libraries(dbx_third_party_${name} INTERFACE ${archives} ${arg_NEEDS})
endfunction()

dbx_import(zlib ARCHIVES z)
dbx_import(openssl ARCHIVES ssl crypto NEEDS Threads::Threads ${CMAKE_DL_LIBS})
dbx_import(curl ARCHIVES curl INCLUDES "${DBX_DEPS_INCLUDE}" DEFINES CURL_STATICLIB
           NEEDS dbx::openssl dbx::zlib)
dbx_import(lz4 ARCHIVES lz4)
dbx_import(thrift ARCHIVES thrift_pic thrift_libc_variables)
dbx_import(nanoarrow ARCHIVES nanoarrow_ipc nanoarrow flatccrt INCLUDES "${DBX_DEPS_INCLUDE}"
           NEEDS dbx::lz4)
dbx_import(adbc_headers INCLUDES "${DBX_DEPS_INCLUDE}")
dbx_import(driver_manager ARCHIVES adbc_driver_manager INCLUDES "${DBX_DEPS_INCLUDE}"
           NEEDS ${CMAKE_DL_LIBS})

dbx_import(json)
# Debian has these two as shared libraries only, and our programs should run without them.
dbx_import(fmt DEFINES FMT_HEADER_ONLY=1)
dbx_import(spdlog DEFINES SPDLOG_FMT_EXTERNAL=1 NEEDS dbx::fmt)
dbx_import(cli11)
dbx_import(tomlplusplus)
dbx_import(asio DEFINES BOOST_ASIO_NO_DEPRECATED=1 BOOST_ERROR_CODE_HEADER_ONLY=1
           NEEDS Threads::Threads)

# The archives of DuckDB need one another in a circle.
set(duckdb_folder "${DBX_DEPS}/install/duckdb")
set(duckdb_archives "")
foreach(part IN ITEMS
        duckdb_static duckdb_generated_extension_loader autocomplete_extension core_functions_extension
        icu_extension json_extension parquet_extension tpcds_extension tpch_extension duckdb_fastpforlib
        duckdb_fmt duckdb_fsst duckdb_hyperloglog duckdb_jemalloc duckdb_mbedtls duckdb_miniz
        duckdb_pg_query duckdb_re2 duckdb_skiplistlib duckdb_utf8proc duckdb_yyjson duckdb_zstd)
  list(APPEND duckdb_archives "${duckdb_folder}/lib${part}.a")
endforeach()
dbx_import(duckdb INCLUDES "${duckdb_folder}" DEFINES DUCKDB_STATIC_BUILD
           NEEDS -Wl,--start-group ${duckdb_archives} -Wl,--end-group Threads::Threads
                 ${CMAKE_DL_LIBS})

if(BUILD_TESTING)
  dbx_import(gtest ARCHIVES gtest NEEDS Threads::Threads)
  dbx_import(gmock ARCHIVES gmock NEEDS dbx::gtest)
  dbx_import(gtest_main ARCHIVES gtest_main NEEDS dbx::gtest)
  # Debian has this one as a shared library only; nothing that we ship links it.
  find_library(DBX_BENCHMARK NAMES benchmark REQUIRED)
  mark_as_advanced(DBX_BENCHMARK)
  dbx_import(benchmark NEEDS "${DBX_BENCHMARK}" Threads::Threads)
endif()
