// What OpenCL C takes from C99, its own keywords and attributes, and what the device says it
// supports.
#include "kernels/kernel_fixture.h"

#include <algorithm>
#include <sstream>

namespace quern::tests {
namespace {

/// The values that `kernel void k(global int* out)` writes.
std::vector<cl_int> resultsOf(const std::string& source, size_t count,
                              const std::string& options = "") {
  Buffer<cl_int> out(count, -1);
  run(build(source, options), "k", {{1}}, out);
  return out.read();
}

TEST(Language, declarationsOfC99) {
  EXPECT_EQ(
      resultsOf(R"(
    enum Colour { red, green = 5, blue };
    typedef struct Point { int x, y; } Point;
    typedef struct { Point corner[2]; union { int i; float f; }; } Box;
    static int counterOf(const Point* p) { return p->x * 10 + p->y; }
    constant Point origin = {.y = 2, .x = 1};
    kernel void k(global int* out) {
      Box box = {.corner[1] = {.x = 7}, .i = 9};
      Point three = (Point){3, 4}, five = {5, 6};
      const Point* p = &three;
      int list[] = {[3] = 30, 40, [1] = 10};
      enum Colour c = blue;
      out[0] = counterOf(p) + counterOf(&five);
      out[1] = origin.x * 10 + origin.y;
      out[2] = box.corner[1].x * 10 + box.i;
      out[3] = list[0] + list[1] + list[2] + list[3] + list[4] + (int)(sizeof(list) / sizeof(list[0]));
      out[4] = c * 10 + green;
      for (int i = 0, j = 10; i < j; ++i, --j)
        out[5] = i * 10 + j;
      int a = 1, b = (a = 2, a + 1), *q = &a;
      (*q)++;
      out[6] = a * 10 + b;
      out[7] = __func__[0] * 1000 + L'a' + '\x41' + "abc"[1];
      unsigned u = 3; signed char s = -1; long unsigned int w = 5;
      out[8] = (int)(u + s + w);
    })",
                9),
      (std::vector<cl_int>{34 + 56, 12, 79, 80 + 5, 65, 46, 33, 'k' * 1000 + 'a' + 'A' + 'b', 7}));
}

TEST(Language, ownKeywordsInBothSpellings) {
  EXPECT_EQ(resultsOf(R"(
    __constant int table[2] = {1, 2};
    int f(__private int* p, __local int* l, __global int* g, __constant int* c) { return *p + *l + *g + *c; }
    __kernel __attribute__((work_group_size_hint(1, 1, 1))) __attribute__((vec_type_hint(float4)))
    void k(__global int* restrict out) {
      __local int l;
      __private int p = 30;
      l = 400;
      out[1] = 5000;
      out[0] = f(&p, &l, out + 1, table + 1);
      volatile int v = 6;
      v += v;
      out[1] = v;
      uchar a = 255; ushort b = 65535; uint c = 4294967295u; ulong d = 18446744073709551615ul;
      unsigned char e = a; unsigned short f = b; unsigned int g = c; unsigned long h = d;
      out[2] = (a == e) + (b == f) + (c == g) + (d == h) + (sizeof(ptrdiff_t) == 8) + (sizeof(uintptr_t) == 8) + (sizeof(intptr_t) == 8);
      bool t = 5;
      out[3] = t + true + !false;
    })",
                      4),
            (std::vector<cl_int>{5432, 12, 7, 3}));
}

TEST(Language, pointerArithmetic) {
  EXPECT_EQ(resultsOf(R"(
    kernel void k(global int* out) {
      int a[4][5];
      for (int i = 0; i < 20; ++i)
        (&a[0][0])[i] = i;
      int (*row)[5] = a + 1;
      int* p = &a[3][4];
      const int* end = &a[0][0] + 20;
      out[0] = row[1][2];
      out[1] = (int)(p - &a[0][0]);
      out[2] = p < end;
      out[3] = *(p - 6) + p[-1];
      global char* bytes = (global char*)(out + 4);
      bytes[0] = 1; bytes[1] = 2; bytes[2] = 3; bytes[3] = 0;
      global int* same = (global int*)bytes;
      out[5] = *same;
      int* null = 0;
      out[6] = null == 0 && !null && p;
      int** pp = &p;
      **pp = 77;
      out[7] = a[3][4];
    })",
                      8),
            (std::vector<cl_int>{12, 19, 1, 13 + 18, 0x030201, 0x030201, 1, 77}));
}

// A kernel may be declared without the qualifier before it is defined, and called by others.
TEST(Language, kernelsDeclaredAsFunctions) {
  for (const bool isCalled : {false, true}) {
    SCOPED_TRACE(isCalled);
    Program program =
        build(std::string("void triple(const uint a, global uint* out);\n"
                          "kernel void first(global uint* out) {\n") +
              (isCalled ? "  triple(get_global_id(0) + 1, out);\n"
                        : "  out[get_global_id(0) + 1] = 3 * get_global_id(0) + 3;\n") +
              "}\n"
              "__attribute__((reqd_work_group_size(4, 1, 1)))\n"
              "kernel void triple(const uint a, global uint* out) {\n"
              "  out[a + get_global_id(0) % 4] = a * 3 + get_global_id(0) % 4;\n"
              "}\n");
    Buffer<cl_uint> out(12);
    run(program, "triple", {{4}, {4}}, cl_uint{2}, out);
    EXPECT_EQ(out.read(), (std::vector<cl_uint>{0, 0, 6, 7, 8, 9, 0, 0, 0, 0, 0, 0}));
    run(program, "first", {{1}, {1}}, out);
    EXPECT_EQ(out.read()[1], 3u);
  }
}

TEST(Language, preprocessor) {
  EXPECT_EQ(resultsOf(R"(
    #define JOIN(a, b) a##b
    #define TEXT(x) #x
    #define LIST(...) {__VA_ARGS__}
    #define PICK(a, b, c, ...) c
    #if defined(JOIN) && !defined(MISSING) && (3 > 2 ? 1 : 0)
    constant int values[] = LIST(1, 2, 3);
    #else
    #error not reached
    #endif
    #undef TEXT
    #define TEXT(x) #x "!"
    #pragma OPENCL EXTENSION all : disable
    #line 500 "renamed.cl"
    constant int line = __LINE__;
    kernel void k(global int* out) {
      int JOIN(na, me) = 8;
      out[0] = name + values[2];
      out[1] = sizeof(TEXT(ab));
      out[2] = line;
      out[3] = PICK(1, 2, 3, 4);
      _Pragma("unroll") for (int i = 0; i < 3; ++i) out[4] = i;
    })",
                      5),
            (std::vector<cl_int>{11, 4, 500, 3, 2}));
}

TEST(Language, whatIsNotInTheLanguageIsRefused) {
  for (const char* source :
       {"kernel int k() { return 1; }", "kernel void k(int* p) {}",
        "kernel void k(global int** p) {}", "kernel void k(bool b) {}",
        "kernel void k(size_t n) {}", "kernel void k(event_t e) {}",
        "int x = 3; kernel void k() {}", "kernel void k() { local int x = 3; }",
        "kernel void k(constant int* c) { c[0] = 1; }",
        "kernel void k() { if (1) { local int x; x = 1; } int y; { constant int z = y; } }",
        "#include <stdio.h>\nkernel void k() {}",
        "int f(int n, ...) { return n; } kernel void k() { f(1, 2); }",
        "kernel void k(int n) { int a[n]; a[0] = 1; }",
        "struct S { int a : 3; }; kernel void k() {}",
        "kernel void k(global int* g) { local int* l = g; }", "kernel void k() { undeclared(1); }",
        "kernel void k(global int* out) { out[0] = 1 }", "kernel void k() {} kernel void k() {}",
        "kernel __attribute__((reqd_work_group_size(0, 1, 1))) void k() {}"}) {
    BuildOutcome outcome = tryBuild(source);
    EXPECT_EQ(outcome.code, CL_BUILD_PROGRAM_FAILURE) << source;
    EXPECT_FALSE(outcome.log.empty()) << source;
  }
}

TEST(Language, logNamesLineAndColumn) {
  BuildOutcome outcome = tryBuild("kernel void k(global int* out) {\n  out[0] = missing;\n}\n");
  EXPECT_EQ(outcome.code, CL_BUILD_PROGRAM_FAILURE);
  EXPECT_NE(outcome.log.find(":2:12: error:"), std::string::npos) << outcome.log;
  EXPECT_NE(outcome.log.find("missing"), std::string::npos) << outcome.log;
}

TEST(Language, warningsAreInTheLogOfAGoodBuild) {
  const char* source = "kernel void k(global int* out) { int unused; int x = 5 / 0; out[0] = x; }";
  BuildOutcome outcome = tryBuild(source);
  EXPECT_EQ(outcome.code, CL_SUCCESS);
  EXPECT_NE(outcome.log.find("warning"), std::string::npos) << outcome.log;
  EXPECT_EQ(tryBuild(source, "-Werror").code, CL_BUILD_PROGRAM_FAILURE);
  outcome = tryBuild(source, "-w");
  EXPECT_EQ(outcome.code, CL_SUCCESS);
  EXPECT_EQ(outcome.log.find("warning"), std::string::npos) << outcome.log;
}

// What newer compilers refuse unless told otherwise, and programs such as clFFT contain.
TEST(Language, oldProgramsConvertFreely) {
  const char* source = R"(
    static twice(int x) { return 2 * x; }
    kernel void k(global float2* out, long address) {
      global float4* wide = out;
      wide[get_global_id(0)] = (float4)(1, 2, 3, 4) * twice(1);
      global int* other = address;
      if (address > 0 > 0)
        other[0] = 1;
    })";
  EXPECT_EQ(tryBuild(source, "-Werror").code, CL_BUILD_PROGRAM_FAILURE);
  const Program program = build(source);
  for (const char* warning : {"incompatible pointer types", "incompatible integer to pointer",
                              "type specifier missing", "chained comparison"})
    EXPECT_NE(program.log().find(warning), std::string::npos) << program.log();
  Buffer<cl_float> out(8, 0);
  run(program, "k", {{2}, {1}}, out, cl_long{0});
  EXPECT_EQ(out.read(), (std::vector<cl_float>{2, 4, 6, 8, 2, 4, 6, 8}));
}

/// Compilers of other vendors do not ask for the extension's pragma.
TEST(Language, halfNeedsNoPragma) {
  QUERN_NEEDS("cl_khr_fp16");
  const Program program = build(R"(
    kernel void k(global half* out, float x) { out[get_global_id(0)] = (half)x * (half)2; })");
  Buffer<cl_half> out(4, 0);
  run(program, "k", {{4}}, out, 1.5f);
  EXPECT_EQ(out.read(), (std::vector<cl_half>(4, 0x4200)));
}

/// A program that fails to build unless each of `macros` is defined.
std::string requiring(const std::vector<std::string>& macros) {
  std::string source;
  for (const std::string& macro : macros)
    source += "#ifndef " + macro + "\n#error " + macro + " is not defined\n#endif\n";
  return source + "kernel void k() {}\n";
}

TEST(Language, everyExtensionOfTheDeviceIsAMacro) {
  std::istringstream words(Device::get().text(CL_DEVICE_EXTENSIONS));
  std::vector<std::string> macros;
  // Extensions of the host's interface are none of the language's business.
  for (std::string word; words >> word;)
    if (word.find("int64") != std::string::npos || word.find("int32") != std::string::npos ||
        word.find("fp64") != std::string::npos ||
        word.find("byte_addressable") != std::string::npos)
      macros.push_back(word);
  ASSERT_GE(macros.size(), 6u);
  for (const char* standard : {"-cl-std=CL1.1", "-cl-std=CL1.2", "-cl-std=CL3.0"}) {
    BuildOutcome outcome = tryBuild(requiring(macros), standard);
    EXPECT_EQ(outcome.code, CL_SUCCESS) << outcome.log;
  }
}

TEST(Language, featuresOfTheDeviceAreMacrosAndNoOthersAre) {
  size_t bytes = 0;
  check(clGetDeviceInfo(Device::get().id, CL_DEVICE_OPENCL_C_FEATURES, 0, nullptr, &bytes),
        "clGetDeviceInfo");
  std::vector<cl_name_version> features(bytes / sizeof(cl_name_version));
  check(clGetDeviceInfo(Device::get().id, CL_DEVICE_OPENCL_C_FEATURES, bytes, features.data(),
                        nullptr),
        "clGetDeviceInfo");
  std::vector<std::string> claimed;
  for (const cl_name_version& feature : features)
    claimed.push_back(feature.name);
  BuildOutcome outcome = tryBuild(requiring(claimed), openClC3);
  EXPECT_EQ(outcome.code, CL_SUCCESS) << outcome.log;
  std::string source;
  for (const char* name :
       {"3d_image_writes", "atomic_order_acq_rel", "atomic_order_seq_cst", "atomic_scope_device",
        "atomic_scope_all_devices", "device_enqueue", "fp64", "generic_address_space", "images",
        "int64", "integer_dot_product_input_4x8bit", "pipes", "program_scope_global_variables",
        "read_write_images", "subgroups", "work_group_collective_functions"}) {
    std::string macro = std::string("__opencl_c_") + name;
    if (std::find(claimed.begin(), claimed.end(), macro) == claimed.end())
      source += "#ifdef " + macro + "\n#error " + macro + " is not claimed\n#endif\n";
  }
  outcome = tryBuild(source + "kernel void k() {}", openClC3);
  EXPECT_EQ(outcome.code, CL_SUCCESS) << outcome.log;
}

} // namespace
} // namespace quern::tests
