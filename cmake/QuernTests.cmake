# How tests are added: every test carries the label of its group, which is the name of its folder.

# Sanitizer reports fail the test. Of leaks those are suppressed that MPI has when a node dies, where a test kills one, and of races those
# in the code of LLVM, which is not instrumented.
# What a compiler that is not instrumented makes with its own operator new, the driver deletes with the sanitizer's.
# ThreadSanitizer would wait for a second at the end of each test for what threads still do.
set(QUERN_TEST_ENVIRONMENT
  "ASAN_OPTIONS=detect_leaks=1:detect_odr_violation=0:alloc_dealloc_mismatch=$<IF:$<BOOL:${QUERN_COMPILER_FROM}>,0,1>"
  "UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1"
  "TSAN_OPTIONS=halt_on_error=1:atexit_sleep_ms=50:suppressions=${PROJECT_SOURCE_DIR}/tests/sanitizers/tsan.supp")

# Beside it, of tests that kill a node.
set(QUERN_KILLED_NODE_ENVIRONMENT "LSAN_OPTIONS=print_suppressions=0:suppressions=${PROJECT_SOURCE_DIR}/tests/sanitizers/lsan.supp")

# Tests spend more time on being compiled than on running. Fuzzers are led by the driver's code alone.
set(QUERN_TEST_OPTIONS -O0)
if(QUERN_SANITIZER MATCHES "fuzzer")
  list(APPEND QUERN_TEST_OPTIONS -fno-sanitize=fuzzer-no-link)
endif()

# quern_precompiled_test_headers(NAME OPTIONS...): the precompiled headers of test programs that are compiled with OPTIONS.
find_path(GTEST_INCLUDE_FOLDER gtest/gtest.h REQUIRED)
function(quern_precompiled_test_headers name)
  quern_precompiled_headers(${name} EXECUTABLES
    SOURCE ${GTEST_INCLUDE_FOLDER}/gtest/gtest.h
    HEADERS
      CL/cl.h CL/cl_ext.h algorithm array atomic bit cmath cstdio cstring filesystem fstream functional limits memory mutex numeric
      random span string string_view thread vector
    DEPENDS quern_flags GTest::gtest
    OPTIONS ${ARGN})
endfunction()

# Behind the options of quern_flags, of which they take some back.
add_library(quern_test_flags INTERFACE)
target_compile_options(quern_test_flags INTERFACE ${QUERN_TEST_OPTIONS})
quern_precompiled_test_headers(quern_test_headers ${QUERN_TEST_OPTIONS})

# quern_test_program(NAME SOURCES... DEPENDS...): a GoogleTest program.
function(quern_test_program name)
  cmake_parse_arguments(TEST "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${TEST_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE quern_flags ${TEST_DEPENDS} GTest::gtest GTest::gtest_main quern_test_flags)
  quern_use_precompiled_headers(${name} quern_test_headers)
  quern_unity_build(${name})
endfunction()

# quern_gtest(NAME GROUP group SOURCES... DEPENDS... [ENVIRONMENT...]): a GoogleTest program, one CTest test for each case.
function(quern_gtest name)
  cmake_parse_arguments(TEST "" "GROUP" "SOURCES;DEPENDS;ENVIRONMENT" ${ARGN})
  quern_test_program(${name} SOURCES ${TEST_SOURCES} DEPENDS ${TEST_DEPENDS})
  # One value of several parts: CMake takes the list apart three times on its way to the test's properties.
  string(REPLACE ";" "\\\\\\\\\\\\\\;" environment "${QUERN_TEST_ENVIRONMENT};${TEST_ENVIRONMENT}")
  gtest_discover_tests(${name}
    TEST_PREFIX "${TEST_GROUP}."
    DISCOVERY_MODE PRE_TEST
    PROPERTIES LABELS ${TEST_GROUP} TIMEOUT 300 ENVIRONMENT "${environment}")
endfunction()

# quern_opencl_gtest(NAME GROUP group SOURCES... [DEPENDS...] [ENVIRONMENT...]): a GoogleTest program that uses Quern as any program
# does, through the system's loader.
function(quern_opencl_gtest name)
  cmake_parse_arguments(TEST "" "GROUP" "SOURCES;DEPENDS;ENVIRONMENT" ${ARGN})
  quern_gtest(${name}
    GROUP ${TEST_GROUP}
    SOURCES ${TEST_SOURCES}
    DEPENDS ${TEST_DEPENDS} ${OPENCL_LIBRARY}
    ENVIRONMENT "OCL_ICD_VENDORS=${CMAKE_BINARY_DIR}/icd" ${TEST_ENVIRONMENT})
  add_dependencies(${name} quern quern-compiler-process)
endfunction()
