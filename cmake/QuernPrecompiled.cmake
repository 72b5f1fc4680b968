# Precompiled headers: what the headers of LLVM, the standard library and GoogleTest cost is paid once for many sources.
#
# CMake's own form of them names files of the build tree within the precompiled file, so that no two trees have the same one, and a cache
# of compilations finds nothing of another tree. Here a header of the system is the source that is compiled.

option(QUERN_PRECOMPILED_HEADERS "Precompile headers. Without, each source must include all that it needs" ON)

# quern_precompiled_headers(NAME [EXECUTABLES] SOURCE file HEADERS header... DEPENDS target... [OPTIONS option...]): the system's header
# SOURCE, a full path, with HEADERS included before it, for libraries or for executables, compiled with the flags that DEPENDS bring.
# OPTIONS come last.
function(quern_precompiled_headers name)
  cmake_parse_arguments(PCH "EXECUTABLES" "SOURCE" "HEADERS;DEPENDS;OPTIONS" ${ARGN})
  if(NOT QUERN_PRECOMPILED_HEADERS)
    return()
  endif()
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${PCH_SOURCE})
  set_source_files_properties(${PCH_SOURCE} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "${PCH_OPTIONS}")
  target_link_libraries(${name} PRIVATE ${PCH_DEPENDS})
  list(TRANSFORM PCH_HEADERS PREPEND "SHELL:-include ")
  target_compile_options(${name} PRIVATE
    "SHELL:-x c++-header" -w "SHELL:-Xclang -fno-pch-timestamp" -fpch-instantiate-templates ${PCH_HEADERS})
  if(PCH_EXECUTABLES)
    target_compile_options(${name} PRIVATE -fPIE)
  endif()
  # A target's steps wait for a target of commands, but not for the objects of a library.
  set(file ${CMAKE_CURRENT_BINARY_DIR}/${name}.pch)
  add_custom_command(
    OUTPUT ${file}
    COMMAND ${CMAKE_COMMAND} -E create_hardlink $<TARGET_OBJECTS:${name}> ${file}
    DEPENDS $<TARGET_OBJECTS:${name}>
    COMMENT "Precompiled headers ${name}"
    VERBATIM)
  add_custom_target(${name}_file DEPENDS ${file})
  set_property(TARGET ${name} PROPERTY QUERN_PRECOMPILED_FILE ${file})
endfunction()

# quern_use_precompiled_headers(TARGET NAME): what TARGET compiles, it compiles with the precompiled headers NAME.
function(quern_use_precompiled_headers target name)
  if(NOT QUERN_PRECOMPILED_HEADERS)
    return()
  endif()
  get_property(file TARGET ${name} PROPERTY QUERN_PRECOMPILED_FILE)
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include-pch ${file}>")
  add_dependencies(${target} ${name}_file)
endfunction()
