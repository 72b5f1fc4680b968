# The compiler of another build, QUERN_COMPILER_FROM, in the place where the driver looks for its own.
set(foreign_compiler ${QUERN_COMPILER_FROM}/lib/libquern-compiler.so)
if(NOT EXISTS ${foreign_compiler})
  message(FATAL_ERROR "${QUERN_COMPILER_FROM}, which QUERN_COMPILER_FROM names, has no lib/libquern-compiler.so: build it first")
endif()
file(MAKE_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
file(CREATE_LINK ${foreign_compiler} ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/libquern-compiler.so SYMBOLIC)
add_library(quern-compiler SHARED IMPORTED GLOBAL)
set_target_properties(quern-compiler PROPERTIES IMPORTED_LOCATION ${foreign_compiler})

# ThreadSanitizer cannot call a handler for a signal that comes while a thread waits in a call of the system, which is how the compiler's
# process says why it ends. With a compiler that is not instrumented it has one thread of ours, so that a race would not be found there.
if(QUERN_SANITIZER STREQUAL "thread")
  set(foreign_process ${QUERN_COMPILER_FROM}/lib/quern-compiler-process)
  if(NOT EXISTS ${foreign_process})
    message(FATAL_ERROR "${QUERN_COMPILER_FROM}, which QUERN_COMPILER_FROM names, has no lib/quern-compiler-process: build it first")
  endif()
  file(CREATE_LINK ${foreign_process} ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/quern-compiler-process SYMBOLIC)
  add_executable(quern-compiler-process IMPORTED GLOBAL)
  set_target_properties(quern-compiler-process PROPERTIES IMPORTED_LOCATION ${foreign_process})
endif()
