# Compiler settings of all targets of the project.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2")   # without -DNDEBUG: only ASPERITY_ASSERTS controls our asserts

find_program(ASPERITY_CCACHE ccache)
if(ASPERITY_CCACHE AND PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without these two sloppiness settings, precompiled headers never hit the cache.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${ASPERITY_CCACHE})
endif()

if(ASPERITY_MARCH STREQUAL "detect")
  # Affects only the speed: contraction is off, so AVX2 code rounds like SSE2 code and gives the same bits.
  include(CheckCXXSourceRuns)
  check_cxx_source_runs("int main() { return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") ? 0 : 1; }"
                        ASPERITY_HAS_AVX2)
  set(asperity_march "")
  if(ASPERITY_HAS_AVX2)
    set(asperity_march -march=x86-64-v3)
  endif()
elseif(ASPERITY_MARCH)
  set(asperity_march -march=${ASPERITY_MARCH})
endif()

# Flags shared by all targets; the precompiled header requires equal flags everywhere. -fPIC is set here for that reason:
# CMake would give libraries -fPIC and programs -fPIE.
add_library(asperity_flags INTERFACE)
target_compile_features(asperity_flags INTERFACE cxx_std_20)
# Flags that decide what the code does; the sanitized library (tests/sanitized) takes these and not the warnings.
add_library(asperity_code_flags INTERFACE)
target_compile_options(asperity_code_flags INTERFACE -fPIC -ffp-contract=off -fno-math-errno ${asperity_march})
if(ASPERITY_ASSERTS)
  target_compile_definitions(asperity_code_flags INTERFACE ASPERITY_ENABLE_ASSERTS=1)
endif()
add_library(asperity_build_flags INTERFACE)
target_link_libraries(asperity_build_flags INTERFACE asperity_code_flags)
target_compile_options(asperity_build_flags INTERFACE
  -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wno-missing-field-initializers
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>   # libstdc++ 12 calls its own deprecated std::get_temporary_buffer
  $<$<BOOL:${ASPERITY_WARNINGS_AS_ERRORS}>:-Werror>)
if(ASPERITY_SANITIZE)
  target_compile_options(asperity_build_flags INTERFACE -fsanitize=${ASPERITY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all
    -Wno-maybe-uninitialized)   # GCC 12 reports false positives in code inserted by the sanitizers
  if(ASPERITY_SANITIZE STREQUAL "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The thread sanitizer ignores the two fences of core/parallel.cpp. They order flags; tickets hand over the data.
    target_compile_options(asperity_build_flags INTERFACE -Wno-tsan)
  endif()
  target_link_options(asperity_build_flags INTERFACE -fsanitize=${ASPERITY_SANITIZE})
endif()

# One precompiled header (standard library and fmt), built once and reused by every target.
function(asperity_reuse_pch target)
  if(TARGET asperity_pch)
    target_precompile_headers(${target} REUSE_FROM asperity_pch)
  endif()
endfunction()
if(PROJECT_IS_TOP_LEVEL)
  find_package(fmt REQUIRED)
  add_library(asperity_pch STATIC ${PROJECT_SOURCE_DIR}/cmake/pch.cpp)
  target_precompile_headers(asperity_pch PRIVATE ${PROJECT_SOURCE_DIR}/cmake/pch.h)
  target_link_libraries(asperity_pch PRIVATE asperity_flags asperity_build_flags fmt::fmt)
endif()

# asperity_library(friction SOURCES a.cpp b.cpp DEPENDS math PRIVATE_LINKS fmt::fmt PUBLIC_LINKS ...)
# Makes asperity_friction, also known as asperity::friction. DEPENDS are folders of ours, named without the prefix.
function(asperity_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;PUBLIC_LINKS;PRIVATE_LINKS" ${ARGN})
  add_library(asperity_${name} STATIC ${ARG_SOURCES})
  add_library(asperity::${name} ALIAS asperity_${name})
  target_include_directories(asperity_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:include>)
  list(TRANSFORM ARG_DEPENDS PREPEND asperity_)
  target_link_libraries(asperity_${name} PUBLIC asperity_flags ${ARG_DEPENDS} ${ARG_PUBLIC_LINKS}
                                         PRIVATE $<BUILD_INTERFACE:asperity_build_flags> fmt::fmt ${ARG_PRIVATE_LINKS})
  set_target_properties(asperity_${name} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY ASPERITY_LIBRARIES asperity_${name})
  asperity_reuse_pch(asperity_${name})
endfunction()
