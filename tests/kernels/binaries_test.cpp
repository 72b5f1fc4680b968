// A program's binary and the program cache in a process that never sees the compiler.
#include "kernels/child_process.h"
#include "kernels/kernel_fixture.h"
#include "temporary_folder.h"

#include <cstdio>

namespace quern::tests {
namespace {

constexpr const char* storedSource = R"(
  constant int table[4] = {1, 20, 300, 4000};
  typedef struct { char a; long b; } S;
  kernel void k(global long* out, local long* l, S s) {
    size_t i = get_local_id(0), n = get_local_size(0);
    l[i] = (long)get_global_id(0) + table[i % 4];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = l[n - 1 - i] + s.a + s.b / (long)n + (long)fmod(7.5f, 2.0f) + printf("");
  }
  kernel __attribute__((reqd_work_group_size(4, 1, 1))) void second(global const int* in, global float* out) {
    out[get_global_id(0)] = exp2((float)in[get_global_id(0)]);
  })";

struct S {
  cl_char a;
  cl_long b;
};

void writeFile(const std::string& path, const std::vector<unsigned char>& contents) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(contents.data()),
             static_cast<std::streamsize>(contents.size()));
}

/// 0 when both kernels of `program` give the right results.
int checkProgram(const Program& program) {
  Buffer<cl_long> out(64);
  run(program, "k", {{64}, {16}}, out, LocalBytes{128}, S{3, 16000});
  const cl_long table[] = {1, 20, 300, 4000};
  auto expected = tabulate<cl_long>(64, [&](size_t g) {
    size_t j = 15 - g % 16;
    return g / 16 * 16 + j + table[j % 4] + 3 + 1000 + 1;
  });
  Buffer<cl_int> in(tabulate<cl_int>(8, [](size_t i) { return i; }));
  Buffer<cl_float> powers(8);
  run(program, "second", {{8}, {4}}, in, powers);
  auto expectedPowers = tabulate<cl_float>(8, [](size_t i) { return 1 << i; });
  return out.read() != expected ? 1 : powers.read() != expectedPowers ? 2 : 0;
}

std::string argumentNameOf(const Program& program) {
  Kernel kernel(program, "k");
  char name[64] = "";
  cl_int code =
      clGetKernelArgInfo(kernel.handle(), 2, CL_KERNEL_ARG_NAME, sizeof(name), name, nullptr);
  return code == CL_SUCCESS ? name : "";
}

QUERN_CHILD(writeBinary) {
  Program program = build(storedSource, "-cl-kernel-arg-info");
  writeFile(arguments[0], program.binary());
  return checkProgram(program);
}

QUERN_CHILD(runBinary) {
  const std::string contents = readFile(arguments[0]);
  const std::vector<unsigned char> binary(contents.begin(), contents.end());
  Program program = fromBinary(binary);
  if (int wrong = checkProgram(program))
    return wrong;
  if (argumentNameOf(program) != "s")
    return 3;
  if (program.binary() != binary)
    return 4;
  return compilerIsLoaded() ? 5 : 0;
}

TEST(Binaries, runInANewProcessWithoutTheCompiler) {
  TemporaryFolder folder;
  std::string file = folder / "program.bin";
  ChildResult writer = runChild({"writeBinary", {file}, {{"QUERN_CACHE", "off"}}});
  ASSERT_EQ(writer.exitCode, 0) << writer;
  ASSERT_GT(std::filesystem::file_size(file), 0u);
  // Variants that are made before the first launch would need the compiler.
  ChildResult reader =
      runChild({"runBinary", {file}, {{"QUERN_CACHE", "off"}, {"QUERN_VARIANTS", "off"}}});
  EXPECT_EQ(reader.exitCode, 0) << reader;
}

/// Keeps the binary again before the program is built and after.
QUERN_CHILD(runBinaryOfAnotherTarget) {
  const std::string contents = readFile(arguments[0]);
  const auto* bytes = reinterpret_cast<const unsigned char*>(contents.data());
  const size_t length = contents.size();
  cl_int status = 1, code = 1;
  Program unbuilt(clCreateProgramWithBinary(Device::get().context, 1, &Device::get().id, &length,
                                            &bytes, &status, &code));
  if (code != CL_SUCCESS || status != CL_SUCCESS)
    return 3;
  Program program = fromBinary(unbuilt.binary());
  if (int wrong = checkProgram(program))
    return wrong;
  if (argumentNameOf(program) != "s")
    return 4;
  return checkProgram(fromBinary(program.binary())) ? 5 : 0;
}

// A program that keeps binaries gets code for the processor and the packets of now from them.
TEST(Binaries, codeForAnotherTargetIsMadeAgain) {
  // Only CPUs have several targets on one machine.
  QUERN_NEEDS("CL_DEVICE_TYPE CL_DEVICE_TYPE_CPU");
  TemporaryFolder folder;
  const std::string file = folder / "program.bin";
  const auto environment = [](const char* isa, const char* packets) {
    return decltype(ChildRequest::environment){
        {"QUERN_CPU_ISA", isa}, {"QUERN_CPU_PACKETS", packets}, {"QUERN_VARIANTS", "auto"}};
  };
  const ChildResult writer = runChild({"writeBinary", {file}, environment("native", "4")});
  ASSERT_EQ(writer.exitCode, 0) << writer;
  for (const auto& [isa, packets] :
       {std::pair{"native", "8"}, {"native", "auto"}, {"sse42", "4"}}) {
    const ChildResult reader =
        runChild({"runBinaryOfAnotherTarget", {file}, environment(isa, packets)});
    EXPECT_EQ(reader.exitCode, 0) << isa << ", " << packets << "\n" << reader;
  }
}

QUERN_CHILD(writeBinaryWithIds) {
  Program program = build("kernel void k(global int* out, int n) {"
                          "  int id = get_global_id(0), sum = 0;"
                          "  for (int i = 0; i < n; ++i) sum += id ^ i;"
                          "  out[id & 7] = sum; }");
  writeFile(arguments[0], program.binary());
  return 0;
}

/// Prints what clEnqueueNDRangeKernel returns for work-items from an offset on.
QUERN_CHILD(launchAt) {
  const std::string contents = readFile(arguments[0]);
  Program program = fromBinary({contents.begin(), contents.end()});
  Kernel kernel(program, "k");
  Buffer<cl_int> out(8);
  kernel.setAll(out, cl_int{3});
  const size_t global = 8, offset = std::stoull(arguments[1]);
  std::printf("%d", clEnqueueNDRangeKernel(Device::get().queue, kernel.handle(), 1, &offset,
                                           &global, nullptr, 0, nullptr, nullptr));
  return 0;
}

// Ids from 2^31 on need other code than packets are, which a compiler must make.
TEST(Binaries, largeIdsWithoutACompiler) {
  // Only code for CPUs has packets.
  QUERN_NEEDS("CL_DEVICE_TYPE CL_DEVICE_TYPE_CPU");
  TemporaryFolder folder;
  const std::string file = folder / "program.bin";
  const std::pair<std::string, std::string> packets = {"QUERN_CPU_PACKETS", "all"};
  const ChildResult writer = runChild({"writeBinaryWithIds", {file}, {packets}});
  ASSERT_EQ(writer.exitCode, 0) << writer;
  const auto codeAt = [&](const char* offset, const std::string& compiler) {
    return runChild({"launchAt",
                     {file, offset},
                     {packets, {"QUERN_CACHE", "off"}, {"QUERN_COMPILER", compiler}}})
        .output;
  };
  EXPECT_EQ(codeAt("1000", folder / "none.so"), std::to_string(CL_SUCCESS));
  EXPECT_EQ(codeAt("5000000000", folder / "none.so"), std::to_string(CL_OUT_OF_RESOURCES));
  EXPECT_EQ(codeAt("5000000000", ""), std::to_string(CL_SUCCESS));
}

QUERN_CHILD(buildAndTellWhetherCompilerWasLoaded) {
  if (compilerIsLoaded())
    return 9;
  Program program = build(storedSource, "-cl-kernel-arg-info");
  if (int wrong = checkProgram(program))
    return wrong;
  std::printf("%s", compilerIsLoaded() ? "compiled" : "cached");
  return argumentNameOf(program) == "s" ? 0 : 3;
}

TEST(Binaries, cachedProgramNeedsNoCompiler) {
  TemporaryFolder folder;
  ChildRequest request{"buildAndTellWhetherCompilerWasLoaded",
                       {},
                       {{"QUERN_CACHE_DIR", folder.path()}, {"QUERN_CACHE", "on"}}};
  ChildResult first = runChild(request);
  EXPECT_EQ(first.exitCode, 0) << first;
  EXPECT_EQ(first.output, "compiled");
  ChildResult second = runChild(request);
  EXPECT_EQ(second.exitCode, 0) << second;
  EXPECT_EQ(second.output, "cached");
  request.environment.back().second = "off";
  ChildResult third = runChild(request);
  EXPECT_EQ(third.exitCode, 0) << third;
  EXPECT_EQ(third.output, "compiled");
}

TEST(Binaries, roundTripInOneProcess) {
  Program program = build(storedSource);
  Program copy = fromBinary(program.binary());
  EXPECT_EQ(checkProgram(copy), 0);
  EXPECT_EQ(copy.binary(), program.binary());
}

// A compiled, not yet linked program and a library go through binaries too.
TEST(Binaries, ofObjectsAndLibraries) {
  auto reload = [](cl_program program) {
    Program owner(program);
    std::vector<unsigned char> binary = owner.binary();
    const unsigned char* bytes = binary.data();
    size_t length = binary.size();
    cl_int code = CL_SUCCESS;
    Program copy(clCreateProgramWithBinary(Device::get().context, 1, &Device::get().id, &length,
                                           &bytes, nullptr, &code));
    check(code, "clCreateProgramWithBinary");
    return copy;
  };
  auto compiled = [](const char* text) {
    Program program = createProgram(text);
    check(clCompileProgram(program.handle(), 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
          "clCompileProgram");
    clRetainProgram(program.handle());
    return program.handle();
  };
  auto linked = [](std::vector<cl_program> handles, const char* options) {
    cl_int code = CL_SUCCESS;
    cl_program program =
        clLinkProgram(Device::get().context, 0, nullptr, options, cl_uint(handles.size()),
                      handles.data(), nullptr, nullptr, &code);
    check(code, "clLinkProgram");
    return program;
  };
  Program object = reload(compiled("int f(int x) { return x + 1; }"));
  Program library = reload(linked({object.handle()}, "-create-library"));
  Program main =
      reload(compiled("int f(int x); kernel void k(global int* out) { out[0] = f(41); }"));
  Program program(linked({main.handle(), library.handle()}, ""));
  Buffer<cl_int> out(1);
  run(program, "k", {{1}}, out);
  EXPECT_EQ(out.read()[0], 42);
}

} // namespace
} // namespace quern::tests
