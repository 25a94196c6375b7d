# How tests are compiled, linked and registered. Every folder compiles its tests once, into an object library. A program links the
# object libraries of one kind of test; its sanitized twin links the same objects with the sanitized library (tests/sanitized).
include(GoogleTest)

# One precompiled header for all tests: pch.h and gtest.
add_library(asperity_test_pch STATIC ${PROJECT_SOURCE_DIR}/cmake/pch.cpp)
target_precompile_headers(asperity_test_pch PRIVATE ${PROJECT_SOURCE_DIR}/cmake/pch.h <gtest/gtest.h>)
target_link_libraries(asperity_test_pch PRIVATE asperity_flags asperity_build_flags fmt::fmt GTest::gtest)

# asperity_test_objects(unit_core SOURCES files_test.cpp ... LINKS asperity_core ...)
function(asperity_test_objects name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  add_library(${name} OBJECT ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE asperity_build_flags ${ARG_LINKS} fmt::fmt GTest::gtest)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${name} PRIVATE ASPERITY_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_precompile_headers(${name} REUSE_FROM asperity_test_pch)
  set_target_properties(${name} PROPERTIES ASPERITY_TEST_LINKS "${ARG_LINKS}")
endfunction()

# asperity_register_tests(program [PREFIX asan.] LABEL unit [TIMEOUT s] [LEAVE_OUT filter ...] [NIGHTLY filter ...])
# One ctest test per TEST. A filter is a gtest filter, such as "Law.*". NIGHTLY tests get the label nightly and two hours.
function(asperity_register_tests program)
  cmake_parse_arguments(ARG "" "PREFIX;LABEL;TIMEOUT" "LEAVE_OUT;NIGHTLY" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 600)
  endif()
  list(JOIN ARG_LEAVE_OUT ":" leave_out)
  list(JOIN ARG_NIGHTLY ":" nightly)
  gtest_discover_tests(${program} TEST_PREFIX "${ARG_PREFIX}" TEST_FILTER "-${leave_out}:${nightly}" DISCOVERY_TIMEOUT 60
                       PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABEL}")
  if(nightly)
    gtest_discover_tests(${program} TEST_PREFIX "${ARG_PREFIX}" TEST_FILTER "${nightly}:-${leave_out}" DISCOVERY_TIMEOUT 60
                         PROPERTIES TIMEOUT 7200 LABELS nightly)
  endif()
endfunction()

# asperity_test_program(unit OBJECTS unit_core ... [TIMEOUT s] [NIGHTLY filter ...]
#                       [SANITIZED [NOT_SANITIZED unit_gl ...] [SLOW_WHEN_SANITIZED filter ...]
#                        [OTHER_WHEN_SANITIZED filter ...]])
# Makes tests/unit_tests; its tests have the label unit. SANITIZED also makes tests/asan_unit_tests, whose tests are named
# asan.SUITE.TEST and have the label asan: without the NOT_SANITIZED objects and the OTHER_WHEN_SANITIZED tests, and with the
# SLOW_WHEN_SANITIZED tests only at night.
function(asperity_test_program kind)
  cmake_parse_arguments(ARG "SANITIZED" "TIMEOUT" "OBJECTS;NIGHTLY;NOT_SANITIZED;SLOW_WHEN_SANITIZED;OTHER_WHEN_SANITIZED" ${ARGN})
  set(links "")
  foreach(objects ${ARG_OBJECTS})
    get_target_property(more ${objects} ASPERITY_TEST_LINKS)
    list(APPEND links ${more})
  endforeach()
  list(REMOVE_DUPLICATES links)
  set(program ${kind}_tests)
  list(TRANSFORM ARG_OBJECTS REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE object_files)
  add_executable(${program} ${object_files})
  target_link_libraries(${program} PRIVATE asperity_build_flags ${links} fmt::fmt GTest::gtest GTest::gtest_main)
  set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  asperity_register_tests(${program} LABEL ${kind} TIMEOUT "${ARG_TIMEOUT}" NIGHTLY ${ARG_NIGHTLY})

  if(ARG_SANITIZED AND TARGET asperity_sanitized)
    # The sanitized objects come first: of an inline function that both sides have, the linker keeps the first copy.
    set(object_files $<TARGET_OBJECTS:asperity_sanitized>)
    foreach(objects ${ARG_OBJECTS})
      if(objects STREQUAL "support_allocations")
        set(objects support_no_allocations)   # the sanitizers have their own operator new
      endif()
      if(NOT objects IN_LIST ARG_NOT_SANITIZED)
        list(APPEND object_files $<TARGET_OBJECTS:${objects}>)
      endif()
    endforeach()
    add_executable(asan_${program} ${object_files})
    target_link_libraries(asan_${program} PRIVATE asperity_sanitized_links fmt::fmt GTest::gtest GTest::gtest_main)
    set_target_properties(asan_${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
    asperity_register_tests(asan_${program} PREFIX asan. LABEL asan TIMEOUT "${ARG_TIMEOUT}" LEAVE_OUT "*Allocat*" ${ARG_OTHER_WHEN_SANITIZED}
                            NIGHTLY ${ARG_NIGHTLY} ${ARG_SLOW_WHEN_SANITIZED})
  endif()
endfunction()
