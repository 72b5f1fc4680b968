#include "program_fixture.h"

#include <condition_variable>
#include <mutex>

namespace quern::test {
namespace {

constexpr const char* callerSource = "int helper(int x);\n"
                                     "kernel void f(global int* out) { out[0] = helper(20); }\n";
constexpr const char* helperSource = "int helper(int x) { return x + 1; }\n";

class ProgramLinkTest : public ProgramTest {
protected:
  struct Headers {
    std::vector<cl_program> programs;
    std::vector<const char*> names;
  };
  cl_int tryCompile(const Program& program, const char* options = nullptr,
                    const Headers& headers = {}) {
    const bool any = !headers.programs.empty();
    return clCompileProgram(
        program.get(), 1, &device, options, static_cast<cl_uint>(headers.programs.size()),
        any ? headers.programs.data() : nullptr,
        any ? const_cast<const char**>(headers.names.data()) : nullptr, nullptr, nullptr);
  }
  /// The error code and the program of clLinkProgram.
  std::pair<cl_int, Program> link(const std::vector<cl_program>& inputs,
                                  const char* options = nullptr) {
    cl_int code = 1;
    Program linked(clLinkProgram(context.get(), 1, &device, options,
                                 static_cast<cl_uint>(inputs.size()), inputs.data(), nullptr,
                                 nullptr, &code));
    return {code, std::move(linked)};
  }
  cl_program_binary_type typeOf(const Program& program) {
    return buildInfo<cl_program_binary_type>(program, CL_PROGRAM_BINARY_TYPE);
  }
  cl_int resultOf(const Program& program) {
    const Memory out = makeBuffer(sizeof(cl_int));
    const Kernel kernel = makeKernel(program, "f");
    setArguments(kernel, out.get());
    run(kernel, 1);
    return contents<cl_int>(out.get())[0];
  }
};

TEST_F(ProgramLinkTest, compileChecksItsArguments) {
  const Program made = makeProgram(helperSource), header = makeProgram("");
  const cl_program headers[] = {header.get()};
  const char* names[] = {"header.h"};
  const char* noName[] = {nullptr};
  const auto compile = [&](cl_program program, cl_uint deviceCount, const cl_device_id* devices,
                           cl_uint headerCount, const cl_program* programs,
                           const char** headerNames, void* data = nullptr) {
    return clCompileProgram(program, deviceCount, devices, nullptr, headerCount, programs,
                            headerNames, nullptr, data);
  };
  EXPECT_EQ(CL_INVALID_PROGRAM, compile(nullptr, 1, &device, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, compile(made.get(), 0, &device, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, compile(made.get(), 1, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, compile(made.get(), 1, &device, 0, headers, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, compile(made.get(), 1, &device, 0, nullptr, names));
  EXPECT_EQ(CL_INVALID_VALUE, compile(made.get(), 1, &device, 1, nullptr, names));
  EXPECT_EQ(CL_INVALID_VALUE, compile(made.get(), 1, &device, 1, headers, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, compile(made.get(), 1, &device, 1, headers, noName));
  int data = 0;
  EXPECT_EQ(CL_INVALID_VALUE, compile(made.get(), 1, &device, 0, nullptr, nullptr, &data));
  const auto notADevice = foreignHandle<cl_device_id>(context);
  EXPECT_EQ(CL_INVALID_DEVICE, compile(made.get(), 1, &notADevice, 0, nullptr, nullptr));
  const cl_program notAProgram[] = {foreignHandle<cl_program>(context)};
  EXPECT_EQ(CL_INVALID_PROGRAM, compile(made.get(), 1, &device, 1, notAProgram, names));
  EXPECT_EQ(CL_INVALID_COMPILER_OPTIONS, tryCompile(made, "-create-library"));
  EXPECT_EQ(CL_SUCCESS, compile(made.get(), 1, &device, 1, headers, names));
}

TEST_F(ProgramLinkTest, headersOfAnotherContextAreRefused) {
  const char* text = "";
  cl_int code = 0;
  const Program foreign(clCreateProgramWithSource(otherContext.get(), 1, &text, nullptr, &code));
  EXPECT_EQ(CL_INVALID_CONTEXT,
            tryCompile(makeProgram(helperSource), nullptr, {{foreign.get()}, {"a.h"}}));
}

TEST_F(ProgramLinkTest, headersMustHaveASource) {
  const Program fromBinary = programFromBinary(binaryOf(compileProgram(helperSource)));
  EXPECT_EQ(CL_INVALID_PROGRAM,
            tryCompile(makeProgram(helperSource), nullptr, {{fromBinary.get()}, {"a.h"}}));
}

TEST_F(ProgramLinkTest, programsWithoutSourceCannotBeCompiled) {
  const Program fromBinary = programFromBinary(binaryOf(compileProgram(helperSource)));
  EXPECT_EQ(CL_INVALID_OPERATION, tryCompile(fromBinary));
  const Program library = compileProgram(helperSource);
  const auto [code, linked] = link({library.get()}, "-create-library");
  ASSERT_EQ(CL_SUCCESS, code);
  EXPECT_EQ(CL_INVALID_OPERATION, tryCompile(linked));
  EXPECT_EQ(CL_INVALID_OPERATION,
            clBuildProgram(linked.get(), 1, &device, nullptr, nullptr, nullptr));
}

TEST_F(ProgramLinkTest, compileFailureHasALog) {
  const Program made = makeProgram("int f() { return ; }\nint g() { return nothing; }");
  EXPECT_EQ(CL_COMPILE_PROGRAM_FAILURE, tryCompile(made));
  EXPECT_NE(std::string::npos, logOf(made).find("nothing"));
  EXPECT_EQ(cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_NONE}, typeOf(made));
}

TEST_F(ProgramLinkTest, embeddedHeadersAreFoundByTheirNames) {
  const Program one = makeProgram("#define ONE 1\n"),
                nested = makeProgram("#include <one.h>\n#define TWO (ONE + 1)\n"),
                shadowed = makeProgram("#error not the first of this name\n");
  const Program made =
      makeProgram("#include \"my/dir/two.h\"\nkernel void f(global int* out) { out[0] = TWO; }\n");
  ASSERT_EQ(CL_SUCCESS, tryCompile(made, nullptr,
                                   {{one.get(), nested.get(), shadowed.get()},
                                    {"one.h", "my/dir/two.h", "one.h"}}))
      << logOf(made);
  const auto [code, linked] = link({made.get()});
  ASSERT_EQ(CL_SUCCESS, code) << logOf(linked);
  EXPECT_EQ(2, resultOf(linked));
  // The header's text, not its handle, decides what is compiled.
  const Program other = makeProgram("#define ONE 41\n");
  ASSERT_EQ(CL_SUCCESS,
            tryCompile(made, nullptr, {{other.get(), nested.get()}, {"one.h", "my/dir/two.h"}}));
  EXPECT_EQ(42, resultOf(link({made.get()}).second));
}

TEST_F(ProgramLinkTest, linksObjectsAndLibraries) {
  const Program caller = compileProgram(callerSource), helper = compileProgram(helperSource);
  EXPECT_EQ(cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT}, typeOf(caller));
  const auto [code, linked] = link({caller.get(), helper.get()});
  ASSERT_EQ(CL_SUCCESS, code) << logOf(linked);
  EXPECT_EQ(cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_EXECUTABLE}, typeOf(linked));
  EXPECT_EQ(21, resultOf(linked));

  const auto [libraryCode, library] = link({helper.get()}, "-create-library -enable-link-options");
  ASSERT_EQ(CL_SUCCESS, libraryCode) << logOf(library);
  EXPECT_EQ(cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_LIBRARY}, typeOf(library));
  const auto [withLibraryCode, withLibrary] =
      link({caller.get(), library.get()}, "-cl-fast-relaxed-math");
  ASSERT_EQ(CL_SUCCESS, withLibraryCode) << logOf(withLibrary);
  EXPECT_EQ(21, resultOf(withLibrary));

  // The same from their binaries.
  const Program libraryAgain = programFromBinary(binaryOf(library)),
                callerAgain = programFromBinary(binaryOf(caller));
  EXPECT_EQ(cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_LIBRARY}, typeOf(libraryAgain));
  EXPECT_EQ(21, resultOf(link({callerAgain.get(), libraryAgain.get()}).second));
}

TEST_F(ProgramLinkTest, missingFunctionFailsTheLinkAndReturnsTheProgram) {
  const Program caller = compileProgram(callerSource);
  const auto [code, linked] = link({caller.get()});
  EXPECT_EQ(CL_LINK_PROGRAM_FAILURE, code);
  ASSERT_TRUE(linked);
  EXPECT_EQ(CL_BUILD_ERROR, buildInfo<cl_build_status>(linked, CL_PROGRAM_BUILD_STATUS));
  EXPECT_NE(std::string::npos, logOf(linked).find("helper")) << logOf(linked);
}

TEST_F(ProgramLinkTest, functionDefinedTwiceFailsTheLink) {
  const Program one = compileProgram(helperSource),
                two = compileProgram("int helper(int x) { return x; }");
  const auto [code, linked] = link({one.get(), two.get()}, "-create-library");
  EXPECT_EQ(CL_LINK_PROGRAM_FAILURE, code);
  EXPECT_NE(std::string::npos, logOf(linked).find("helper")) << logOf(linked);
}

TEST_F(ProgramLinkTest, linkChecksItsArguments) {
  const Program input = compileProgram(helperSource);
  const cl_program inputs[] = {input.get()};
  const auto tryLink = [](cl_context where, cl_uint deviceCount, const cl_device_id* devices,
                          cl_uint inputCount, const cl_program* programs, void* data = nullptr) {
    cl_int code = 0;
    EXPECT_EQ(nullptr, clLinkProgram(where, deviceCount, devices, "-create-library", inputCount,
                                     programs, nullptr, data, &code));
    return code;
  };
  EXPECT_EQ(CL_INVALID_CONTEXT, tryLink(nullptr, 1, &device, 1, inputs));
  EXPECT_EQ(CL_INVALID_CONTEXT, tryLink(otherContext.get(), 1, &device, 1, inputs));
  EXPECT_EQ(CL_INVALID_VALUE, tryLink(context.get(), 1, nullptr, 1, inputs));
  EXPECT_EQ(CL_INVALID_VALUE, tryLink(context.get(), 0, &device, 1, inputs));
  EXPECT_EQ(CL_INVALID_VALUE, tryLink(context.get(), 1, &device, 0, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, tryLink(context.get(), 1, &device, 0, inputs));
  EXPECT_EQ(CL_INVALID_VALUE, tryLink(context.get(), 1, &device, 1, nullptr));
  const cl_program notAProgram[] = {foreignHandle<cl_program>(context)};
  EXPECT_EQ(CL_INVALID_PROGRAM, tryLink(context.get(), 1, &device, 1, notAProgram));
  int data = 0;
  EXPECT_EQ(CL_INVALID_VALUE, tryLink(context.get(), 1, &device, 1, inputs, &data));
  const auto notADevice = foreignHandle<cl_device_id>(context);
  EXPECT_EQ(CL_INVALID_DEVICE, tryLink(context.get(), 1, &notADevice, 1, inputs));
  EXPECT_EQ(CL_INVALID_LINKER_OPTIONS, link({input.get()}, "-cl-std=CL1.2").first);
  EXPECT_EQ(CL_INVALID_LINKER_OPTIONS, link({input.get()}, "-enable-link-options").first);
}

TEST_F(ProgramLinkTest, everyInputMustBeCompiled) {
  const Program compiled = compileProgram(helperSource), notCompiled = makeProgram(helperSource),
                built = buildProgram("kernel void k() {}");
  EXPECT_EQ(CL_INVALID_OPERATION, link({compiled.get(), notCompiled.get()}).first);
  EXPECT_EQ(CL_INVALID_OPERATION, link({notCompiled.get()}).first);
  EXPECT_EQ(CL_INVALID_OPERATION, link({compiled.get(), built.get()}).first);
  EXPECT_FALSE(link({notCompiled.get()}).second);
  const Program failed = makeProgram("int helper(");
  EXPECT_EQ(CL_COMPILE_PROGRAM_FAILURE, tryCompile(failed));
  EXPECT_EQ(CL_INVALID_OPERATION, link({compiled.get(), failed.get()}).first);
}

TEST_F(ProgramLinkTest, notifies) {
  struct Waiter {
    std::mutex mutex;
    std::condition_variable called;
    cl_program program = nullptr;
  } waiter;
  const auto notify = [](cl_program program, void* data) {
    auto& waiter = *static_cast<Waiter*>(data);
    const std::lock_guard lock(waiter.mutex);
    waiter.program = program;
    waiter.called.notify_all();
  };
  const auto wait = [&waiter] {
    std::unique_lock lock(waiter.mutex);
    waiter.called.wait(lock, [&] { return waiter.program != nullptr; });
    return std::exchange(waiter.program, nullptr);
  };
  const Program made = makeProgram(helperSource);
  ASSERT_EQ(CL_SUCCESS, clCompileProgram(made.get(), 1, &device, nullptr, 0, nullptr, nullptr,
                                         notify, &waiter));
  EXPECT_EQ(made.get(), wait());
  const cl_program input = made.get();
  cl_int code = 0;
  const Program linked(clLinkProgram(context.get(), 1, &device, "-create-library", 1, &input,
                                     notify, &waiter, &code));
  EXPECT_EQ(CL_SUCCESS, code);
  EXPECT_EQ(linked.get(), wait());
  EXPECT_EQ(CL_BUILD_SUCCESS, buildInfo<cl_build_status>(linked, CL_PROGRAM_BUILD_STATUS));
}

} // namespace
} // namespace quern::test
