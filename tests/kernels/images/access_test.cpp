// Images that kernels write, read and write, and images that share memory with buffers.
#include "kernels/images/device_image.h"

namespace quern::tests {
namespace {

DeviceImage makeImage(const cl_image_format& format, const cl_image_desc& description) {
  cl_int code = CL_SUCCESS;
  cl_mem handle = clCreateImage(Device::get().context, CL_MEM_READ_WRITE, &format, &description,
                                nullptr, &code);
  check(code, "clCreateImage");
  return DeviceImage(handle);
}

struct WriteCase {
  cl_mem_object_type type;
  std::array<size_t, 3> size;
  const char* coord; ///< of int x, y, z
};

TEST(ImageAccess, everyTypeIsWritten) {
  const WriteCase cases[] = {
      {CL_MEM_OBJECT_IMAGE1D, {9, 1, 1}, "x"},
      {CL_MEM_OBJECT_IMAGE1D_ARRAY, {9, 4, 1}, "(int2)(x, y)"},
      {CL_MEM_OBJECT_IMAGE2D, {9, 4, 1}, "(int2)(x, y)"},
      {CL_MEM_OBJECT_IMAGE2D_ARRAY, {9, 4, 3}, "(int4)(x, y, z, 0)"},
      {CL_MEM_OBJECT_IMAGE3D, {9, 4, 3}, "(int4)(x, y, z, 0)"},
  };
  for (const WriteCase& one : cases)
    for (const char* access : {"write_only", "read_write"}) {
      const Program program =
          build(std::string("kernel void k(") + access + " " + typeName(one.type) + " image) {\n" +
                    "  int x = get_global_id(0) - 2, y = get_global_id(1) - 2, z = "
                    "get_global_id(2) - 2;\n" +
                    "  write_imageui(image, " + one.coord + ", (uint4)(x, y, z, 7)); }\n",
                "-cl-std=CL3.0");
      HostImage host(one.type, {CL_RGBA, CL_UNSIGNED_INT16}, one.size);
      const DeviceImage image(host);
      // More work-items than elements: writes outside of the image do nothing.
      run(program, "k", {{one.size[0] + 4, one.size[1] + 4, one.size[2] + 4}}, image.handle());
      image.read(host);
      for (size_t z = 0; z < one.size[2]; ++z)
        for (size_t y = 0; y < one.size[1]; ++y)
          for (size_t x = 0; x < one.size[0]; ++x) {
            const Color color = host.texel({x, y, z});
            EXPECT_EQ(static_cast<double>(x), color[0]);
            if (one.size[1] > 1) {
              EXPECT_EQ(static_cast<double>(y), color[1]);
            }
            if (one.size[2] > 1) {
              EXPECT_EQ(static_cast<double>(z), color[2]);
            }
            EXPECT_EQ(7, color[3]);
          }
    }
}

TEST(ImageAccess, aKernelReadsWhatItWrote) {
  const Program program = build(R"(
    kernel void k(read_write image2d_t image, global float4* out) {
      int2 at = (int2)(get_global_id(0), get_global_id(1));
      float4 before = read_imagef(image, at);
      write_imagef(image, at, before * 2);
      atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
      out[at.y * get_global_size(0) + at.x] = read_imagef(image, at) + before;
    })",
                                "-cl-std=CL3.0");
  HostImage host(CL_MEM_OBJECT_IMAGE2D, {CL_RGBA, CL_FLOAT}, {16, 8, 1});
  host.randomize(3);
  const DeviceImage image(host);
  Buffer<cl_float> out(16 * 8 * 4);
  run(program, "k", {{16, 8}}, image.handle(), out);
  const std::vector<cl_float> actual = out.read();
  for (size_t i = 0; i < 16 * 8; ++i)
    for (size_t c = 0; c < 4; ++c)
      ASSERT_FLOAT_EQ(3 * host.texel({i % 16, i / 16, 0})[c], actual[i * 4 + c]);
}

/// Neighbours exchange values through an image of their work-group.
TEST(ImageAccess, aWorkGroupExchangesValuesThroughAnImage) {
  const Program program = build(R"(
    kernel void k(read_write image1d_t image, global int* out) {
      int i = get_global_id(0), first = get_group_id(0) * get_local_size(0);
      write_imagei(image, i, (int4)(i * i, 0, 0, 0));
      work_group_barrier(CLK_IMAGE_MEM_FENCE);
      int other = first + (get_local_id(0) + 1) % get_local_size(0);
      out[i] = read_imagei(image, other).x;
    })",
                                "-cl-std=CL3.0");
  const HostImage host(CL_MEM_OBJECT_IMAGE1D, {CL_R, CL_SIGNED_INT32}, {64, 1, 1});
  const DeviceImage image(host);
  Buffer<cl_int> out(64);
  run(program, "k", {{64}, {16}}, image.handle(), out);
  EXPECT_EQ(tabulate<cl_int>(64,
                             [](size_t i) {
                               const size_t other = i / 16 * 16 + (i + 1) % 16;
                               return other * other;
                             }),
            out.read());
}

TEST(ImageAccess, anImageOfABufferSharesItsMemory) {
  const Program program = build(R"(
    kernel void line(read_only image1d_buffer_t image, global float* out) {
      int i = get_global_id(0);
      out[i] = read_imagef(image, i).x * 2;
    }
    kernel void plane(read_only image2d_t in, write_only image2d_t out) {
      int2 at = (int2)(get_global_id(0), get_global_id(1));
      write_imagef(out, at, read_imagef(in, at) + 1);
    })");
  const Buffer<cl_float> buffer(tabulate<cl_float>(64, [](size_t i) { return i; }));
  cl_image_desc description = {};
  description.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  description.image_width = 64;
  description.mem_object = buffer.handle();
  const DeviceImage line = makeImage({CL_R, CL_FLOAT}, description);
  Buffer<cl_float> doubled(64);
  run(program, "line", {{64}}, line.handle(), doubled);
  EXPECT_EQ(tabulate<cl_float>(64, [](size_t i) { return 2 * i; }), doubled.read());

  // Rows of 10 floats, of which the image has 7.
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = 7;
  description.image_height = 6;
  description.image_row_pitch = 40;
  const DeviceImage plane = makeImage({CL_R, CL_FLOAT}, description);
  description.mem_object = doubled.handle();
  const DeviceImage other = makeImage({CL_R, CL_FLOAT}, description);
  run(program, "plane", {{7, 6}}, plane.handle(), other.handle());
  EXPECT_EQ(tabulate<cl_float>(64, [](size_t i) { return i < 60 && i % 10 < 7 ? i + 1 : 2 * i; }),
            doubled.read());
}

TEST(ImageAccess, memoryOfTheHostIsUsedWithItsPitches) {
  const Program program = build(R"(
    kernel void k(read_only image3d_t in, write_only image3d_t out) {
      int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
      write_imageui(out, at, read_imageui(in, at) + (uint4)(1));
    })",
                                "-cl-std=CL3.0");
  // 3 x 2 x 2 elements, rows of 5, slices of 3 rows; an odd address must do.
  std::vector<uint8_t> memory(1 + 30, 50), result(1 + 30, 9);
  cl_image_desc description = {};
  description.image_type = CL_MEM_OBJECT_IMAGE3D;
  description.image_width = 3;
  description.image_height = description.image_depth = 2;
  description.image_row_pitch = 5;
  description.image_slice_pitch = 15;
  const cl_image_format format = {CL_R, CL_UNSIGNED_INT8};
  const auto use = [&](std::vector<uint8_t>& bytes) {
    cl_int code = CL_SUCCESS;
    cl_mem handle = clCreateImage(Device::get().context, CL_MEM_USE_HOST_PTR, &format, &description,
                                  bytes.data() + 1, &code);
    check(code, "clCreateImage");
    return DeviceImage(handle);
  };
  const DeviceImage in = use(memory), out = use(result);
  run(program, "k", {{3, 2, 2}}, in.handle(), out.handle());
  // A device with memory of its own brings what it wrote when the image is mapped.
  const cl_command_queue queue = Device::get().queue;
  const size_t origin[3] = {}, region[3] = {3, 2, 2};
  size_t rowPitch = 0, slicePitch = 0;
  cl_int code = CL_SUCCESS;
  void* mapped = clEnqueueMapImage(queue, out.handle(), CL_TRUE, CL_MAP_READ, origin, region,
                                   &rowPitch, &slicePitch, 0, nullptr, nullptr, &code);
  check(code, "clEnqueueMapImage");
  EXPECT_EQ(result.data() + 1, mapped);
  EXPECT_EQ(5u, rowPitch);
  EXPECT_EQ(15u, slicePitch);
  for (size_t i = 0; i < 30; ++i) {
    const bool inside = i % 5 < 3 && i % 15 < 10;
    EXPECT_EQ(inside ? 51 : 9, result[i + 1]) << "byte " << i;
  }
  check(clEnqueueUnmapMemObject(queue, out.handle(), mapped, 0, nullptr, nullptr),
        "clEnqueueUnmapMemObject");
}

/// Rows are where the pitch of the map says, wherever the program had them.
TEST(ImageAccess, rowsAreCopiedFromTheHostAndMapped) {
  constexpr size_t width = 13, height = 5, givenPitch = 20;
  const Device& device = Device::get();
  std::vector<cl_uchar> given(givenPitch * height);
  for (size_t i = 0; i < given.size(); ++i)
    given[i] = static_cast<cl_uchar>(i);
  const cl_image_format format = {CL_R, CL_UNSIGNED_INT8};
  cl_image_desc description = {};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = width;
  description.image_height = height;
  description.image_row_pitch = givenPitch;
  cl_int code = CL_SUCCESS;
  const DeviceImage image(clCreateImage(device.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                        &format, &description, given.data(), &code));
  ASSERT_EQ(CL_SUCCESS, code);
  const size_t origin[] = {0, 0, 0}, region[] = {width, height, 1};
  const auto map = [&](cl_map_flags flags, size_t& pitch) {
    auto* rows = static_cast<cl_uchar*>(clEnqueueMapImage(device.queue, image.handle(), CL_TRUE,
                                                          flags, origin, region, &pitch, nullptr, 0,
                                                          nullptr, nullptr, &code));
    EXPECT_EQ(CL_SUCCESS, code);
    return rows;
  };
  const auto unmap = [&](void* rows) {
    ASSERT_EQ(CL_SUCCESS,
              clEnqueueUnmapMemObject(device.queue, image.handle(), rows, 0, nullptr, nullptr));
  };
  size_t pitch = 0;
  cl_uchar* rows = map(CL_MAP_READ, pitch);
  ASSERT_LE(width, pitch);
  for (size_t y = 0; y < height; ++y)
    for (size_t x = 0; x < width; ++x)
      ASSERT_EQ(given[y * givenPitch + x], rows[y * pitch + x]) << x << ", " << y;
  unmap(rows);
  rows = map(CL_MAP_WRITE_INVALIDATE_REGION, pitch);
  for (size_t y = 0; y < height; ++y)
    for (size_t x = 0; x < width; ++x)
      rows[y * pitch + x] = static_cast<cl_uchar>(100 + y * width + x);
  unmap(rows);
  const Program program = build(R"(
    kernel void k(read_only image2d_t image, global uint* out) {
      int x = get_global_id(0), y = get_global_id(1);
      out[y * get_global_size(0) + x] = read_imageui(image, (int2)(x, y)).x;
    })");
  Buffer<cl_uint> out(width * height);
  run(program, "k", {{width, height}}, image.handle(), out);
  const std::vector<cl_uint> actual = out.read();
  for (size_t i = 0; i < actual.size(); ++i)
    EXPECT_EQ(100 + i, actual[i]);
}

TEST(ImageAccess, colorsCanBeOfHalf) {
  const Program program = build(R"(
    #pragma OPENCL EXTENSION cl_khr_fp16 : enable
    kernel void k(read_only image2d_t in, write_only image2d_t out) {
      const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
      int2 at = (int2)(get_global_id(0), 0);
      half4 color = read_imageh(in, s, at) + read_imageh(in, s, convert_float2(at) + 0.5f);
      write_imageh(out, at, color / (half)2);
    })");
  HostImage host(CL_MEM_OBJECT_IMAGE2D, {CL_RGBA, CL_HALF_FLOAT}, {64, 1, 1});
  host.randomize(5);
  // The sum must not overflow.
  for (size_t i = 1; i < host.bytes().size(); i += 2)
    host.bytes()[i] &= 0xbf;
  const DeviceImage in(host), out(HostImage(host.type(), host.format(), host.size()));
  run(program, "k", {{64}}, in.handle(), out.handle());
  HostImage written = host;
  out.read(written);
  for (size_t i = 0; i < 64; ++i)
    EXPECT_EQ(host.texel({i, 0, 0}), written.texel({i, 0, 0}));
}

TEST(ImageAccess, withoutOptimizationToo) {
  const Program program = build(R"(
    constant sampler_t repeat =
        CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
    kernel void k(read_only image2d_t in, sampler_t s, global float4* out) {
      int i = get_global_id(0);
      float2 at = (float2)((i + 0.5f) / 8, 0.5f);
      out[i] = read_imagef(in, repeat, at) - read_imagef(in, s, at + 3) + read_imagef(in, (int2)(i, 0));
    })",
                                "-cl-opt-disable");
  HostImage host(CL_MEM_OBJECT_IMAGE2D, {CL_RGBA, CL_UNORM_INT8}, {8, 1, 1});
  host.randomize(6);
  const DeviceImage in(host);
  const DeviceSampler sampler({true, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR});
  Buffer<cl_float> out(32);
  run(program, "k", {{8}}, in.handle(), sampler.handle(), out);
  const std::vector<cl_float> actual = out.read();
  for (size_t i = 0; i < 32; ++i)
    EXPECT_NEAR(host.texel({i / 4, 0, 0})[i % 4], actual[i], 1e-5);
}

TEST(ImageAccess, aViewOfAnImageHasAnotherOrder) {
  const Program program = build(R"(
    kernel void k(read_only image2d_t image, global float4* out) {
      out[0] = read_imagef(image, (int2)(0, 0));
    })");
  HostImage host(CL_MEM_OBJECT_IMAGE2D, {CL_RGBA, CL_UNORM_INT8}, {1, 1, 1});
  host.bytes() = {10, 100, 200, 50};
  const DeviceImage linear(host);
  cl_image_desc description = descriptionOf(host);
  description.mem_object = linear.handle();
  const cl_image_format srgb = {CL_sRGBA, CL_UNORM_INT8};
  cl_int code = CL_SUCCESS;
  const DeviceImage view(
      clCreateImage(Device::get().context, CL_MEM_READ_ONLY, &srgb, &description, nullptr, &code));
  ASSERT_EQ(CL_SUCCESS, code);
  Buffer<cl_float> out(4);
  run(program, "k", {{1}}, view.handle(), out);
  HostImage expected(CL_MEM_OBJECT_IMAGE2D, srgb, {1, 1, 1});
  expected.bytes() = host.bytes();
  for (size_t c = 0; c < 4; ++c)
    EXPECT_NEAR(expected.texel({0, 0, 0})[c], out.read()[c], 1e-6);
}

} // namespace
} // namespace quern::tests
