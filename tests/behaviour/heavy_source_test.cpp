// Sources that make a compiler slow, huge or deeply recursive: they build, or fail with a log; the
// process lives on.
#include <cstdio>
#include <sys/resource.h>

#include "kernels/child_process.h"
#include "kernels/kernel_fixture.h"
#include "temporary_folder.h"

namespace quern::tests {
namespace {

std::string repeated(const std::string& text, size_t count) {
  std::string result;
  for (size_t i = 0; i < count; ++i)
    result += text;
  return result;
}

/// Builds the source in the file arguments[0] under a limit of memory. Prints "built", or "failed"
/// when the log says why.
QUERN_CHILD(buildHeavySource) {
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) // which reserve more
  const rlimit limits = {rlim_t{6} << 30, rlim_t{6} << 30};
  setrlimit(RLIMIT_DATA, &limits);
#endif
  BuildOutcome outcome = tryBuild(readFile(arguments[0]), arguments.size() > 1 ? arguments[1] : "");
  if (outcome.code != CL_SUCCESS &&
      (outcome.code != CL_BUILD_PROGRAM_FAILURE || outcome.log.empty()))
    return 1;
  Buffer<cl_int> out(4);
  run(build("kernel void k(global int* out) { out[get_global_id(0)] = 3; }"), "k", {{4}}, out);
  if (out.read() != std::vector<cl_int>(4, 3))
    return 2;
  std::printf("%s", outcome.code == CL_SUCCESS ? "built" : "failed");
  return 0;
}

std::string outcome(const std::string& source, const std::string& options = "") {
  TemporaryFolder folder;
  writeFile(folder / "source.cl", source);
  ChildResult result = runChild({"buildHeavySource",
                                 {folder / "source.cl", options},
                                 {{"QUERN_CACHE", "off"}},
                                 std::chrono::seconds(60)});
  EXPECT_EQ(result.exitCode, 0) << result;
  return result.output;
}

/// A kernel that runs `statements` on `int x`.
std::string kernelOf(const std::string& statements) {
  return "kernel void k(global int* out) { int x = out[get_global_id(0)];\n" + statements +
         "\nout[get_global_id(0)] = x; }\n";
}

TEST(HeavySource, longKernels) {
  EXPECT_EQ(outcome(kernelOf(repeated("x = x * 3 + 1; x ^= out[x & 7];\n", 4000))), "built");
}

TEST(HeavySource, manyBarriers) {
  EXPECT_EQ(outcome("kernel void k(global int* out, local int* l) { int x = 0;\n" +
                    repeated("l[get_local_id(0)] = x; barrier(CLK_LOCAL_MEM_FENCE); x += l[3]; "
                             "barrier(CLK_LOCAL_MEM_FENCE);\n",
                             150) +
                    "out[get_global_id(0)] = x; }"),
            "built");
}

TEST(HeavySource, manyFunctionsAndKernels) {
  std::string source;
  for (int i = 0; i < 300; ++i) {
    std::string n = std::to_string(i);
    source += "int f" + n + "(int x) { return x * " + n + "; }\nkernel void k" + n +
              "(global int* out) { out[get_global_id(0)] = f" + n + "(out[0]); }\n";
  }
  EXPECT_EQ(outcome(source), "built");
}

TEST(HeavySource, largeSwitch) {
  std::string cases;
  for (int i = 0; i < 3000; ++i)
    cases += "case " + std::to_string(i * 7) + ": x += " + std::to_string(i) + "; break;\n";
  EXPECT_EQ(outcome(kernelOf("switch (x) {\n" + cases + "}")), "built");
}

TEST(HeavySource, largeTable) {
  std::string numbers;
  for (int i = 0; i < 200000; ++i)
    numbers += std::to_string(i * 7919) + (i % 20 ? "," : ",\n");
  EXPECT_EQ(
      outcome("constant uint table[] = {" + numbers + "};\n" + kernelOf("x = table[x & 0xffff];")),
      "built");
}

TEST(HeavySource, callsThatDoubleAtEachLevel) {
  for (const char* leaf : {"return x * 3;", "return x * 3 + (int)get_local_id(0);"}) {
    std::string source = std::string("int f0(int x) { ") + leaf + " }\n";
    for (int level = 1; level <= 24; ++level) {
      std::string callee = "f" + std::to_string(level - 1);
      source += "int f" + std::to_string(level) + "(int x) { return " + callee + "(x) ^ " + callee +
                "(x + " + std::to_string(level) + "); }\n";
    }
    std::string result = outcome(source + kernelOf("x = f24(x);"));
    EXPECT_TRUE(result == "built" || result == "failed");
  }
}

TEST(HeavySource, deepExpressions) {
  std::string result =
      outcome(kernelOf("x = " + std::string(20000, '(') + "x" + std::string(20000, ')') + ";"));
  EXPECT_TRUE(result == "built" || result == "failed");
  result = outcome(kernelOf("x = " + repeated("x + ", 20000) + "1;"));
  EXPECT_TRUE(result == "built" || result == "failed");
  result = outcome(kernelOf("x = " + std::string(30000, '-') + "x;"));
  EXPECT_TRUE(result == "built" || result == "failed");
  result = outcome(kernelOf("x = " + repeated("x ? 1 : ", 10000) + "2;"));
  EXPECT_TRUE(result == "built" || result == "failed");
}

TEST(HeavySource, deepBlocks) {
  for (size_t depth : {100, 5000}) {
    std::string result =
        outcome(kernelOf(repeated("if (x & 1) { x += 3;\n", depth) + std::string(depth, '}')));
    EXPECT_TRUE(depth == 100 ? result == "built" : result == "built" || result == "failed");
    result = outcome(kernelOf(std::string(depth, '{') + "x = 1;" + std::string(depth, '}')));
    EXPECT_TRUE(depth == 100 ? result == "built" : result == "built" || result == "failed");
  }
}

TEST(HeavySource, macrosThatDoubleAtEachLevel) {
  std::string macros = "#define M0 x += 1;\n";
  for (int level = 1; level <= 30; ++level)
    macros += "#define M" + std::to_string(level) + " M" + std::to_string(level - 1) + " M" +
              std::to_string(level - 1) + "\n";
  EXPECT_EQ(outcome(macros + kernelOf("M10")), "built");
  std::string result = outcome(macros + kernelOf("M30"));
  EXPECT_TRUE(result == "built" || result == "failed");
}

TEST(HeavySource, endlessInclusion) {
  TemporaryFolder folder;
  writeFile(folder / "self.h", "#include \"self.h\"\n");
  EXPECT_EQ(outcome("#include \"self.h\"\n" + kernelOf(""), "-I" + folder.path()), "failed");
  writeFile(folder / "twice.h",
            "#if __COUNTER__ < 100000000\n#include \"twice.h\"\n#include \"twice.h\"\n#endif\n");
  EXPECT_EQ(outcome("#include \"twice.h\"\n" + kernelOf(""), "-I" + folder.path()), "failed");
}

TEST(HeavySource, recursionIsRefusedWhereWorkItemsMeet) {
  EXPECT_EQ(outcome("void f(local int* l, int x) { l[x] = 1; barrier(CLK_LOCAL_MEM_FENCE); if (x) "
                    "f(l, x - 1); }\n"
                    "kernel void k(global int* out, local int* l) { f(l, out[0]); }"),
            "failed");
  EXPECT_EQ(outcome("int f(int x) { return x < 2 ? 1 : x * f(x - 1); }\n" + kernelOf("x = f(x);")),
            "built");
  EXPECT_EQ(outcome("int g(int x);\nint f(int x) { return g(x) + 1; }\nint g(int x) { return x ? "
                    "f(x - 1) : 0; }\n" +
                    kernelOf("x = f(x);")),
            "built");
}

TEST(HeavySource, unrollingWithoutMeasure) {
  for (const char* hint : {"__attribute__((opencl_unroll_hint(1000000)))",
                           "#pragma unroll 1000000\n", "#pragma unroll\n"}) {
    std::string result = outcome(kernelOf(
        std::string(hint) + "for (int i = 0; i < 1000000; ++i) { x = x * 3 + out[i & 63]; }"));
    EXPECT_TRUE(result == "built" || result == "failed");
  }
}

TEST(HeavySource, enormousPrivateArrays) {
  for (const char* size : {"1 << 28", "1L << 34", "1L << 60"}) {
    std::string result = outcome(kernelOf(std::string("char data[") + size +
                                          "]; data[x] = 1; barrier(0); x = data[x + 1];"));
    EXPECT_TRUE(result == "built" || result == "failed");
  }
}

TEST(HeavySource, enormousLocalArrays) {
  std::string result = outcome("kernel void k(global int* out) { local int l[1 << 28]; l[out[0]] = "
                               "1; barrier(CLK_LOCAL_MEM_FENCE); out[1] = l[out[2]]; }");
  EXPECT_TRUE(result == "built" || result == "failed");
}

TEST(HeavySource, longNamesAndLines) {
  std::string name(100000, 'n');
  EXPECT_EQ(outcome("int " + name + "(int x) { return x; }\n" + kernelOf("x = " + name + "(x);")),
            "built");
  EXPECT_EQ(outcome("kernel void " + name + "(global int* out) { out[0] = 1; }"), "built");
  EXPECT_EQ(outcome(kernelOf(repeated("x += 1; ", 3000))), "built");
}

TEST(HeavySource, brokenText) {
  for (const std::string& text :
       {std::string(1 << 20, '\xff'), std::string("/*"), std::string("\"unfinished"),
        std::string("#if 1\n"), repeated("#if 0\n", 100000), repeated("struct S { ", 3000),
        repeated("template<", 3000),
        std::string("kernel void k(") + repeated("int a, ", 30000) + "int b) {}",
        std::string(1 << 20, '#')})
    EXPECT_EQ(outcome(text), "failed");
  EXPECT_EQ(outcome(std::string(1 << 20, '\0')), "built"); // ignored, with warnings
}

} // namespace
} // namespace quern::tests
