#include "program_fixture.h"

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>

namespace quern::test {
namespace {

constexpr const char* goodSource = "kernel void f(global int* out) { out[0] = 1; }\n";
constexpr const char* badSource = "kernel void f(global int* out) {\n  out[0] = undeclared;\n}\n";

/// A notify function that counts its calls and can be waited for.
class Notified {
public:
  static void CL_CALLBACK call(cl_program program, void* self) {
    auto& notified = *static_cast<Notified*>(self);
    const std::lock_guard lock(notified.mutex_);
    notified.program_ = program;
    ++notified.calls_;
    notified.called_.notify_all();
  }
  cl_program wait() {
    std::unique_lock lock(mutex_);
    called_.wait(lock, [this] { return calls_ > 0; });
    EXPECT_EQ(1, calls_);
    return program_;
  }

private:
  std::mutex mutex_;
  std::condition_variable called_;
  cl_program program_ = nullptr;
  int calls_ = 0;
};

class ProgramBuildTest : public ProgramTest {
protected:
  cl_int tryBuild(const Program& program, const char* options = nullptr) {
    return clBuildProgram(program.get(), 1, &device, options, nullptr, nullptr);
  }
  cl_build_status statusOf(const Program& program) {
    return buildInfo<cl_build_status>(program, CL_PROGRAM_BUILD_STATUS);
  }
  std::string optionsOf(const Program& program) {
    char options[200] = {};
    EXPECT_EQ(CL_SUCCESS, clGetProgramBuildInfo(program.get(), device, CL_PROGRAM_BUILD_OPTIONS,
                                                sizeof(options), options, nullptr));
    return options;
  }
  /// What the kernel `f` writes into its one argument.
  cl_int resultOf(const Program& program) {
    const Memory out = makeBuffer(sizeof(cl_int));
    const Kernel kernel = makeKernel(program, "f");
    setArguments(kernel, out.get());
    run(kernel, 1);
    return contents<cl_int>(out.get())[0];
  }
};

TEST_F(ProgramBuildTest, checksItsArguments) {
  const Program made = makeProgram(goodSource);
  EXPECT_EQ(CL_INVALID_PROGRAM, clBuildProgram(nullptr, 1, &device, nullptr, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_PROGRAM, clBuildProgram(foreignHandle<cl_program>(context), 1, &device,
                                               nullptr, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, clBuildProgram(made.get(), 1, nullptr, nullptr, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, clBuildProgram(made.get(), 0, &device, nullptr, nullptr, nullptr));
  int data = 0;
  EXPECT_EQ(CL_INVALID_VALUE, clBuildProgram(made.get(), 1, &device, nullptr, nullptr, &data));
  const auto notADevice = foreignHandle<cl_device_id>(context);
  EXPECT_EQ(CL_INVALID_DEVICE,
            clBuildProgram(made.get(), 1, &notADevice, nullptr, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_BUILD_OPTIONS, tryBuild(made, "-no-such-option"));
  EXPECT_EQ(CL_BUILD_NONE, statusOf(made));
  EXPECT_EQ(CL_SUCCESS, tryBuild(made));
}

TEST_F(ProgramBuildTest, successIsQueried) {
  const Program made = makeProgram(goodSource);
  EXPECT_EQ(CL_BUILD_NONE, statusOf(made));
  EXPECT_EQ("", optionsOf(made));
  EXPECT_EQ("", logOf(made));
  EXPECT_EQ(cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_NONE},
            buildInfo<cl_program_binary_type>(made, CL_PROGRAM_BINARY_TYPE));
  ASSERT_EQ(CL_SUCCESS, tryBuild(made, " -cl-mad-enable  -D A "));
  EXPECT_EQ(CL_BUILD_SUCCESS, statusOf(made));
  EXPECT_EQ(" -cl-mad-enable  -D A ", optionsOf(made));
  EXPECT_EQ(cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_EXECUTABLE},
            buildInfo<cl_program_binary_type>(made, CL_PROGRAM_BINARY_TYPE));
  EXPECT_EQ(0u, buildInfo<size_t>(made, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE));
  EXPECT_EQ(1, resultOf(made));
}

TEST_F(ProgramBuildTest, programsWithoutKernelsCanBeBuilt) {
  for (const char* source : {" ", "int twice(int x) { return 2 * x; }", "constant int three = 3;",
                             "typedef int number;"}) {
    const Program made = makeProgram(source);
    EXPECT_EQ(CL_SUCCESS, tryBuild(made)) << source << logOf(made);
    size_t kernels = 1;
    EXPECT_EQ(CL_SUCCESS, clGetProgramInfo(made.get(), CL_PROGRAM_NUM_KERNELS, sizeof(kernels),
                                           &kernels, nullptr));
    EXPECT_EQ(0u, kernels);
    const Program again = programFromBinary(binaryOf(made));
    EXPECT_EQ(CL_SUCCESS, tryBuild(again)) << source << logOf(again);
  }
}

TEST_F(ProgramBuildTest, forADeviceIsOneForItsSubDevices) {
  if (info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES) < 2)
    GTEST_SKIP() << "the device cannot be partitioned";
  const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                                     CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  cl_device_id part = nullptr;
  ASSERT_EQ(CL_SUCCESS, clCreateSubDevices(device, properties, 1, &part, nullptr));
  const SubDevice subDevice(part);
  const cl_device_id both[] = {part, device};
  cl_int error = CL_SUCCESS;
  const Context shared(clCreateContext(nullptr, 2, both, nullptr, nullptr, &error));
  ASSERT_EQ(CL_SUCCESS, error);
  const char* source = goodSource;
  const Program program(clCreateProgramWithSource(shared.get(), 1, &source, nullptr, &error));
  ASSERT_EQ(CL_SUCCESS, tryBuild(program));
  for (const cl_device_id each : both) {
    cl_build_status status = CL_BUILD_NONE;
    EXPECT_EQ(CL_SUCCESS, clGetProgramBuildInfo(program.get(), each, CL_PROGRAM_BUILD_STATUS,
                                                sizeof(status), &status, nullptr));
    EXPECT_EQ(CL_BUILD_SUCCESS, status);
  }
}

TEST_F(ProgramBuildTest, buildInfoChecksItsArguments) {
  const Program made = makeProgram(goodSource);
  cl_build_status status;
  EXPECT_EQ(CL_INVALID_PROGRAM, clGetProgramBuildInfo(nullptr, device, CL_PROGRAM_BUILD_STATUS,
                                                      sizeof(status), &status, nullptr));
  EXPECT_EQ(CL_INVALID_DEVICE, clGetProgramBuildInfo(made.get(), nullptr, CL_PROGRAM_BUILD_STATUS,
                                                     sizeof(status), &status, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE,
            clGetProgramBuildInfo(made.get(), device, 0xdead, sizeof(status), &status, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, clGetProgramBuildInfo(made.get(), device, CL_PROGRAM_BUILD_STATUS,
                                                    sizeof(status) - 1, &status, nullptr));
}

TEST_F(ProgramBuildTest, logTellsFileLineAndColumn) {
  const Program made = makeProgram(badSource);
  EXPECT_EQ(CL_BUILD_PROGRAM_FAILURE, tryBuild(made, "-w"));
  EXPECT_EQ(CL_BUILD_ERROR, statusOf(made));
  EXPECT_EQ("-w", optionsOf(made));
  EXPECT_NE(std::string::npos, logOf(made).find("undeclared")) << logOf(made);
  EXPECT_NE(std::string::npos, logOf(made).find(":2:12:")) << logOf(made);
  EXPECT_EQ(0u, info<size_t>(clGetProgramInfo, made.get(), CL_PROGRAM_BINARY_SIZES));
}

TEST_F(ProgramBuildTest, warningsStayInTheLog) {
  const char* source = "#warning careful\nkernel void f() {}\n";
  // The second program comes from the cache.
  for (int i = 0; i < 2; ++i) {
    const Program made = buildProgram(source);
    EXPECT_NE(std::string::npos, logOf(made).find("careful")) << logOf(made);
  }
  const Program silent = buildProgram(source, "-w");
  EXPECT_EQ("", logOf(silent));
  EXPECT_EQ(CL_BUILD_PROGRAM_FAILURE, tryBuild(makeProgram(source), "-Werror"));
}

TEST_F(ProgramBuildTest, canBeBuiltAgainWithOtherOptions) {
  const Program made = makeProgram("kernel void f(global int* out) { out[0] = VALUE; }");
  EXPECT_EQ(CL_BUILD_PROGRAM_FAILURE, tryBuild(made));
  EXPECT_EQ(CL_SUCCESS, tryBuild(made, "-D VALUE=3"));
  EXPECT_EQ(3, resultOf(made));
  EXPECT_EQ(CL_SUCCESS, tryBuild(made, "-D \"VALUE=(4 + 1)\""));
  EXPECT_EQ(5, resultOf(made));
  EXPECT_EQ(CL_BUILD_PROGRAM_FAILURE, tryBuild(made, "-D VALUE=none"));
  cl_int code = 0;
  EXPECT_EQ(nullptr, clCreateKernel(made.get(), "f", &code));
  EXPECT_EQ(CL_INVALID_PROGRAM_EXECUTABLE, code);
}

TEST_F(ProgramBuildTest, notWhileItHasKernels) {
  const Program made = buildProgram(goodSource);
  Kernel kernel = makeKernel(made, "f");
  EXPECT_EQ(CL_INVALID_OPERATION, tryBuild(made));
  EXPECT_EQ(CL_INVALID_OPERATION, clCompileProgram(made.get(), 1, &device, nullptr, 0, nullptr,
                                                   nullptr, nullptr, nullptr));
  EXPECT_EQ(CL_BUILD_SUCCESS, statusOf(made));
  kernel.reset();
  EXPECT_EQ(CL_SUCCESS, tryBuild(made));
}

TEST_F(ProgramBuildTest, kernelKeepsItsProgram) {
  Program made = buildProgram(goodSource);
  const Kernel kernel = makeKernel(made, "f");
  made.reset();
  const Memory out = makeBuffer(sizeof(cl_int));
  setArguments(kernel, out.get());
  run(kernel, 1);
  EXPECT_EQ(1, contents<cl_int>(out.get())[0]);
}

TEST_F(ProgramBuildTest, notifiesOfSuccessAndFailure) {
  for (const char* source : {goodSource, badSource}) {
    const Program made = makeProgram(source);
    Notified notified;
    ASSERT_EQ(CL_SUCCESS, clBuildProgram(made.get(), 1, &device, "", Notified::call, &notified));
    EXPECT_EQ(made.get(), notified.wait());
    EXPECT_EQ(source == goodSource ? CL_BUILD_SUCCESS : CL_BUILD_ERROR, statusOf(made));
    EXPECT_EQ(source == badSource, !logOf(made).empty());
  }
}

// Programs rely on drivers that build before clBuildProgram returns, with a callback, too.
TEST_F(ProgramBuildTest, kernelsAreThereWhileABuildIsUnderWay) {
  const Program made = makeProgram(goodSource);
  Notified notified;
  ASSERT_EQ(CL_SUCCESS, clBuildProgram(made.get(), 1, &device, "", Notified::call, &notified));
  cl_uint kernels = 0;
  EXPECT_EQ(CL_SUCCESS, clCreateKernelsInProgram(made.get(), 0, nullptr, &kernels));
  EXPECT_EQ(1u, kernels);
  EXPECT_EQ(1, resultOf(made));
  notified.wait();
}

TEST_F(ProgramBuildTest, programReleasedDuringABuildIsStillNotified) {
  Program made = makeProgram("kernel void releasedEarly() {}");
  Notified notified;
  const cl_program handle = made.get();
  ASSERT_EQ(CL_SUCCESS, clBuildProgram(handle, 1, &device, nullptr, Notified::call, &notified));
  made.reset();
  EXPECT_EQ(handle, notified.wait());
}

TEST_F(ProgramBuildTest, manyBuildsAtOnce) {
  constexpr int count = 12;
  std::vector<Program> programs;
  std::vector<Notified> notified(count);
  for (int i = 0; i < count; ++i) {
    programs.push_back(
        makeProgram("kernel void f(global int* out) { out[0] = " + std::to_string(i) + "; }"));
    ASSERT_EQ(CL_SUCCESS, clBuildProgram(programs.back().get(), 0, nullptr, nullptr, Notified::call,
                                         &notified[i]));
  }
  for (int i = 0; i < count; ++i) {
    notified[i].wait();
    EXPECT_EQ(i, resultOf(programs[i]));
  }
}

TEST_F(ProgramBuildTest, includesFilesFromFoldersWithSpaces) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / "quern include test";
  std::filesystem::remove_all(folder); // what an interrupted run left
  std::filesystem::create_directories(folder);
  const Program made =
      makeProgram("#include \"value.h\"\nkernel void f(global int* out) { out[0] = VALUE; }");
  const std::string options = "-I \"" + folder.string() + "\"";
  EXPECT_EQ(CL_BUILD_PROGRAM_FAILURE, tryBuild(made, options.c_str()));
  // A changed header is seen although the program is cached.
  for (int value : {11, 12}) {
    std::ofstream(folder / "value.h") << "#define VALUE " << value << "\n";
    EXPECT_EQ(CL_SUCCESS, tryBuild(made, options.c_str())) << logOf(made);
    EXPECT_EQ(value, resultOf(made));
  }
  std::filesystem::remove_all(folder);
}

} // namespace
} // namespace quern::test
