# Precompiled headers: what the headers of LLVM, the standard library and GoogleTest cost is paid once for each group of targets.
#
# CMake's own precompiled headers name files of the build tree, so that those of two trees differ and a cache of compilations cannot
# share what was compiled with them. Here the first header is the source that is compiled, and the others are included before it.

# quern_precompiled_headers(NAME [EXECUTABLES] FOLDERS folder... HEADERS header... DEPENDS...): precompiles headers of the system for
# libraries, or for executables, that are compiled with the flags of DEPENDS. The first header is looked for in FOLDERS.
function(quern_precompiled_headers name)
  cmake_parse_arguments(PCH "EXECUTABLES" "" "FOLDERS;HEADERS;DEPENDS" ${ARGN})
  list(POP_FRONT PCH_HEADERS first)
  find_file(${name}_source ${first} PATHS ${PCH_FOLDERS} REQUIRED)
  mark_as_advanced(${name}_source)
  set_source_files_properties(${${name}_source} PROPERTIES LANGUAGE CXX)
  add_library(${name} OBJECT ${${name}_source})
  target_link_libraries(${name} PRIVATE ${PCH_DEPENDS})
  list(TRANSFORM PCH_HEADERS PREPEND "SHELL:-include ")
  target_compile_options(${name} PRIVATE
    "SHELL:-x c++-header" "SHELL:-Xclang -fno-pch-timestamp" -fpch-instantiate-templates $<$<BOOL:${PCH_EXECUTABLES}>:-fPIE>
    ${PCH_HEADERS})
  # Steps that compile a target wait for files that the target's own commands make, not for objects of another target.
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

# quern_use_precompiled_headers(TARGET NAME): compiles a target's sources with precompiled headers.
function(quern_use_precompiled_headers target name)
  get_property(file TARGET ${name} PROPERTY QUERN_PRECOMPILED_FILE)
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include-pch ${file}>")
  add_dependencies(${target} ${name}_file)
endfunction()
