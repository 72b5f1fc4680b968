# Flags that every target of the project is built with, and the one way to add a library of a layer.

add_library(quern_flags INTERFACE)
target_compile_features(quern_flags INTERFACE cxx_std_20)
target_compile_options(quern_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wno-unused-parameter -Wno-missing-field-initializers
  $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wthread-safety>)
# OpenCL entry points of every version are defined here, deprecated ones included.
target_compile_definitions(quern_flags INTERFACE
  CL_TARGET_OPENCL_VERSION=300 CL_USE_DEPRECATED_OPENCL_1_0_APIS CL_USE_DEPRECATED_OPENCL_1_1_APIS
  CL_USE_DEPRECATED_OPENCL_1_2_APIS CL_USE_DEPRECATED_OPENCL_2_0_APIS CL_USE_DEPRECATED_OPENCL_2_1_APIS
  CL_USE_DEPRECATED_OPENCL_2_2_APIS)
target_include_directories(quern_flags INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_link_options(quern_flags INTERFACE -fuse-ld=lld -Wl,--as-needed)

# The sanitizer of the whole build, if any.
add_library(quern_sanitizer INTERFACE)
target_link_libraries(quern_flags INTERFACE quern_sanitizer)
if(QUERN_SANITIZER)
  target_compile_options(quern_sanitizer INTERFACE
    -fsanitize=${QUERN_SANITIZER} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  # The sanitizer's runtime is a shared library, so that the driver and the program that loads it have one.
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libclang_rt.asan-x86_64.so
    OUTPUT_VARIABLE sanitizer_runtime OUTPUT_STRIP_TRAILING_WHITESPACE)
  cmake_path(GET sanitizer_runtime PARENT_PATH sanitizer_folder)
  target_link_options(quern_sanitizer INTERFACE
    -fsanitize=${QUERN_SANITIZER} -shared-libsan -Wl,-rpath,${sanitizer_folder})
endif()

option(QUERN_UNITY_BUILD "Compile up to 16 sources of a target as one" ON)

# quern_unity_build(TARGET): most of what a small source costs is its headers and what it makes of their templates, which many now share.
function(quern_unity_build target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${QUERN_UNITY_BUILD} UNITY_BUILD_BATCH_SIZE 16)
endfunction()

# quern_layer(NAME SOURCES... DEPENDS...): the static library of one layer. Link lines are the dependency rules of
# ARCHITECTURE.md: a layer sees only what it names under DEPENDS.
function(quern_layer name)
  cmake_parse_arguments(LAYER "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${LAYER_SOURCES})
  target_link_libraries(${name} PUBLIC quern_flags ${LAYER_DEPENDS})
  # Variables of threads lie at a fixed place of each thread: no call is needed to find them, and signal handlers may. They are few
  # enough for what the loader has there for libraries that come late.
  target_compile_options(${name} PRIVATE -ftls-model=initial-exec)
  quern_use_precompiled_headers(${name} quern_driver_headers)
  quern_unity_build(${name})
endfunction()

# quern_self_contained(TARGET): a program or shared library that is given to users, who may have an older distribution and, in the
# same process, another C++ library: it brings its own, and GCC's functions for types that the processor lacks. Only the process's
# one unwinder is the system's.
function(quern_self_contained target)
  if(NOT QUERN_SANITIZER)
    target_link_options(${target} PRIVATE -static-libstdc++ -Wl,--gc-sections)
    target_link_libraries(${target} PRIVATE gcc)
  endif()
endfunction()

# quern_texts(VARIABLE FILES...): rows {"file name", "its text"} of a C++ table, whose texts begin with a #line directive that tells
# which file they are.
function(quern_texts variable)
  set(rows "")
  foreach(path IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH path)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    file(READ ${path} text)
    cmake_path(GET path FILENAME file_name)
    string(APPEND rows "      {\"${file_name}\", R\"kernel(#line 1 \"${file_name}\"\n${text})kernel\"},\n")
  endforeach()
  set(${variable} "${rows}" PARENT_SCOPE)
endfunction()
