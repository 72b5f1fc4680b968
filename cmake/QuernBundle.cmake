# The target "bundle": one archive with the driver, the compiler, the gallery, tests and the benchmark, for machines without LLVM
# or packages (docs/bundle.md).

find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_program(QUERN_STRIP NAMES llvm-strip-22 llvm-strip strip REQUIRED)
add_custom_target(bundle
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/bundle/make_bundle.py --build ${CMAKE_BINARY_DIR} --source ${PROJECT_SOURCE_DIR}
          --strip ${QUERN_STRIP} --output ${CMAKE_BINARY_DIR}/quern-bundle.tar.xz
  COMMENT "Making the bundle"
  VERBATIM)
if(QUERN_BUILD_TESTS AND QUERN_BUILD_EXAMPLES)
  add_dependencies(bundle quern quern-compiler-process quern-bench quern-bench-cuda quern-tool quern-tour backend_tests kernels_test random_kernels_test)
endif()
