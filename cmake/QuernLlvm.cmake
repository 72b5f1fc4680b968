# LLVM and Clang 22 as the compiler links them, and the way to add a library of the compiler's.
include_guard(GLOBAL)

set(QUERN_LLVM_CONFIG llvm-config-22 CACHE STRING "llvm-config of LLVM 22")
function(quern_llvm_config variable)
  execute_process(COMMAND ${QUERN_LLVM_CONFIG} ${ARGN}
    OUTPUT_VARIABLE output OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(${variable} "${output}" PARENT_SCOPE)
endfunction()

quern_llvm_config(QUERN_LLVM_VERSION --version)
if(NOT QUERN_LLVM_VERSION MATCHES "^22\\.")
  message(FATAL_ERROR "LLVM 22 is needed, ${QUERN_LLVM_CONFIG} is of version ${QUERN_LLVM_VERSION}")
endif()
quern_llvm_config(llvm_include_dir --includedir)
quern_llvm_config(llvm_library_dir --libdir)
quern_llvm_config(llvm_bin_dir --bindir)
quern_llvm_config(llvm_libraries --link-static --libs
  passes linker bitreader bitwriter irreader ipo coverage lto option frontenddriver frontendhlsl
  frontendoffloading frontendopenmp windowsdriver profiledata
  x86codegen x86asmparser x86desc x86info nvptxcodegen nvptxdesc nvptxinfo
  spirvcodegen spirvdesc spirvinfo)
separate_arguments(llvm_libraries)
# What LLVM's parts that are used here need of the system, as archives.
find_library(QUERN_ZLIB libz.a REQUIRED)
find_library(QUERN_ZSTD libzstd.a REQUIRED)

add_library(quern_llvm INTERFACE)
target_include_directories(quern_llvm SYSTEM INTERFACE ${llvm_include_dir})
target_compile_definitions(quern_llvm INTERFACE
  __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS __STDC_LIMIT_MACROS)
target_link_directories(quern_llvm INTERFACE ${llvm_library_dir})
target_link_libraries(quern_llvm INTERFACE
  clangCodeGen clangExtractAPI clangFrontend clangDriver clangOptions clangSerialization clangParse clangSema
  clangAnalysis clangAnalysisLifetimeSafety clangEdit clangAPINotes clangASTMatchers clangAST clangLex clangSupport
  clangBasic Polly PollyISL ${llvm_libraries} ${QUERN_ZLIB} ${QUERN_ZSTD} ${CMAKE_DL_LIBS} m)

# LLVM's headers poison the memory that its allocators hand out when they are built with AddressSanitizer; its libraries, which are
# not, would then be reported. Only the fuzzer of the SPIR-V reader, which takes no notice of such marks, has it instrumented.
set(QUERN_LLVM_OPTIONS "")
if(QUERN_SANITIZER MATCHES "address" AND NOT QUERN_SANITIZER MATCHES "fuzzer")
  set(QUERN_LLVM_OPTIONS -fno-sanitize=address)
endif()

quern_precompiled_headers(quern_llvm_headers
  SOURCE ${llvm_include_dir}/llvm/IR/IRBuilder.h
  HEADERS
    llvm/ADT/DenseMap.h llvm/ADT/PostOrderIterator.h llvm/ADT/SetVector.h llvm/ADT/SmallPtrSet.h
    llvm/Analysis/AssumptionCache.h llvm/Analysis/LoopInfo.h llvm/Analysis/ScalarEvolution.h
    llvm/Analysis/ScalarEvolutionExpressions.h llvm/Analysis/TargetTransformInfo.h llvm/Analysis/ValueTracking.h
    llvm/IR/CFG.h llvm/IR/Dominators.h llvm/IR/InstIterator.h llvm/IR/Instructions.h llvm/IR/IntrinsicInst.h
    llvm/IR/IntrinsicsNVPTX.h llvm/IR/IntrinsicsX86.h llvm/IR/Module.h llvm/IR/PassManager.h llvm/IR/PatternMatch.h
    llvm/Target/TargetMachine.h llvm/Transforms/Utils/BasicBlockUtils.h llvm/Transforms/Utils/Cloning.h
    llvm/Transforms/Utils/Local.h llvm/Transforms/Utils/LoopUtils.h
    algorithm array cstdint optional span string string_view vector
  DEPENDS quern_flags quern_llvm
  OPTIONS ${QUERN_LLVM_OPTIONS})

# quern_llvm_options(SOURCES...): has them compiled with QUERN_LLVM_OPTIONS. A source's own options come last; those with some are left out
# of unity builds.
function(quern_llvm_options)
  if(QUERN_LLVM_OPTIONS)
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "${QUERN_LLVM_OPTIONS}")
  endif()
endfunction()

# quern_compiler_layer(NAME SOURCES... DEPENDS...): a static library of the compiler's, which sees only what it names under DEPENDS.
function(quern_compiler_layer name)
  cmake_parse_arguments(LAYER "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${LAYER_SOURCES})
  quern_llvm_options(${LAYER_SOURCES})
  target_link_libraries(${name} PUBLIC quern_flags quern_llvm ${LAYER_DEPENDS})
  quern_use_precompiled_headers(${name} quern_llvm_headers)
  quern_unity_build(${name})
endfunction()
