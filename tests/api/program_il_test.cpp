#include <algorithm>

#include <CL/cl_ext.h>

#include "program_fixture.h"
#include "spirv_module.h"

namespace quern::test {
namespace {

class ProgramIlTest : public ProgramTest {
protected:
  Program makeIl(const std::vector<unsigned char>& il) {
    cl_int code = 1;
    Program made(clCreateProgramWithIL(context.get(), il.data(), il.size(), &code));
    EXPECT_EQ(CL_SUCCESS, code);
    return made;
  }
  Program makeIl(const std::string& name) { return makeIl(spirvModule(name)); }
  cl_int codeFor(const std::vector<unsigned char>& il) {
    cl_int code = 1;
    const Program made(clCreateProgramWithIL(context.get(), il.data(), il.size(), &code));
    EXPECT_EQ(code == CL_SUCCESS, made != nullptr);
    return code;
  }
  cl_int build(const Program& program, const char* options = nullptr) {
    return clBuildProgram(program.get(), 1, &device, options, nullptr, nullptr);
  }
  cl_int compile(const Program& program) {
    return clCompileProgram(program.get(), 1, &device, nullptr, 0, nullptr, nullptr, nullptr,
                            nullptr);
  }
  template <typename T> cl_int specialize(const Program& program, cl_uint id, T value) {
    return clSetProgramSpecializationConstant(program.get(), id, sizeof(value), &value);
  }
  /// What the kernel "scale" makes of 10.
  cl_uint scaled(const Program& program) {
    const Memory in = makeBuffer(std::vector<cl_uint>{10}), out = makeBuffer(sizeof(cl_uint));
    const Kernel kernel = makeKernel(program, "scale");
    setArguments(kernel, in.get(), out.get());
    run(kernel, 1);
    return contents<cl_uint>(out.get())[0];
  }
  cl_int linkedResult(const std::vector<cl_program>& inputs) {
    cl_int code = 1;
    const Program linked(clLinkProgram(context.get(), 1, &device, nullptr,
                                       static_cast<cl_uint>(inputs.size()), inputs.data(), nullptr,
                                       nullptr, &code));
    EXPECT_EQ(CL_SUCCESS, code) << logOf(linked);
    const Memory out = makeBuffer(sizeof(cl_int));
    const Kernel kernel = makeKernel(linked, "f");
    setArguments(kernel, out.get());
    run(kernel, 1);
    return contents<cl_int>(out.get())[0];
  }
};

TEST_F(ProgramIlTest, createChecksItsArguments) {
  const std::vector<unsigned char> il = spirvModule("scale");
  cl_int code = 1;
  EXPECT_EQ(nullptr, clCreateProgramWithIL(nullptr, il.data(), il.size(), &code));
  EXPECT_EQ(CL_INVALID_CONTEXT, code);
  EXPECT_EQ(nullptr, clCreateProgramWithIL(context.get(), nullptr, il.size(), &code));
  EXPECT_EQ(CL_INVALID_VALUE, code);
  EXPECT_EQ(nullptr, clCreateProgramWithIL(context.get(), il.data(), 0, &code));
  EXPECT_EQ(CL_INVALID_VALUE, code);
  EXPECT_EQ(nullptr, clCreateProgramWithIL(context.get(), "no SPIR-V at all", 16, &code));
  EXPECT_EQ(CL_INVALID_VALUE, code);
}

TEST_F(ProgramIlTest, whatIsNotWellFormedIsRefused) {
  const std::vector<unsigned char> good = spirvModule("scale");
  std::vector<unsigned char> il(good.begin(), good.begin() + 18);
  EXPECT_EQ(CL_INVALID_VALUE, codeFor(il)) << "no whole words";
  il = {good.begin(), good.begin() + 16};
  EXPECT_EQ(CL_INVALID_VALUE, codeFor(il)) << "no whole header";
  il = {good.begin(), good.end() - 8};
  EXPECT_EQ(CL_SUCCESS, codeFor(il)) << "without OpFunctionEnd: to be told by the build";
  il = good;
  il[6] = 2;
  EXPECT_EQ(CL_INVALID_VALUE, codeFor(il)) << "version 2.0";
  il = good;
  il[5] = 7;
  EXPECT_EQ(CL_INVALID_VALUE, codeFor(il)) << "version 1.7";
  il = good;
  il[12] = 2;
  il[13] = il[14] = il[15] = 0;
  EXPECT_EQ(CL_INVALID_VALUE, codeFor(il)) << "a bound below the ids";
  il = good;
  il[22] = 0;
  EXPECT_EQ(CL_INVALID_VALUE, codeFor(il)) << "an instruction of no words";
  il = good;
  il[22] = 0xFF;
  il[23] = 0xFF;
  EXPECT_EQ(CL_INVALID_VALUE, codeFor(il)) << "an instruction beyond the end";
}

TEST_F(ProgramIlTest, buildsAndRuns) {
  const Program program = makeIl("scale");
  ASSERT_EQ(CL_SUCCESS, build(program)) << logOf(program);
  EXPECT_EQ("scale", infoString(clGetProgramInfo, program.get(), CL_PROGRAM_KERNEL_NAMES));
  EXPECT_EQ(21u, scaled(program));
}

TEST_F(ProgramIlTest, eitherByteOrderIsRead) {
  std::vector<unsigned char> il = spirvModule("scale");
  for (size_t i = 0; i < il.size(); i += 4)
    std::swap(il[i], il[i + 3]), std::swap(il[i + 1], il[i + 2]);
  const Program program = makeIl(il);
  ASSERT_EQ(CL_SUCCESS, build(program)) << logOf(program);
  EXPECT_EQ(21u, scaled(program));
}

TEST_F(ProgramIlTest, theModuleIsTold) {
  const std::vector<unsigned char> il = spirvModule("scale");
  const Program program = makeIl(il);
  EXPECT_EQ(il, infoList<unsigned char>(clGetProgramInfo, program.get(), CL_PROGRAM_IL));
  EXPECT_EQ("", infoString(clGetProgramInfo, program.get(), CL_PROGRAM_SOURCE));
}

TEST_F(ProgramIlTest, optionsOfOtherDriversArePassedOver) {
  const Program program = makeIl("scale");
  EXPECT_EQ(CL_SUCCESS, build(program, "-library-compilation -cl-std=CL9.9 -x spir"));
  EXPECT_EQ(CL_INVALID_BUILD_OPTIONS, build(program, "-D"));
  EXPECT_EQ(CL_INVALID_BUILD_OPTIONS, build(program, "\"-cl-opt-disable"));
}

TEST_F(ProgramIlTest, specializationConstantsAreReplaced) {
  const Program program = makeIl("scale");
  EXPECT_EQ(CL_SUCCESS, specialize<cl_uint>(program, 3, 5));
  EXPECT_EQ(CL_SUCCESS, specialize<cl_uint>(program, 3, 7));
  ASSERT_EQ(CL_SUCCESS, build(program)) << logOf(program);
  EXPECT_EQ(71u, scaled(program));
  EXPECT_EQ(CL_SUCCESS, specialize<cl_ushort>(program, 5, 60000));
  ASSERT_EQ(CL_SUCCESS, build(program)) << logOf(program);
  EXPECT_EQ(60070u, scaled(program));
  EXPECT_EQ(CL_SUCCESS, specialize<cl_uchar>(program, 4, 0));
  ASSERT_EQ(CL_SUCCESS, build(program)) << logOf(program);
  EXPECT_EQ(0u, scaled(program));
  const Program other = makeIl("scale");
  ASSERT_EQ(CL_SUCCESS, build(other)) << "what is cached is that of other values";
  EXPECT_EQ(21u, scaled(other));
}

TEST_F(ProgramIlTest, specializationConstantsAreChecked) {
  const Program program = makeIl("scale"), source = makeProgram("kernel void f() {}");
  cl_uint value = 0;
  const auto set = [&](cl_program handle, cl_uint id, size_t size, const void* data) {
    return clSetProgramSpecializationConstant(handle, id, size, data);
  };
  EXPECT_EQ(CL_INVALID_PROGRAM, set(nullptr, 3, sizeof(value), &value));
  EXPECT_EQ(CL_INVALID_PROGRAM, set(source.get(), 3, sizeof(value), &value));
  EXPECT_EQ(CL_INVALID_SPEC_ID, set(program.get(), 99, sizeof(value), &value));
  EXPECT_EQ(CL_INVALID_VALUE, set(program.get(), 3, 2, &value));
  EXPECT_EQ(CL_INVALID_VALUE, set(program.get(), 4, sizeof(value), &value));
  EXPECT_EQ(CL_INVALID_VALUE, set(program.get(), 3, sizeof(value), nullptr));
}

TEST_F(ProgramIlTest, linksWithOtherModulesAndWithOpenClC) {
  const Program caller = makeIl("caller"), helper = makeIl("helper");
  ASSERT_EQ(CL_SUCCESS, compile(caller)) << logOf(caller);
  ASSERT_EQ(CL_SUCCESS, compile(helper)) << logOf(helper);
  EXPECT_EQ(21, linkedResult({caller.get(), helper.get()}));
  const Program source =
      compileProgram("int __attribute__((overloadable)) helper(int x) { return x + 2; }");
  EXPECT_EQ(22, linkedResult({caller.get(), source.get()}));
}

TEST_F(ProgramIlTest, aFunctionThatExistsNowhereFailsTheBuild) {
  const Program caller = makeIl("caller");
  EXPECT_EQ(CL_BUILD_PROGRAM_FAILURE, build(caller));
  EXPECT_NE(std::string::npos, logOf(caller).find("helper")) << logOf(caller);
}

TEST_F(ProgramIlTest, theBuildLogNamesWhatTheDeviceLacks) {
  const Program shader = makeIl("shader"), extension = makeIl("unknown_extension");
  EXPECT_EQ(CL_BUILD_PROGRAM_FAILURE, build(shader));
  EXPECT_NE(std::string::npos, logOf(shader).find("word 5: OpCapability asks for the capability "
                                                  "Shader"))
      << logOf(shader);
  EXPECT_EQ(CL_BUILD_PROGRAM_FAILURE, build(extension));
  EXPECT_NE(std::string::npos, logOf(extension).find("SPV_QUERN_none")) << logOf(extension);
}

TEST_F(ProgramIlTest, binariesOfItRunWithoutIt) {
  const Program program = makeIl("scale");
  ASSERT_EQ(CL_SUCCESS, specialize<cl_uint>(program, 3, 4));
  ASSERT_EQ(CL_SUCCESS, build(program)) << logOf(program);
  const Program again = programFromBinary(binaryOf(program));
  ASSERT_EQ(CL_SUCCESS, build(again)) << logOf(again);
  EXPECT_EQ(41u, scaled(again));
  EXPECT_TRUE(infoList<char>(clGetProgramInfo, again.get(), CL_PROGRAM_IL).empty());
}

/// They are those of programs that were made from a source.
TEST_F(ProgramIlTest, argumentsTellNothing) {
  const Program program = makeIl("scale");
  ASSERT_EQ(CL_SUCCESS, build(program, "-cl-kernel-arg-info")) << logOf(program);
  const Kernel kernel = makeKernel(program, "scale");
  for (const cl_kernel_arg_info name :
       {CL_KERNEL_ARG_NAME, CL_KERNEL_ARG_TYPE_NAME, CL_KERNEL_ARG_ADDRESS_QUALIFIER})
    EXPECT_EQ(CL_KERNEL_ARG_INFO_NOT_AVAILABLE,
              clGetKernelArgInfo(kernel.get(), 0, static_cast<cl_kernel_arg_info>(name), 0, nullptr,
                                 nullptr));
}

TEST_F(ProgramIlTest, theDeviceTellsWhatItReads) {
  const std::string versions = infoString(clGetDeviceInfo, device, CL_DEVICE_IL_VERSION);
  EXPECT_EQ("SPIR-V_1.0 SPIR-V_1.1 SPIR-V_1.2 SPIR-V_1.3 SPIR-V_1.4 SPIR-V_1.5 SPIR-V_1.6",
            versions);
  const auto list = infoList<cl_name_version>(clGetDeviceInfo, device, CL_DEVICE_ILS_WITH_VERSION);
  ASSERT_EQ(7u, list.size());
  EXPECT_STREQ("SPIR-V", list[6].name);
  EXPECT_EQ(cl_version{CL_MAKE_VERSION(1, 6, 0)}, list[6].version);
}

TEST_F(ProgramIlTest, queriesListCapabilitiesExtensionsAndSets) {
  constexpr cl_device_info sets = 0x12B9, extensions = 0x12BA, capabilities = 0x12BB;
  const auto contains = [](const std::vector<const char*>& list, std::string_view name) {
    return std::any_of(list.begin(), list.end(), [&](const char* entry) { return entry == name; });
  };
  EXPECT_TRUE(contains(infoList<const char*>(clGetDeviceInfo, device, sets), "OpenCL.std"));
  EXPECT_TRUE(contains(infoList<const char*>(clGetDeviceInfo, device, extensions),
                       "SPV_KHR_expect_assume"));
  const auto numbers = infoList<cl_uint>(clGetDeviceInfo, device, capabilities);
  constexpr cl_uint kernel = 6, shader = 1;
  EXPECT_NE(numbers.end(), std::find(numbers.begin(), numbers.end(), kernel));
  EXPECT_EQ(numbers.end(), std::find(numbers.begin(), numbers.end(), shader));
}

TEST_F(ProgramIlTest, kernelsEnqueueFunctionsOfTheirModule) {
  constexpr cl_command_queue_properties onDevice =
      CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE_DEFAULT |
      CL_QUEUE_PROFILING_ENABLE;
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, onDevice, 0};
  cl_int code = 1;
  const Queue children(
      clCreateCommandQueueWithProperties(context.get(), device, properties, &code));
  ASSERT_EQ(CL_SUCCESS, code);
  for (const char* options : {"", "-g", "-cl-opt-disable"}) {
    const Program program = makeIl("enqueue");
    ASSERT_EQ(CL_SUCCESS, build(program, options)) << logOf(program);
    EXPECT_EQ("parent", infoString(clGetProgramInfo, program.get(), CL_PROGRAM_KERNEL_NAMES));
    const Kernel parent = makeKernel(program, "parent");
    const Memory out = makeBuffer(32 * sizeof(cl_uint)), info = makeBuffer(8 * sizeof(cl_uint)),
                 times = makeBuffer(std::vector<cl_ulong>{0, 0});
    setArguments(parent, out.get(), info.get(), times.get(), children.get(), cl_uint{100});
    run(parent, 1);
    const auto got = contents<cl_uint>(out.get());
    for (cl_uint i = 0; i < 16; ++i) {
      EXPECT_EQ(100 + i % 4, got[i]);
      EXPECT_EQ(2 * (100 + i % 4), got[16 + i]);
    }
    const auto ownTimes = contents<cl_ulong>(times.get());
    EXPECT_LT(0u, ownTimes[0]);
    EXPECT_LE(ownTimes[0], ownTimes[1]);
    const auto answers = contents<cl_uint>(info.get());
    EXPECT_EQ(0u, answers[0]) << "all commands were enqueued";
    EXPECT_EQ(1u, answers[1]) << "the user's event is valid";
    const cl_uint group = answers[2], subGroup = answers[4];
    EXPECT_LE(1u, group);
    EXPECT_LE(1u, answers[3]);
    // Of 4 work-items.
    EXPECT_TRUE(1 <= subGroup && subGroup <= 4) << subGroup;
    EXPECT_EQ((4 + subGroup - 1) / subGroup, answers[5]);
    EXPECT_EQ((group + answers[7] - 1) / answers[7], answers[6]);
    EXPECT_LE(subGroup, answers[7]);
  }
}

TEST_F(ProgramIlTest, pointersNeedNoTypes) {
  const Program program = makeIl("untyped_pointers");
  ASSERT_EQ(CL_SUCCESS, build(program)) << logOf(program);
  std::vector<cl_float> in(16);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = 0.5f * static_cast<cl_float>(i);
  const Memory from = makeBuffer(in), out = makeBuffer(32 * sizeof(cl_float)),
               count = makeBuffer(std::vector<cl_uint>{0});
  const Kernel kernel = makeKernel(program, "untyped");
  setArguments(kernel, from.get(), out.get(), count.get());
  run(kernel, 16);
  const auto got = contents<cl_float>(out.get());
  for (size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(in[i] + 1, got[2 * i]);
    EXPECT_EQ(in[15 - i], got[2 * i + 1]);
  }
  EXPECT_EQ(32u, contents<cl_uint>(count.get())[0]);
}

/// What OpenCL C's attributes say is told of kernels made from its source alone.
TEST_F(ProgramIlTest, kernelsHaveNoAttributes) {
  const Program program = makeIl("untyped_pointers");
  ASSERT_EQ(CL_SUCCESS, build(program)) << logOf(program);
  const Kernel kernel = makeKernel(program, "untyped");
  EXPECT_EQ("", infoString(clGetKernelInfo, kernel.get(), CL_KERNEL_ATTRIBUTES));
  size_t size[3] = {};
  EXPECT_EQ(CL_SUCCESS,
            clGetKernelWorkGroupInfo(kernel.get(), device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                     sizeof(size), size, nullptr));
  EXPECT_EQ(16u, size[0]);
}

TEST_F(ProgramIlTest, kernelsMayBeExportedByTheirNames) {
  const Program program = makeIl("exported_kernel");
  ASSERT_EQ(CL_SUCCESS, build(program)) << logOf(program);
  const Memory out = makeBuffer(4 * sizeof(cl_uint));
  const Kernel kernel = makeKernel(program, "sevens");
  setArguments(kernel, out.get());
  run(kernel, 4);
  EXPECT_EQ((std::vector<cl_uint>{7, 7, 7, 7}), contents<cl_uint>(out.get()));
}

TEST_F(ProgramIlTest, clocksAreRead) {
  const std::string extensions = infoString(clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS);
  const Program program = makeIl("clock");
  if (extensions.find("cl_khr_kernel_clock") == std::string::npos) {
    EXPECT_EQ(CL_BUILD_PROGRAM_FAILURE, build(program));
    EXPECT_NE(std::string::npos, logOf(program).find("ShaderClockKHR"));
    return;
  }
  ASSERT_EQ(CL_SUCCESS, build(program)) << logOf(program);
  const Memory out = makeBuffer(4 * sizeof(cl_ulong));
  const Kernel kernel = makeKernel(program, "clock");
  setArguments(kernel, out.get());
  run(kernel, 1);
  const auto first = contents<cl_ulong>(out.get());
  run(kernel, 1);
  const auto second = contents<cl_ulong>(out.get());
  EXPECT_LE(first[0], first[3]);
  EXPECT_LE(first[3], second[0]);
  EXPECT_NE(0u, first[1]);
  EXPECT_NE(0u, first[2]);
}

TEST_F(ProgramIlTest, intelSubGroupsShuffleAndMoveBlocks) {
  constexpr size_t items = 16, words = 6; // of a row of the image
  size_t sizes[8] = {}, bytes = 0;
  if (clGetDeviceInfo(device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof(sizes), sizes, &bytes) !=
          CL_SUCCESS ||
      std::count(sizes, sizes + bytes / sizeof(size_t), items) == 0)
    GTEST_SKIP() << "the device has no sub-groups of 16 work-items";
  const Program program = makeIl("intel_sub_groups");
  ASSERT_EQ(CL_SUCCESS, build(program)) << logOf(program);
  std::vector<cl_uint> in(2 * items);
  for (cl_uint i = 0; i < in.size(); ++i)
    in[i] = 1000 + 7 * i;
  std::vector<unsigned char> texels(4 * words * 2);
  for (size_t i = 0; i < texels.size(); ++i)
    texels[i] = static_cast<unsigned char>(3 * i + 1);
  const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
  cl_image_desc description = {};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = words;
  description.image_height = 2;
  const Memory readImage(clCreateImage(context.get(), CL_MEM_COPY_HOST_PTR, &format, &description,
                                       texels.data(), nullptr));
  const Memory writtenImage(clCreateImage(context.get(), CL_MEM_COPY_HOST_PTR, &format,
                                          &description, texels.data(), nullptr));
  const Memory input = makeBuffer(in), copy = makeBuffer(in.size() * sizeof(cl_uint)),
               out = makeBuffer(5 * items * sizeof(cl_uint));
  const Kernel kernel = makeKernel(program, "blocks");
  setArguments(kernel, input.get(), copy.get(), out.get(), readImage.get(), writtenImage.get());
  run(kernel, items);
  EXPECT_EQ(in, contents<cl_uint>(copy.get()));
  const auto got = contents<cl_uint>(out.get());
  for (size_t i = 0; i < items; ++i) {
    EXPECT_EQ(in[i + 3], got[5 * i]);
    EXPECT_EQ(in[i + items - 3], got[5 * i + 1]);
    EXPECT_EQ(in[i ^ 5], got[5 * i + 2]);
    EXPECT_EQ(in[items - 1 - i], got[5 * i + 3]);
    EXPECT_EQ(texels[4 * words + 4 + i], got[5 * i + 4]);
  }
  std::vector<cl_uint> row(words);
  const size_t origin[3] = {}, region[3] = {words, 1, 1};
  ASSERT_EQ(CL_SUCCESS, clEnqueueReadImage(queue.get(), writtenImage.get(), CL_TRUE, origin, region,
                                           0, 0, row.data(), 0, nullptr, nullptr));
  EXPECT_EQ(std::vector<cl_uint>(in.begin(), in.begin() + words), row);
}

TEST_F(ProgramIlTest, functionsAreCalledByPointers) {
  const Program program = makeIl("function_pointers");
  ASSERT_EQ(CL_SUCCESS, build(program)) << logOf(program);
  const Memory out = makeBuffer(48 * sizeof(cl_uint));
  const Kernel kernel = makeKernel(program, "pointers");
  setArguments(kernel, out.get());
  run(kernel, 16);
  const auto got = contents<cl_uint>(out.get());
  for (cl_uint i = 0; i < 16; ++i) {
    EXPECT_EQ(i % 2 == 0 ? i + 10 : i * 10, got[i]);
    EXPECT_EQ((15 - i) * 3, got[16 + i]);
    EXPECT_EQ(0u, got[32 + i]);
  }
}

TEST_F(ProgramIlTest, pointersLeadToFunctionsOfOtherModules) {
  const Program user = makeIl("pointer_user"), maker = makeIl("pointer_maker");
  ASSERT_EQ(CL_SUCCESS, compile(user)) << logOf(user);
  ASSERT_EQ(CL_SUCCESS, compile(maker)) << logOf(maker);
  const cl_program inputs[] = {user.get(), maker.get()};
  cl_int code = 1;
  const Program linked(
      clLinkProgram(context.get(), 1, &device, nullptr, 2, inputs, nullptr, nullptr, &code));
  ASSERT_EQ(CL_SUCCESS, code) << logOf(linked);
  const Memory out = makeBuffer(8 * sizeof(cl_uint));
  const Kernel kernel = makeKernel(linked, "pointers");
  setArguments(kernel, out.get());
  run(kernel, 4);
  const auto got = contents<cl_uint>(out.get());
  for (cl_uint i = 0; i < 4; ++i) {
    EXPECT_EQ(i % 2 == 0 ? 3 * i : i - 5, got[i]);
    EXPECT_EQ(i + 100, got[4 + i]);
  }
}

TEST_F(ProgramIlTest, modulesOfOlderCompilersAreRead) {
  const Program program = makeIl("global_built_ins");
  ASSERT_EQ(CL_SUCCESS, build(program)) << logOf(program);
  constexpr size_t items = 24;
  const Memory out = makeBuffer(items * sizeof(cl_ulong)),
               copy = makeBuffer(items * sizeof(cl_ulong));
  const Kernel kernel = makeKernel(program, "places");
  setArguments(kernel, out.get(), copy.get());
  run(kernel, items);
  const auto got = contents<cl_ulong>(out.get());
  for (cl_ulong i = 0; i < items; ++i)
    EXPECT_EQ(i + 100 * items, got[i]);
}

// Of KernelAbstractions.jl, for one.
TEST_F(ProgramIlTest, barriersOfAWiderScopeAreThoseOfTheWorkGroup) {
  const Program program = makeIl("wide_barrier");
  ASSERT_EQ(CL_SUCCESS, build(program)) << logOf(program);
  constexpr size_t items = 64, local = 16;
  const Memory out = makeBuffer(items * sizeof(cl_uint));
  const Kernel kernel = makeKernel(program, "wide_barrier");
  setArguments(kernel, out.get());
  ASSERT_EQ(CL_SUCCESS, clEnqueueNDRangeKernel(queue.get(), kernel.get(), 1, nullptr, &items,
                                               &local, 0, nullptr, nullptr));
  const auto got = contents<cl_uint>(out.get());
  for (cl_uint i = 0; i < items; ++i)
    EXPECT_EQ(i / local * local + local - 1 - i % local, got[i]);
}

TEST_F(ProgramIlTest, theExtensionsFunctionDoesTheSame) {
  const auto create = reinterpret_cast<decltype(&clCreateProgramWithIL)>(
      clGetExtensionFunctionAddressForPlatform(platform, "clCreateProgramWithILKHR"));
  ASSERT_NE(nullptr, create);
  const std::vector<unsigned char> il = spirvModule("scale");
  cl_int code = 1;
  const Program program(create(context.get(), il.data(), il.size(), &code));
  EXPECT_EQ(CL_SUCCESS, code);
  EXPECT_EQ(nullptr, create(context.get(), il.data(), 0, &code));
  EXPECT_EQ(CL_INVALID_VALUE, code);
}

} // namespace
} // namespace quern::test
