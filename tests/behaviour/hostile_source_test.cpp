// Sources and options that reach for what is not theirs.
#include <cstdio>
#include <filesystem>

#include "kernels/child_process.h"
#include "kernels/kernel_fixture.h"
#include "temporary_folder.h"

namespace quern::tests {
namespace {

TEST(HostileSource, logShowsNothingOfIncludedFiles) {
  TemporaryFolder folder;
  writeFile(folder / "secret", "the-password is 12345\nsecond-secret-line ???\n");
  writeFile(folder / "dump.h", "#define CONTENTS the-password\n");
  for (const std::string& source :
       {"#include \"" + folder / "secret" + "\"\nkernel void k() {}",
        "#include <" + folder / "secret" + ">\nkernel void k() {}",
        "#define FILE_NAME \"" + folder / "secret" + "\"\n#include FILE_NAME\nkernel void k() {}",
        "kernel void k() { int x =\n#include \"" + folder / "secret" + "\"\n; }"}) {
    BuildOutcome outcome = tryBuild(source);
    EXPECT_EQ(outcome.code, CL_BUILD_PROGRAM_FAILURE);
    EXPECT_EQ(outcome.log.find("the-password is 12345"), std::string::npos) << outcome.log;
    EXPECT_EQ(outcome.log.find("second-secret-line ???"), std::string::npos) << outcome.log;
  }
}

TEST(HostileSource, filesOfTheSystemAreNotEmbedded) {
  for (const char* source :
       {"constant char text[] = {\n#embed \"/etc/passwd\"\n}; kernel void k(global char* out) { "
        "out[0] = text[0]; }",
        "__asm__(\".incbin \\\"/etc/passwd\\\"\"); kernel void k() {}",
        "kernel void k() { __asm__ volatile(\".incbin \\\"/etc/passwd\\\"\"); }"}) {
    BuildOutcome outcome = tryBuild(source);
    EXPECT_EQ(outcome.code, CL_BUILD_PROGRAM_FAILURE) << source;
    EXPECT_EQ(outcome.log.find("root:"), std::string::npos) << outcome.log;
  }
}

TEST(HostileSource, inlineAssemblyIsRefused) {
  for (const char* source :
       {"kernel void k(global int* out) { __asm__ volatile(\"nop\"); out[0] = 1; }",
        "kernel void k(global int* out) { asm(\"syscall\" : : \"a\"(60)); }",
        "__asm__(\".globl evil\\nevil: ret\"); kernel void k(global int* out) { out[0] = 1; }",
        "int f(int x) { int y; __asm__(\"mov %1, %0\" : \"=r\"(y) : \"r\"(x)); return y; } kernel "
        "void k(global int* out) { out[0] = f(1); }",
        "kernel void k(global int* out) { register int x __asm__(\"rsp\"); out[0] = x; }"}) {
    BuildOutcome outcome = tryBuild(source);
    EXPECT_EQ(outcome.code, CL_BUILD_PROGRAM_FAILURE) << source;
    EXPECT_FALSE(outcome.log.empty());
  }
}

TEST(HostileSource, hostSymbolsAreOutOfReach) {
  for (const char* source :
       {"int system(constant char* command); kernel void k(global int* out) { out[0] = "
        "system(\"true\"); }",
        "int getpid(void); kernel void k(global int* out) { out[0] = getpid(); }",
        "void abort(void); kernel void k(global int* out) { abort(); }",
        "void* malloc(size_t n); kernel void k(global int* out) { out[0] = malloc(10) != 0; }",
        "extern global int environ; kernel void k(global int* out) { out[0] = environ; }",
        "extern constant int stdout; kernel void k(global int* out) { out[0] = stdout; }",
        "int f(void) __asm__(\"getpid\"); kernel void k(global int* out) { out[0] = f(); }",
        "int quernCompiler(uint v); kernel void k(global int* out) { out[0] = quernCompiler(1); }",
        "int undefined_function(int x); kernel void k(global int* out) { out[0] = "
        "undefined_function(1); }"}) {
    BuildOutcome outcome = tryBuild(source);
    EXPECT_EQ(outcome.code, CL_BUILD_PROGRAM_FAILURE) << source;
    EXPECT_FALSE(outcome.log.empty()) << source;
  }
}

TEST(HostileSource, logNamesTheMissingFunction) {
  BuildOutcome outcome = tryBuild("int undefined_function(int x); kernel void k(global int* out) { "
                                  "out[0] = undefined_function(1); }");
  EXPECT_NE(outcome.log.find("undefined_function"), std::string::npos) << outcome.log;
}

TEST(HostileSource, functionPointersAreRefused) {
  for (const char* source : {"int f(int x) { return x; } kernel void k(global int* out) { int "
                             "(*p)(int) = f; out[0] = p(1); }",
                             "kernel void k(global ulong* out) { ((void (*)(void))out[0])(); }"})
    EXPECT_EQ(tryBuild(source).code, CL_BUILD_PROGRAM_FAILURE) << source;
}

/// Builds arguments[0] and, where that works, runs its kernel `k`. Whether it builds is open; that
/// nothing of it runs in the host before the launch is not.
QUERN_CHILD(buildOnly) {
  BuildOutcome outcome = tryBuild(arguments[0]);
  std::printf("%d", outcome.code);
  return outcome.code == CL_SUCCESS || outcome.code == CL_BUILD_PROGRAM_FAILURE ? 0 : 1;
}

TEST(HostileSource, attributesGainNothing) {
  for (const char* source :
       {"__attribute__((constructor)) void f(void) { *(global int*)8 = 1; } kernel void k(global "
        "int* out) { out[0] = 1; }",
        "__attribute__((destructor)) void f(void) { *(global int*)8 = 1; } kernel void k(global "
        "int* out) { out[0] = 1; }",
        "__attribute__((section(\".init_array\"))) constant ulong f = 8; kernel void k(global "
        "ulong* out) { out[0] = f; }",
        "__attribute__((alias(\"getpid\"))) int f(void); kernel void k(global int* out) { out[0] = "
        "f(); }",
        "__attribute__((ifunc(\"g\"))) int f(void); void* g(void) { return 0; } kernel void "
        "k(global int* out) { out[0] = f(); }",
        "__attribute__((weakref(\"getpid\"))) static int f(void); kernel void k(global int* out) { "
        "out[0] = f(); }",
        "__attribute__((naked)) void f(void) {} kernel void k(global int* out) { f(); }",
        "__attribute__((used, visibility(\"default\"))) int malloc(int x) { return x; } kernel "
        "void k(global int* out) { out[0] = malloc(1); }",
        "__attribute__((weak)) int getpid(void); kernel void k(global int* out) { out[0] = getpid "
        "? getpid() : 0; }",
        "__attribute__((tls_model(\"initial-exec\"))) __thread int x; kernel void k(global int* "
        "out) { out[0] = x; }"}) {
    ChildResult result = runChild({"buildOnly", {source}, {{"QUERN_CACHE", "off"}}});
    EXPECT_EQ(result.exitCode, 0) << source << ": " << result;
  }
}

TEST(HostileSource, compilerBuiltinsDoNotHarmTheBuild) {
  for (const char* statement :
       {"__builtin_trap();", "out[0] = (int)(ulong)__builtin_return_address(0);",
        "__builtin_longjmp((void*)0, 1);", "__builtin_unreachable();",
        "out[0] = *(char*)__builtin_alloca(1 << 30);", "__builtin_debugtrap();",
        "out[0] = (int)__builtin_readcyclecounter();",
        "__builtin_memcpy((void*)0, (void*)8, 1 << 20);", "out[0] = __builtin_ia32_rdtsc();",
        "__builtin_eh_return(0, 0);", "out[0] = __builtin_printf(\"x\");", "__builtin_abort();",
        "out[0] = __builtin_amdgcn_workitem_id_x();",
        "__builtin_init_dwarf_reg_size_table((void*)0);"}) {
    ChildResult result =
        runChild({"buildOnly",
                  {std::string("kernel void k(global int* out) { ") + statement + " }"},
                  {{"QUERN_CACHE", "off"}}});
    EXPECT_EQ(result.exitCode, 0) << statement << ": " << result;
  }
}

TEST(HostileOptions, unknownOptionsAreRefused) {
  TemporaryFolder folder;
  const std::string file = folder / "made";
  for (const std::string& options : {std::string("-Xclang -load -Xclang evil.so"),
                                     std::string("-fplugin=evil.so"),
                                     "-o " + file,
                                     "-MF " + file + " -MD",
                                     std::string("-include /etc/passwd"),
                                     std::string("-imacros /etc/passwd"),
                                     std::string("@/etc/passwd"),
                                     std::string("-mllvm -print-after-all"),
                                     std::string("-emit-llvm"),
                                     std::string("-S"),
                                     std::string("-E"),
                                     std::string("-target x86_64"),
                                     std::string("--help"),
                                     std::string("-cc1"),
                                     std::string("-isystem /"),
                                     "-fdebug-compilation-dir=" + file,
                                     "-ftime-trace=" + file,
                                     "-save-temps=" + folder.path(),
                                     "-serialize-diagnostics " + file,
                                     std::string("kernel.cl"),
                                     std::string("; touch pwned"),
                                     std::string("$(touch pwned)"),
                                     std::string("-D"),
                                     std::string("-I"),
                                     std::string("-cl-std=CL9.9"),
                                     std::string("-cl-no-such-option"),
                                     std::string("\"unfinished")}) {
    BuildOutcome outcome = tryBuild("kernel void k() {}", options);
    EXPECT_TRUE(outcome.code == CL_INVALID_BUILD_OPTIONS ||
                outcome.code == CL_INVALID_COMPILER_OPTIONS)
        << options << " gives " << outcome.code;
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  EXPECT_FALSE(std::filesystem::exists("pwned"));
}

TEST(HostileOptions, definesCannotLeaveTheirLine) {
  BuildOutcome outcome =
      tryBuild("kernel void k(global int* out) { out[0] = A; }", "-D \"A=1\n#error reached\"");
  EXPECT_EQ(outcome.log.find("reached"), std::string::npos) << outcome.log;
  outcome =
      tryBuild("#ifdef B\n#error reached\n#endif\nkernel void k(global int* out) { out[0] = A; }",
               "-D \"A=1 -DB\"");
  EXPECT_EQ(outcome.log.find("reached"), std::string::npos) << outcome.log;
}

} // namespace
} // namespace quern::tests
