// Extensions of the language that are not families of their own.
#include "kernels/kernel_fixture.h"

#include <CL/cl_ext.h>

#include <algorithm>

namespace quern::tests {
namespace {

TEST(Extensions, macrosAreDefinedInEveryVersion) {
  for (const char* standard : {"CL1.2", "CL2.0", "CL3.0"})
    for (const char* name : {"cl_khr_extended_bit_ops", "cl_khr_integer_dot_product",
                             "cl_khr_extended_async_copies", "cl_khr_kernel_clock"}) {
      if (Device::get().lacks({name}))
        continue;
      SCOPED_TRACE(std::string(standard) + " " + name);
      EXPECT_EQ(tryBuild(std::string("#ifndef ") + name +
                             "\n#error it is missing\n#endif\nkernel void k() {}",
                         std::string("-cl-std=") + standard)
                    .code,
                CL_SUCCESS);
    }
}

TEST(Extensions, extendedBitOperations) {
  QUERN_NEEDS("cl_khr_extended_bit_ops");
  constexpr size_t count = 256;
  Buffer<cl_uint> out(4 * count);
  run(build(R"(
    kernel void k(global uint* out) {
      uint i = get_global_id(0), x = i * 0x9e3779b9u, y = ~x * 7;
      uint offset = i % 32, width = (i / 32 * 5) % (33 - offset);
      global uint* own = out + 4 * i;
      own[0] = bitfield_insert(x, y, offset, width);
      own[1] = bitfield_extract_unsigned(x, offset, width);
      own[2] = bitfield_extract_signed(x, offset, width);
      own[3] = bit_reverse(x);
    })"),
      "k", {{count}}, out);
  std::vector<cl_uint> expected;
  for (cl_uint i = 0; i < count; ++i) {
    const cl_uint x = i * 0x9e3779b9u, y = ~x * 7, offset = i % 32;
    const cl_uint width = (i / 32 * 5) % (33 - offset);
    const cl_ulong mask = ((cl_ulong(1) << width) - 1) << offset;
    expected.push_back(cl_uint((x & ~mask) | (cl_ulong(y) << offset & mask)));
    const cl_uint part = cl_uint((x & mask) >> offset);
    expected.push_back(part);
    expected.push_back(width > 0 && part >> (width - 1) ? cl_uint(part | ~cl_ulong(0) << width)
                                                        : part);
    cl_uint reversed = 0;
    for (cl_uint bit = 0; bit < 32; ++bit)
      reversed |= (x >> bit & 1) << (31 - bit);
    expected.push_back(reversed);
  }
  EXPECT_EQ(out.read(), expected);
}

TEST(Extensions, integerDotProducts) {
  QUERN_NEEDS("cl_khr_integer_dot_product");
  using Capabilities = cl_device_integer_dot_product_capabilities_khr;
  EXPECT_EQ(Device::get().info<Capabilities>(CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR),
            Capabilities{CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR |
                         CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR});
  constexpr size_t count = 100;
  Buffer<cl_int> out(6 * count);
  run(build(R"(
    kernel void k(global int* out) {
      uint i = get_global_id(0), x = i * 0x9e3779b9u, y = ~x * 7;
      global int* own = out + 6 * i;
      own[0] = dot(as_char4(x), as_char4(y));
      own[1] = dot(as_uchar4(x), as_uchar4(y));
      own[2] = dot(as_uchar4(x), as_char4(y));
      own[3] = dot_4x8packed_ss_int(x, y);
      own[4] = dot_acc_sat(as_char4(x), as_char4(y), INT_MAX - 1000);
      own[5] = dot_acc_sat_4x8packed_us_int(x, y, INT_MIN + 1000);
    })",
            openClC3),
      "k", {{count}}, out);
  const auto byte = [](cl_uint x, int k, bool isSigned) {
    const cl_uchar value = cl_uchar(x >> 8 * k);
    return isSigned ? cl_long(cl_char(value)) : cl_long(value);
  };
  std::vector<cl_int> expected;
  for (cl_uint i = 0; i < count; ++i) {
    const cl_uint x = i * 0x9e3779b9u, y = ~x * 7;
    cl_long ss = 0, uu = 0, us = 0;
    for (int k = 0; k < 4; ++k) {
      ss += byte(x, k, true) * byte(y, k, true);
      uu += byte(x, k, false) * byte(y, k, false);
      us += byte(x, k, false) * byte(y, k, true);
    }
    const auto saturated = [](cl_long value) {
      return cl_int(std::clamp<cl_long>(value, CL_INT_MIN, CL_INT_MAX));
    };
    for (const cl_long value : {ss, uu, us, ss})
      expected.push_back(cl_int(value));
    expected.push_back(saturated(ss + CL_INT_MAX - 1000));
    expected.push_back(saturated(us + CL_INT_MIN + 1000));
  }
  EXPECT_EQ(out.read(), expected);
}

TEST(Extensions, copiesOfLinesAndPlanes) {
  QUERN_NEEDS("cl_khr_extended_async_copies");
  // A box of 5 x 3 x 2 shorts at (2, 1, 1) of 9 x 6 x 4, mirrored into other lines and planes.
  const std::vector<cl_short> in =
      tabulate<cl_short>(9 * 6 * 4, [](size_t i) { return 7 * i + 1; });
  Buffer<cl_short> input(in), out(7 * 5 * 3, -1);
  run(build(R"(
    kernel void k(global const short* in, global short* out) {
      local short box[6 * 4 * 2];
      event_t event = async_work_group_copy_3D3D(box, 1, in, 2 + 9 * (1 + 6 * 1), sizeof(short),
                                                 5, 3, 2, 9, 54, 6, 24, 0);
      wait_group_events(1, &event);
      event = async_work_group_copy_3D3D(out, 7 * 1 + 1, box, 1, sizeof(short),
                                         5, 3, 2, 6, 24, 7, 35, 0);
      event = async_work_group_copy_2D2D(out, 40, box, 1, 2 * sizeof(short), 2, 2, 3, 3, event);
      wait_group_events(1, &event);
    })"),
      "k", {{4}, {4}}, input, out);
  std::vector<cl_short> expected(7 * 5 * 3, -1);
  const auto at = [&](size_t x, size_t y, size_t z) {
    return in[x + 2 + 9 * (y + 1 + 6 * (z + 1))];
  };
  for (size_t z = 0; z < 2; ++z)
    for (size_t y = 0; y < 3; ++y)
      for (size_t x = 0; x < 5; ++x)
        expected[x + 1 + 7 * (y + 1) + 35 * z] = at(x, y, z);
  // Then two lines of two pairs of shorts, with everything counted in pairs.
  std::vector<cl_short> box(48);
  for (size_t z = 0; z < 2; ++z)
    for (size_t y = 0; y < 3; ++y)
      for (size_t x = 0; x < 5; ++x)
        box[1 + x + 6 * y + 24 * z] = at(x, y, z);
  for (size_t line = 0; line < 2; ++line)
    for (size_t x = 0; x < 4; ++x)
      expected[2 * (40 + 3 * line) + x] = box[2 * (1 + 3 * line) + x];
  EXPECT_EQ(out.read(), expected);
}

TEST(Extensions, clocksGoForward) {
  QUERN_NEEDS("cl_khr_kernel_clock");
  constexpr cl_device_info capabilities = 0x1076; // CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR
  EXPECT_EQ(Device::get().info<cl_bitfield>(capabilities), cl_bitfield{7}) << "all scopes";
  Buffer<cl_ulong> out(6);
  const Program program = build(R"(
    kernel void k(global ulong* out) {
      out[0] = clock_read_device();
      out[1] = as_ulong(clock_read_hilo_device());
      out[2] = clock_read_work_group();
      out[3] = as_ulong(clock_read_hilo_work_group());
      out[4] = clock_read_sub_group();
      out[5] = as_ulong(clock_read_hilo_sub_group());
    })",
                                openClC3);
  run(program, "k", {{1}}, out);
  // Each scope may have a clock of its own.
  const std::vector<cl_ulong> first = out.read();
  for (size_t scope = 0; scope < 3; ++scope)
    EXPECT_LE(first[2 * scope], first[2 * scope + 1]) << scope;
  run(program, "k", {{1}}, out);
  EXPECT_GE(out.read()[0], first[1]);
}

TEST(Extensions, clocksCountWhatAWorkItemDoes) {
  QUERN_NEEDS("cl_khr_kernel_clock");
  const Program program = build(R"(
    kernel void k(global ulong* out, global uint* x, int rounds) {
      ulong before[3] = {clock_read_device(), clock_read_work_group(), clock_read_sub_group()};
      uint value = *x;
      for (int i = 0; i < rounds; ++i)
        value = value * 1664525 + *(volatile global uint*)x;
      *x = value;
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      out[0] = clock_read_device() - before[0];
      out[1] = clock_read_work_group() - before[1];
      out[2] = clock_read_sub_group() - before[2];
    })",
                                openClC3);
  Buffer<cl_ulong> out(3);
  Buffer<cl_uint> x(1, 1);
  run(program, "k", {{1}}, out, x, 1'000'000);
  for (const cl_ulong ticks : out.read()) {
    EXPECT_GT(ticks, 100'000u);
    EXPECT_LT(ticks, 1'000'000'000'000u);
  }
}

TEST(Extensions, expectationsAndAssumptions) {
  QUERN_NEEDS("cl_khr_expect_assume");
  Buffer<cl_int> out(16);
  run(build(R"(
    kernel void k(global int* out) {
      int id = get_global_id(0);
      __builtin_assume(id >= 0 && id < 16);
      out[id] = __builtin_expect(id == 3, 0) ? 100 : id / 4;
    })"),
      "k", {{16}}, out);
  EXPECT_EQ(out.read(), tabulate<cl_int>(16, [](int i) { return i == 3 ? 100 : i / 4; }));
}

TEST(Extensions, featureMacrosAndQueriesAgree) {
  QUERN_NEEDS("OpenCL C 3.0.0");
  size_t bytes = 0;
  check(clGetDeviceInfo(Device::get().id, CL_DEVICE_OPENCL_C_FEATURES, 0, nullptr, &bytes), "size");
  std::vector<cl_name_version> features(bytes / sizeof(cl_name_version));
  check(clGetDeviceInfo(Device::get().id, CL_DEVICE_OPENCL_C_FEATURES, bytes, features.data(),
                        nullptr),
        "clGetDeviceInfo");
  const auto claims = [&](std::string_view name) {
    return std::ranges::any_of(features, [&](const cl_name_version& f) { return name == f.name; });
  };
  for (const cl_name_version& feature : features) {
    SCOPED_TRACE(feature.name);
    EXPECT_EQ(tryBuild(std::string("#ifndef ") + feature.name +
                           "\n#error it is missing\n#endif\nkernel void k() {}",
                       openClC3)
                  .code,
              CL_SUCCESS);
  }
  const auto has = [](cl_device_info what, cl_bitfield bits) {
    return (Device::get().info<cl_bitfield>(what) & bits) == bits;
  };
  constexpr cl_device_info memory = CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES;
  constexpr cl_device_info fence = CL_DEVICE_ATOMIC_FENCE_CAPABILITIES;
  EXPECT_EQ(claims("__opencl_c_atomic_order_acq_rel"), has(memory, CL_DEVICE_ATOMIC_ORDER_ACQ_REL));
  EXPECT_TRUE(has(fence, CL_DEVICE_ATOMIC_ORDER_ACQ_REL));
  EXPECT_EQ(claims("__opencl_c_atomic_order_seq_cst"), has(memory, CL_DEVICE_ATOMIC_ORDER_SEQ_CST));
  EXPECT_EQ(claims("__opencl_c_atomic_scope_device"), has(memory, CL_DEVICE_ATOMIC_SCOPE_DEVICE));
  EXPECT_EQ(claims("__opencl_c_atomic_scope_all_devices"),
            has(memory, CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES));
  const auto isTrue = [](cl_device_info what) {
    return Device::get().info<cl_bool>(what) == CL_TRUE;
  };
  EXPECT_EQ(claims("__opencl_c_generic_address_space"),
            isTrue(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT));
  EXPECT_EQ(claims("__opencl_c_work_group_collective_functions"),
            isTrue(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT));
  EXPECT_EQ(claims("__opencl_c_pipes"), isTrue(CL_DEVICE_PIPE_SUPPORT));
  EXPECT_EQ(claims("__opencl_c_device_enqueue"),
            Device::get().info<cl_device_device_enqueue_capabilities>(
                CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES) != 0);
  EXPECT_EQ(claims("__opencl_c_images"), isTrue(CL_DEVICE_IMAGE_SUPPORT));
  EXPECT_EQ(claims("__opencl_c_subgroups"),
            Device::get().info<cl_uint>(CL_DEVICE_MAX_NUM_SUB_GROUPS) > 0);
  EXPECT_EQ(claims("__opencl_c_program_scope_global_variables"),
            Device::get().info<size_t>(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE) > 0);
  EXPECT_EQ(claims("__opencl_c_fp64"), Device::get().claims("cl_khr_fp64"));
  EXPECT_EQ(claims("__opencl_c_device_enqueue"),
            has(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, CL_DEVICE_QUEUE_SUPPORTED));
  EXPECT_TRUE(claims("__opencl_c_int64"));
}

} // namespace
} // namespace quern::tests
