# The compiler of another build, QUERN_COMPILER_FROM, in the place where the driver looks for its own.

# quern_foreign(NAME): links lib/NAME of that build, and sets `foreign` to its path.
function(quern_foreign name)
  set(foreign ${QUERN_COMPILER_FROM}/lib/${name})
  if(NOT EXISTS ${foreign})
    message(FATAL_ERROR "${QUERN_COMPILER_FROM}, which QUERN_COMPILER_FROM names, has no lib/${name}: build it first")
  endif()
  file(MAKE_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
  file(CREATE_LINK ${foreign} ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${name} SYMBOLIC)
  set(foreign ${foreign} PARENT_SCOPE)
endfunction()

quern_foreign(libquern-compiler.so)
add_library(quern-compiler SHARED IMPORTED GLOBAL)
set_target_properties(quern-compiler PROPERTIES IMPORTED_LOCATION ${foreign})

quern_foreign(quern-compiler-process)
add_executable(quern-compiler-process IMPORTED GLOBAL)
set_target_properties(quern-compiler-process PROPERTIES IMPORTED_LOCATION ${foreign})
