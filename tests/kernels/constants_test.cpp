// Program-scope constants and variables, constant arguments.
#include "kernels/kernel_fixture.h"

namespace quern::tests {
namespace {

TEST(Constants, tablesOfEveryShape) {
  Program program = build(R"(
    typedef struct { char tag; int value; float2 point; } Entry;
    constant int primes[] = {2, 3, 5, 7, 11};
    constant float4 colours[2] = {(float4)(1, 2, 3, 4), (float4)(5, 6, 7, 8)};
    constant short grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
    constant Entry entries[2] = {{'a', 10, (float2)(0.5f, 1.5f)}, {'b', 20, (float2)(2.5f, 3.5f)}};
    constant char text[] = "hello";
    constant ulong big = 0x123456789abcdefUL;
    constant double third = 1.0 / 3.0;
    constant int* constant pointers[2] = {&primes[1], primes + 4};
    kernel void k(global int* out) {
      int g = get_global_id(0);
      out[g] = primes[g % 5] + (int)colours[g & 1].w + grid[g & 1][g % 3] + entries[g & 1].value +
               (int)(entries[g & 1].point.y * 2) + entries[g & 1].tag + text[g % 6] + (int)(big >> 52) +
               (int)(third * 300) + *pointers[g & 1];
    })");
  Buffer<cl_int> out(60);
  run(program, "k", {{60}, {10}}, out);
  EXPECT_EQ(out.read(), tabulate<cl_int>(60, [](size_t g) {
              const int primes[] = {2, 3, 5, 7, 11};
              bool odd = g & 1;
              return primes[g % 5] + (odd ? 8 : 4) + (odd ? 4 : 1) + int(g % 3) + (odd ? 20 : 10) +
                     (odd ? 7 : 3) + (odd ? 'b' : 'a') + "hello"[g % 6] + 0x12 + 100 +
                     (odd ? 11 : 3);
            }));
}

TEST(Constants, insideKernelsAndFunctions) {
  Program program = build(R"(
    int lookUp(constant int* table, int i) { return table[i % 4]; }
    kernel void k(global int* out, constant int* argument) {
      constant int own[4] = {10, 20, 30, 40};
      int g = get_global_id(0);
      out[g] = lookUp(own, g) + lookUp(argument, g + 1);
    })");
  Buffer<cl_int> out(16), argument(std::vector<cl_int>{1, 2, 3, 4});
  run(program, "k", {{16}, {4}}, out, argument);
  EXPECT_EQ(out.read(),
            tabulate<cl_int>(16, [](size_t g) { return g % 4 * 10 + 10 + (g + 1) % 4 + 1; }));
}

TEST(Constants, largeArguments) {
  Program program = build(
      R"(kernel void k(constant float* a, constant uchar* b, constant int4* c, global float* out) {
    int g = get_global_id(0);
    out[g] = a[g * 16] + b[g] + c[g & 1].z;
  })");
  Buffer<cl_float> a(tabulate<cl_float>(16384, [](size_t i) { return i; })), out(1024);
  Buffer<cl_uchar> b(tabulate<cl_uchar>(1024, [](size_t i) { return i; }));
  Buffer<cl_int> c(std::vector<cl_int>{1, 2, 3, 4, 5, 6, 7, 8});
  run(program, "k", {{1024}, {32}}, a, b, c, out);
  EXPECT_EQ(out.read(),
            tabulate<cl_float>(1024, [](size_t g) { return g * 16 + g % 256 + (g & 1 ? 7 : 3); }));
}

TEST(Constants, sameNameInTwoProgramsIsTwoObjects) {
  Program a = build("constant int value = 1; kernel void k(global int* out) { out[0] += value; }");
  Program b = build("constant int value = 20; kernel void k(global int* out) { out[0] += value; }");
  Buffer<cl_int> out(1);
  run(a, "k", {{1}}, out);
  run(b, "k", {{1}}, out);
  EXPECT_EQ(out.read()[0], 21);
}

TEST(ProgramScopeVariables, keepTheirValuesBetweenLaunches) {
  QUERN_NEEDS("__opencl_c_program_scope_global_variables");
  Program program = build(R"(
    global int counter = 5;
    static global int zeroed[100];
    global int4 vector = (int4)(1, 2, 3, 4);
    int global* global pointer = &zeroed[7];
    kernel void step(global int* out) {
      static global int own = 1000;
      int g = get_global_id(0);
      if (g == 0) {
        counter += 1;
        own += 10;
        vector.y *= 2;
        *pointer += 3;
        pointer = &zeroed[8];
      }
      zeroed[g + 10] += g;
    }
    kernel void show(global int* out) {
      int g = get_global_id(0);
      out[g] = g == 0 ? counter : g == 1 ? vector.y : g < 4 ? zeroed[g + 5] : zeroed[g + 10];
    })",
                          openClC3);
  Buffer<cl_int> out(20);
  for (int launch = 0; launch < 3; ++launch)
    run(program, "step", {{20}, {5}}, out);
  run(program, "show", {{20}, {5}}, out);
  EXPECT_EQ(out.read(), tabulate<cl_int>(20, [](size_t g) -> cl_int {
              return g == 0 ? 8 : g == 1 ? 16 : g == 2 ? 3 : g == 3 ? 6 : cl_int(3 * g);
            }));
}

TEST(ProgramScopeVariables, areSeparateInEachProgram) {
  QUERN_NEEDS("__opencl_c_program_scope_global_variables");
  const char* source = R"(
    global int counter = 1;
    kernel void k(global int* out) { counter *= 3; out[0] = counter; })";
  Program a = build(source, openClC3), b = build(source, openClC3);
  Buffer<cl_int> out(1);
  run(a, "k", {{1}}, out);
  run(a, "k", {{1}}, out);
  EXPECT_EQ(out.read()[0], 9);
  run(b, "k", {{1}}, out);
  EXPECT_EQ(out.read()[0], 3);
}

TEST(ProgramScopeVariables, totalSizeIsReported) {
  QUERN_NEEDS("__opencl_c_program_scope_global_variables");
  Program program =
      build("global int a[100]; kernel void k(global int* out) { out[0] = a[3]; }", openClC3);
  size_t bytes = 0;
  check(clGetProgramBuildInfo(program.handle(), Device::get().id,
                              CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, sizeof(bytes), &bytes,
                              nullptr),
        "clGetProgramBuildInfo");
  EXPECT_GE(bytes, 400u);
}

} // namespace
} // namespace quern::tests
