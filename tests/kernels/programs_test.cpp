// From source to kernels that run: preprocessor, headers, several programs linked, many kernels,
// options.
#include "kernels/kernel_fixture.h"
#include "temporary_folder.h"

namespace quern::tests {
namespace {

/// The value that the kernel `k(global int* out)` of `program` writes.
cl_int resultOf(const Program& program) {
  Buffer<cl_int> out(1, -1);
  run(program, "k", {{1}}, out);
  return out.read()[0];
}

TEST(Programs, definesReachTheSource) {
  const char* source = R"(
    #ifdef FLAG
    #define F FLAG
    #else
    #define F 0
    #endif
    kernel void k(global int* out) { out[0] = VALUE * 10 + F; })";
  EXPECT_EQ(resultOf(build(source, "-DVALUE=7")), 70);
  EXPECT_EQ(resultOf(build(source, "-D VALUE=7 -D FLAG")), 71);
  EXPECT_EQ(resultOf(build(source, "-DVALUE=(3+4) -DFLAG=5")), 75);
  EXPECT_EQ(resultOf(build(source, "-D VALUE=sizeof(long)")), 80);
}

TEST(Programs, definesMayHoldTextInQuotes) {
  Program program = build(R"(
    constant char text[] = TEXT;
    kernel void k(global int* out) { out[0] = sizeof(text) * 1000 + text[2]; })",
                          "-DTEXT=\\\"ab\\\"");
  EXPECT_EQ(resultOf(program), 3000);
}

TEST(Programs, predefinedMacros) {
  Program program = build(R"(kernel void k(global int* out) {
    int ok = 0;
    #if __OPENCL_VERSION__ >= 120 && __OPENCL_C_VERSION__ == 120 && CL_VERSION_1_2 == 120
    ok |= 1;
    #endif
    #if __ENDIAN_LITTLE__ && __kernel_exec
    #endif
    #ifdef __ENDIAN_LITTLE__
    ok |= 2;
    #endif
    #ifndef __FAST_RELAXED_MATH__
    ok |= 4;
    #endif
    #if defined(cl_khr_fp64) && defined(cl_khr_byte_addressable_store) && defined(cl_khr_global_int32_base_atomics)
    ok |= 8;
    #endif
    ok |= __LINE__ > 10 ? 16 : 0;
    ok |= INT_MAX == 2147483647 && CHAR_BIT == 8 && FLT_DIG == 6 && M_PI_F > 3 ? 32 : 0;
    out[0] = ok;
  })",
                          "-cl-std=CL1.2");
  EXPECT_EQ(resultOf(program), 63);
}

TEST(Programs, languageVersions) {
  const char* source = "kernel void k(global int* out) { out[0] = __OPENCL_C_VERSION__; }";
  EXPECT_EQ(resultOf(build(source)), 120);
  EXPECT_EQ(resultOf(build(source, "-cl-std=CL1.1")), 110);
  EXPECT_EQ(resultOf(build(source, "-cl-std=CL1.2")), 120);
  QUERN_NEEDS("OpenCL C 3.0.0");
  EXPECT_EQ(resultOf(build(source, openClC3)), 300);
}

TEST(Programs, fastRelaxedMathIsAnnounced) {
  const char* source = R"(
    #ifdef __FAST_RELAXED_MATH__
    #define FAST 1
    #else
    #define FAST 0
    #endif
    kernel void k(global int* out) { out[0] = FAST; })";
  EXPECT_EQ(resultOf(build(source)), 0);
  EXPECT_EQ(resultOf(build(source, "-cl-fast-relaxed-math")), 1);
}

TEST(Programs, headersFromFolders) {
  TemporaryFolder first, parent;
  writeFile(first / "value.h", "#define VALUE 1\n#include \"deep/more.h\"\n");
  writeFile(first / "deep/more.h", "#define MORE 20\n");
  writeFile(parent / "second folder/value.h", "#define VALUE 2\n#define MORE 30\n");
  const std::string second = parent / "second folder";
  const char* source =
      "#include \"value.h\"\nkernel void k(global int* out) { out[0] = VALUE + MORE; }";
  const char* angled =
      "#include <value.h>\nkernel void k(global int* out) { out[0] = VALUE + MORE; }";
  EXPECT_EQ(resultOf(build(source, "-I" + first.path())), 21);
  EXPECT_EQ(resultOf(build(angled, "-I " + first.path() + " -I \"" + second + "\"")), 21);
  EXPECT_EQ(resultOf(build(source, "-I \"" + second + "\" -I " + first.path())), 32);
}

// The cache must not answer with the program that an older header made.
TEST(Programs, changedHeaderIsSeen) {
  TemporaryFolder folder;
  const char* source = "#include \"value.h\"\nkernel void k(global int* out) { out[0] = VALUE; }";
  for (int value : {5, 6, 5}) {
    writeFile(folder / "value.h", "#define VALUE " + std::to_string(value) + "\n");
    EXPECT_EQ(resultOf(build(source, "-I" + folder.path())), value);
  }
}

TEST(Programs, sourceInSeveralStrings) {
  const char* parts[] = {"kernel void k(glo", "bal int* out) {GARBAGE", " out[0] = 4", "2; }\n"};
  size_t lengths[] = {0, 15, 11, 0};
  cl_int code = CL_SUCCESS;
  Program program(clCreateProgramWithSource(Device::get().context, 4, parts, lengths, &code));
  check(code, "clCreateProgramWithSource");
  check(clBuildProgram(program.handle(), 0, nullptr, nullptr, nullptr, nullptr), "clBuildProgram");
  EXPECT_EQ(resultOf(program), 42);
}

TEST(Programs, manyKernels) {
  std::string source;
  for (int i = 0; i < 100; ++i) {
    std::string n = std::to_string(i);
    source += "kernel void k" + n + "(global int* out" + (i % 2 ? ", int x" : "") +
              ") { out[get_global_id(0)] += " + n + (i % 2 ? " * x" : "") + "; }\n";
  }
  Program program = build(source);
  cl_uint count = 0;
  check(clCreateKernelsInProgram(program.handle(), 0, nullptr, &count), "clCreateKernelsInProgram");
  EXPECT_EQ(count, 100u);
  Buffer<cl_int> out(4);
  cl_int expected = 0;
  for (int i = 0; i < 100; ++i) {
    std::string name = "k" + std::to_string(i);
    if (i % 2)
      run(program, name.c_str(), {{4}}, out, cl_int{3});
    else
      run(program, name.c_str(), {{4}}, out);
    expected += i % 2 ? 3 * i : i;
  }
  EXPECT_EQ(out.read(), std::vector<cl_int>(4, expected));
}

/// Compiles `source` without linking. `headers` are pairs of name and text.
Program compile(const char* source, std::vector<std::pair<const char*, const char*>> headers = {},
                const char* options = "") {
  Program program = createProgram(source);
  std::vector<Program> owners;
  std::vector<cl_program> handles;
  std::vector<const char*> names;
  for (auto [name, text] : headers) {
    owners.push_back(createProgram(text));
    handles.push_back(owners.back().handle());
    names.push_back(name);
  }
  check(clCompileProgram(program.handle(), 1, &Device::get().id, options, cl_uint(handles.size()),
                         handles.empty() ? nullptr : handles.data(),
                         names.empty() ? nullptr : names.data(), nullptr, nullptr),
        "clCompileProgram");
  return program;
}

Program link(std::vector<const Program*> programs, const char* options = "") {
  std::vector<cl_program> handles;
  for (const Program* program : programs)
    handles.push_back(program->handle());
  cl_int code = CL_SUCCESS;
  Program linked(clLinkProgram(Device::get().context, 1, &Device::get().id, options,
                               cl_uint(handles.size()), handles.data(), nullptr, nullptr, &code));
  check(code, "clLinkProgram");
  return linked;
}

TEST(Programs, functionsAcrossLinkedPrograms) {
  Program functions = compile(R"(
    constant int factor = 10;
    int scale(int x) { return x * factor; }
    int swapped(local int* l, int x) {
      l[get_local_id(0)] = x;
      barrier(CLK_LOCAL_MEM_FENCE);
      int y = l[get_local_size(0) - 1 - get_local_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      return y;
    }
    float4 half_of(float4 v) { return v / 2; })");
  Program kernels = compile(R"(
    int scale(int x);
    int swapped(local int* l, int x);
    float4 half_of(float4 v);
    constant int factor2 = 3;
    kernel void k(global int* out, local int* l) {
      int x = scale((int)get_global_id(0)) + swapped(l, (int)get_local_id(0));
      out[get_global_id(0)] = x + (int)half_of((float4)(8)).w + factor2;
    })");
  Program program = link({&functions, &kernels});
  Buffer<cl_int> out(64);
  run(program, "k", {{64}, {16}}, out, LocalBytes{64});
  EXPECT_EQ(out.read(), tabulate<cl_int>(64, [](size_t g) { return 10 * g + 15 - g % 16 + 7; }));
}

TEST(Programs, embeddedHeaders) {
  Program program =
      compile("#include \"first.h\"\n#include <dir/second.h>\nkernel void k(global int* out) { "
              "out[0] = FIRST + second(); }",
              {{"first.h", "#define FIRST 5\n"},
               {"dir/second.h", "#include \"third.h\"\nint second(void) { return THIRD; }\n"},
               {"third.h", "#define THIRD 600\n"}});
  EXPECT_EQ(resultOf(link({&program})), 605);
}

TEST(Programs, librariesAndStaticNames) {
  Program a = compile("static int hidden(void) { return 1; } int a(void) { return hidden(); }");
  Program b = compile("static int hidden(void) { return 20; } int b(void) { return hidden(); }");
  Program library = link({&a, &b}, "-create-library");
  Program main = compile("int a(void); int b(void); static int hidden(void) { return 300; }"
                         "kernel void k(global int* out) { out[0] = a() + b() + hidden(); }");
  EXPECT_EQ(resultOf(link({&main, &library})), 321);
}

TEST(Programs, kernelsOfSeveralLinkedPrograms) {
  Program a = compile("kernel void k(global int* out) { local int l; l = 1; out[0] = l; }");
  Program b =
      compile("kernel void other(global int* out) { local int l[4]; l[3] = 2; out[0] = l[3]; }");
  Program program = link({&a, &b});
  EXPECT_EQ(resultOf(program), 1);
  Buffer<cl_int> out(1);
  run(program, "other", {{1}}, out);
  EXPECT_EQ(out.read()[0], 2);
}

TEST(Programs, inlineFunctions) {
  Program program = build(R"(
    inline int plain(int x) { return x + 1; }
    static inline int hidden(int x) { return x + 10; }
    inline __attribute__((always_inline)) int always(int x) { return x + 100; }
    kernel void k(global int* out) { out[0] = plain(hidden(always(0))); })");
  EXPECT_EQ(resultOf(program), 111);
}

TEST(Programs, overloadedFunctions) {
  Program program = build(R"(
    __attribute__((overloadable)) int f(int x) { return x + 1; }
    __attribute__((overloadable)) int f(float x) { return (int)x + 20; }
    __attribute__((overloadable)) int f(int2 x) { return x.x + x.y + 300; }
    kernel void k(global int* out) { out[0] = f(1) + f(1.0f) + f((int2)(1, 1)); })");
  EXPECT_EQ(resultOf(program), 325);
}

TEST(Programs, namesOfHostFunctionsAreOrdinary) {
  Program program = build(R"(
    int abort(int x) { return x + 1; }
    int memcpy(int x) { return x * 2; }
    float sinf(float x) { return 5; }
    kernel void main_(global int* out) {}
    kernel void k(global int* out) { out[0] = abort(1) + memcpy(10) + (int)sinf(0.0f); })");
  EXPECT_EQ(resultOf(program), 27);
}

// As those with which the library's collective functions and ballots are written.
TEST(Programs, functionsMayHaveNamesThatTheLibraryUses) {
  Program program = build(R"(
    #ifdef cl_khr_subgroup_ballot
    #pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
    #endif
    static uint mask(uint x) { return x * 3; }
    uint below(uint x) { return x + 100; }
    uint own(void) { return 7; }
    float nearest(float x) { return x * 2; }
    kernel void any(global const int* in, global uint* out) {
      size_t i = get_global_id(0);
      uint sum = work_group_any(in[i] == 40) ? 1000000 : 0;
      sum += work_group_all(in[i] < 40) ? 2000000 : 0;
      sum += mask(i) + below(i) + own() + (uint)nearest(i);
      out[i] = sum;
    }
    kernel void all(global const int* in, global uint* out) {
      size_t i = get_global_id(0);
      uint4 odd = sub_group_ballot(in[i] & 1);
      out[i] = sub_group_ballot_inclusive_scan(odd) - sub_group_ballot_exclusive_scan(odd) + below(0);
    }
    kernel void add_int_reduce(global const int* in, global uint* out) {
      out[get_global_id(0)] = work_group_reduce_add(in[get_global_id(0)]);
    })",
                          openClC3);
  constexpr size_t group = 32;
  const auto in = tabulate<cl_int>(64, [](size_t i) { return i; });
  Buffer<cl_int> inBuffer(in);
  Buffer<cl_uint> out(in.size(), 0);
  run(program, "any", {{in.size()}, {group}}, inBuffer, out);
  EXPECT_EQ(out.read(), tabulate<cl_uint>(in.size(), [](size_t i) {
              return (i < group ? 2000000 : 1000000) + i * 3 + i + 100 + 7 + i * 2;
            }));
  run(program, "all", {{in.size()}, {group}}, inBuffer, out);
  EXPECT_EQ(out.read(), tabulate<cl_uint>(in.size(), [](size_t i) { return i % 2 + 100; }));
  run(program, "add_int_reduce", {{in.size()}, {group}}, inBuffer, out);
  EXPECT_EQ(out.read(), tabulate<cl_uint>(in.size(), [](size_t i) {
              return i < group ? group * (group - 1) / 2 : group * (3 * group - 1) / 2;
            }));
}

} // namespace
} // namespace quern::tests
