# The compiler of another build, QUERN_COMPILER_FROM, in the place where the driver looks for its own.
set(foreign_compiler ${QUERN_COMPILER_FROM}/lib/libquern-compiler.so)
if(NOT EXISTS ${foreign_compiler})
  message(FATAL_ERROR "${QUERN_COMPILER_FROM}, which QUERN_COMPILER_FROM names, has no lib/libquern-compiler.so: build it first")
endif()
file(MAKE_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
file(CREATE_LINK ${foreign_compiler} ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/libquern-compiler.so SYMBOLIC)
add_library(quern-compiler SHARED IMPORTED GLOBAL)
set_target_properties(quern-compiler PROPERTIES IMPORTED_LOCATION ${foreign_compiler})
