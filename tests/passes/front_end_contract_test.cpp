// Modules that no front end may make. That Clang and the reader of SPIR-V keep what they promise is
// tested with every program that is compiled with QUERN_VERIFY.
#include "compiler/passes/front_end_contract.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/SourceMgr.h>

namespace quern::compiler {
namespace {

constexpr const char* head = R"(
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"
)";

constexpr const char* metadata = R"(
!1 = !{i32 1}
!2 = !{!"none"}
!3 = !{!"int*"}
!4 = !{!""}
!5 = !{i32 8, i32 1}
)";

constexpr const char* described =
    "!kernel_arg_addr_space !1 !kernel_arg_access_qual !2 !kernel_arg_type !3 "
    "!kernel_arg_base_type !3 !kernel_arg_type_qual !4";

/// A module with `text`, in which DESCRIBED stands for what describes a kernel of one argument.
std::string problemOf(std::string text, const char* begin = head) {
  if (const size_t place = text.find("DESCRIBED"); place != std::string::npos)
    text.replace(place, 9, described);
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  const std::unique_ptr<llvm::Module> module =
      llvm::parseAssemblyString(begin + text + metadata, problem, context);
  EXPECT_TRUE(module) << problem.getMessage().str() << "\n" << text;
  return module ? whyNotFromFrontEnd(*module) : "not read";
}

TEST(FrontEndContract, WhatFrontEndsMakeIsRight) {
  EXPECT_EQ("", problemOf(R"(
    @table = internal addrspace(2) constant i32 1
    @scratch = internal addrspace(3) global [4 x i32] undef
    @llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @constructor, ptr null }]
    define internal spir_func void @constructor() {
      ret void
    }
    declare spir_func i64 @_Z13get_global_idj(i32)
    declare spir_func i32 @_Z15get_image_width14ocl_image2d_ro(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0))
    define spir_kernel void @k(ptr addrspace(1) %p) DESCRIBED {
      %i = call spir_func i64 @_Z13get_global_idj(i32 0)
      ret void
    })"));
}

TEST(FrontEndContract, OtherTargets) {
  EXPECT_EQ("the module is for x86_64-unknown-linux-gnu",
            problemOf("", "target triple = \"x86_64-unknown-linux-gnu\"\n"));
}

TEST(FrontEndContract, Kernels) {
  EXPECT_EQ("the function 'k' is a kernel with a result",
            problemOf("define spir_kernel i32 @k(ptr addrspace(1) %p) DESCRIBED { ret i32 0 }"));
  EXPECT_EQ("the function 'k' is a kernel without a body or that nobody can call",
            problemOf("define internal spir_kernel void @k(i32 %p) DESCRIBED { ret void }"));
  EXPECT_EQ("the function 'k' is a kernel with a structure that is not 'byval'",
            problemOf("define spir_kernel void @k({ i32, i32 } %p) DESCRIBED { ret void }"));
  EXPECT_EQ("the function 'k' has not one kernel_arg_addr_space for each argument",
            problemOf("define spir_kernel void @k(i32 %a, i32 %b) DESCRIBED { ret void }"));
  EXPECT_EQ(
      "the function 'k' has a reqd_work_group_size without 3 sizes",
      problemOf(
          "define spir_kernel void @k(i32 %a) DESCRIBED !reqd_work_group_size !5 { ret void }"));
}

TEST(FrontEndContract, AddressSpaces) {
  EXPECT_EQ("the variable 'v' is in the address space 0", problemOf("@v = global i32 0"));
  EXPECT_EQ("the variable 'v' is in constant memory and may change",
            problemOf("@v = addrspace(2) global i32 0"));
  EXPECT_EQ("the variable 'v' is in local memory and begins with a value",
            problemOf("@v = addrspace(3) global i32 7"));
  EXPECT_EQ("the function 'f' has a pointer in an address space that is not known",
            problemOf("declare void @f(ptr addrspace(5))"));
}

TEST(FrontEndContract, OpaqueTypesAndNames) {
  EXPECT_EQ("the function 'f' has a value of an opaque type that is not known",
            problemOf("declare void @f(target(\"spirv.Nothing\"))"));
  EXPECT_EQ("the function 'quern.barrier' has a name that means something in later steps",
            problemOf("declare void @quern.barrier()"));
}

TEST(FrontEndContract, Calls) {
  EXPECT_EQ("the function 'f' calls 'g' by another convention than that has",
            problemOf("declare spir_func void @g()\n"
                      "define spir_func void @f() { call void @g() ret void }"));
}

} // namespace
} // namespace quern::compiler
