# The target "bundle": one archive with the driver, the compiler, the gallery, tests and the benchmark, for machines without LLVM
# or packages (docs/bundle.md).

find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_custom_target(bundle
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/package/make_bundle.py --build ${CMAKE_BINARY_DIR} --output ${CMAKE_BINARY_DIR}
  COMMENT "Making the bundle"
  VERBATIM)
if(QUERN_BUILD_TESTS AND QUERN_BUILD_EXAMPLES)
  add_dependencies(bundle distribution gallery quern-bench quern-bench-cuda backend_tests kernels_test random_kernels_test)
endif()
