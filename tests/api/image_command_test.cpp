#include <functional>
#include <numeric>

#include "opencl_test.h"

namespace quern::test {
namespace {

using Place = std::array<size_t, 3>;

/// Commands on a 3D image of 4 x 3 x 2 elements of 2 bytes, numbered from 0.
class ImageCommandTest : public OpenClTest {
protected:
  void SetUp() override {
    OpenClTest::SetUp();
    numbers.resize(24);
    std::iota(numbers.begin(), numbers.end(), cl_ushort{0});
    image = makeImage(CL_MEM_READ_WRITE);
  }
  Memory makeImage(cl_mem_flags flags, cl_mem_object_type type = CL_MEM_OBJECT_IMAGE3D) {
    cl_image_desc desc = {};
    desc.image_type = type;
    desc.image_width = 4;
    desc.image_height = 3;
    desc.image_depth = desc.image_array_size = 2;
    cl_int code = 0;
    Memory made(clCreateImage(context.get(), flags | CL_MEM_COPY_HOST_PTR, &format, &desc,
                              numbers.data(), &code));
    EXPECT_EQ(CL_SUCCESS, code);
    return made;
  }
  cl_int read(const Memory& from, const Place& origin, const Place& region, void* to,
              size_t rowPitch = 0, size_t slicePitch = 0) {
    return clEnqueueReadImage(queue.get(), from.get(), CL_TRUE, origin.data(), region.data(),
                              rowPitch, slicePitch, to, 0, nullptr, nullptr);
  }
  std::vector<cl_ushort> all(const Memory& from) {
    std::vector<cl_ushort> values(24);
    EXPECT_EQ(CL_SUCCESS, read(from, zero, whole, values.data()));
    return values;
  }

  const Place zero = {0, 0, 0}, whole = {4, 3, 2}, one = {1, 1, 1};
  cl_image_format format = {CL_R, CL_UNSIGNED_INT16};
  std::vector<cl_ushort> numbers;
  Memory image;
  size_t rowPitch = 0, slicePitch = 0;
  cl_int code = 0;
};

TEST_F(ImageCommandTest, readsWithPitches) {
  std::vector<cl_ushort> values(40, 99);
  ASSERT_EQ(CL_SUCCESS, read(image, {1, 1, 0}, {2, 2, 2}, values.data(), 10, 30));
  std::vector<cl_ushort> expected(40, 99);
  for (size_t z = 0; z < 2; ++z)
    for (size_t y = 0; y < 2; ++y)
      for (size_t x = 0; x < 2; ++x)
        expected[z * 15 + y * 5 + x] = static_cast<cl_ushort>(z * 12 + (y + 1) * 4 + x + 1);
  EXPECT_EQ(expected, values);
}

TEST_F(ImageCommandTest, writesWithPitches) {
  std::vector<cl_ushort> values(40);
  std::iota(values.begin(), values.end(), cl_ushort{100});
  const Place origin = {2, 0, 0}, region = {2, 3, 2};
  ASSERT_EQ(CL_SUCCESS,
            clEnqueueWriteImage(queue.get(), image.get(), CL_TRUE, origin.data(), region.data(), 8,
                                40, values.data(), 0, nullptr, nullptr));
  std::vector<cl_ushort> expected = numbers;
  for (size_t z = 0; z < 2; ++z)
    for (size_t y = 0; y < 3; ++y)
      for (size_t x = 0; x < 2; ++x)
        expected[z * 12 + y * 4 + x + 2] = static_cast<cl_ushort>(100 + z * 20 + y * 4 + x);
  EXPECT_EQ(expected, all(image));
}

TEST_F(ImageCommandTest, layersOfLinesUseTheSlicePitch) {
  cl_image_desc desc = {};
  desc.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY;
  desc.image_width = 4;
  desc.image_array_size = 3;
  const Memory array(
      clCreateImage(context.get(), CL_MEM_COPY_HOST_PTR, &format, &desc, numbers.data(), &code));
  ASSERT_EQ(CL_SUCCESS, code);
  std::vector<cl_ushort> values(24, 99);
  ASSERT_EQ(CL_SUCCESS, read(array, {1, 1, 0}, {2, 2, 1}, values.data(), 0, 12));
  EXPECT_EQ(5, values[0]);
  EXPECT_EQ(6, values[1]);
  EXPECT_EQ(99, values[2]);
  EXPECT_EQ(9, values[6]);
  EXPECT_EQ(10, values[7]);
  EXPECT_EQ(CL_INVALID_VALUE, read(array, {0, 0, 1}, {1, 1, 1}, values.data()));
}

TEST_F(ImageCommandTest, copiesBetweenImages) {
  const Memory array = makeImage(CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D_ARRAY);
  const Place from = {0, 1, 1}, to = {1, 0, 0}, region = {3, 2, 1};
  ASSERT_EQ(CL_SUCCESS, clEnqueueCopyImage(queue.get(), image.get(), array.get(), from.data(),
                                           to.data(), region.data(), 0, nullptr, nullptr));
  std::vector<cl_ushort> expected = numbers;
  for (size_t y = 0; y < 2; ++y)
    for (size_t x = 0; x < 3; ++x)
      expected[y * 4 + x + 1] = static_cast<cl_ushort>(12 + (y + 1) * 4 + x);
  EXPECT_EQ(expected, all(array));
  // Inside one image, as long as the regions do not overlap.
  const Place side = {2, 0, 0}, half = {2, 3, 2}, near = {1, 0, 0};
  EXPECT_EQ(CL_SUCCESS, clEnqueueCopyImage(queue.get(), image.get(), image.get(), zero.data(),
                                           side.data(), half.data(), 0, nullptr, nullptr));
  EXPECT_EQ(CL_MEM_COPY_OVERLAP,
            clEnqueueCopyImage(queue.get(), image.get(), image.get(), zero.data(), near.data(),
                               half.data(), 0, nullptr, nullptr));
  EXPECT_EQ(numbers[12], all(image)[14]);
}

TEST_F(ImageCommandTest, copiesToAndFromBuffers) {
  const Memory buffer = makeBuffer(std::vector<cl_ushort>(24, 7));
  const Place origin = {1, 0, 1}, region = {2, 3, 1};
  ASSERT_EQ(CL_SUCCESS,
            clEnqueueCopyImageToBuffer(queue.get(), image.get(), buffer.get(), origin.data(),
                                       region.data(), 4, 0, nullptr, nullptr));
  const std::vector<cl_ushort> values = contents<cl_ushort>(buffer.get());
  EXPECT_EQ((std::vector<cl_ushort>{7, 7, 13, 14, 17, 18, 21, 22, 7}),
            std::vector<cl_ushort>(values.begin(), values.begin() + 9));
  ASSERT_EQ(CL_SUCCESS,
            clEnqueueCopyBufferToImage(queue.get(), buffer.get(), image.get(), 2, zero.data(),
                                       region.data(), 0, nullptr, nullptr));
  const std::vector<cl_ushort> after = all(image);
  EXPECT_EQ((std::vector<cl_ushort>{7, 13, 2, 3, 14, 17, 6, 7, 18, 21}),
            std::vector<cl_ushort>(after.begin(), after.begin() + 10));
  const auto copy = [&](size_t offset, const Memory& from, const Memory& to) {
    return clEnqueueCopyImageToBuffer(queue.get(), from.get(), to.get(), zero.data(), whole.data(),
                                      offset, 0, nullptr, nullptr);
  };
  EXPECT_EQ(CL_SUCCESS, copy(0, image, buffer));
  EXPECT_EQ(CL_INVALID_VALUE, copy(2, image, buffer));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, copy(0, buffer, buffer));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, copy(0, image, image));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT,
            clEnqueueCopyBufferToImage(queue.get(), image.get(), image.get(), 0, zero.data(),
                                       whole.data(), 0, nullptr, nullptr));
  // A line made of this very buffer.
  cl_image_desc desc = {};
  desc.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  desc.image_width = 8;
  desc.mem_object = buffer.get();
  const Memory line(clCreateImage(context.get(), 0, &format, &desc, nullptr, &code));
  ASSERT_EQ(CL_SUCCESS, code);
  EXPECT_EQ(CL_INVALID_MEM_OBJECT,
            clEnqueueCopyImageToBuffer(queue.get(), line.get(), buffer.get(), zero.data(),
                                       one.data(), 0, 0, nullptr, nullptr));
}

struct FillCase {
  cl_image_format format;
  std::vector<unsigned char> element;
};

TEST_F(ImageCommandTest, fillsWithTheColorInTheImagesFormat) {
  const cl_float floats[] = {1.0f, 0.5f, 0.0f, 2.0f};
  const cl_int ints[] = {-5, 70000, -70000, 3};
  const cl_uint uints[] = {5, 70000, 300, 3};
  const FillCase cases[] = {
      {{CL_RGBA, CL_UNORM_INT8}, {255, 128, 0, 255}},
      {{CL_BGRA, CL_UNORM_INT8}, {0, 128, 255, 255}},
      {{CL_ARGB, CL_UNORM_INT8}, {255, 255, 128, 0}},
      {{CL_ABGR, CL_UNORM_INT8}, {255, 0, 128, 255}},
      {{CL_RGBA, CL_SNORM_INT8}, {127, 64, 0, 127}},
      {{CL_A, CL_UNORM_INT8}, {255}},
      {{CL_RA, CL_UNORM_INT8}, {255, 255}},
      {{CL_LUMINANCE, CL_UNORM_INT16}, {255, 255}},
      {{CL_RGB, CL_UNORM_SHORT_565}, {0x00, 0xfc}},
      {{CL_RGB, CL_UNORM_SHORT_555}, {0x00, 0x7e}},
      {{CL_RGB, CL_UNORM_INT_101010}, {0x00, 0x00, 0xf8, 0x3f}},
      {{CL_RGBA, CL_UNORM_INT_101010_2}, {0x03, 0x00, 0xe0, 0xff}},
      {{CL_RG, CL_HALF_FLOAT}, {0x00, 0x3c, 0x00, 0x38}},
      {{CL_R, CL_FLOAT}, {0x00, 0x00, 0x80, 0x3f}},
      {{CL_DEPTH, CL_FLOAT}, {0x00, 0x00, 0x80, 0x3f}},
      {{CL_sRGBA, CL_UNORM_INT8}, {255, 188, 0, 255}},
      {{CL_RGBA, CL_SIGNED_INT8}, {251, 127, 128, 3}},
      {{CL_RG, CL_SIGNED_INT16}, {251, 255, 255, 127}},
      {{CL_RG, CL_UNSIGNED_INT8}, {5, 255}},
      {{CL_R, CL_UNSIGNED_INT32}, {5, 0, 0, 0}},
  };
  for (const FillCase& test : cases) {
    const size_t bytes = test.element.size();
    cl_image_desc desc = {};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = desc.image_height = 3;
    std::vector<unsigned char> zeros(9 * bytes);
    const Memory target(clCreateImage(context.get(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                      &test.format, &desc, zeros.data(), &code));
    ASSERT_EQ(CL_SUCCESS, code) << test.format.image_channel_order;
    const bool isSigned = test.format.image_channel_data_type == CL_SIGNED_INT8 ||
                          test.format.image_channel_data_type == CL_SIGNED_INT16;
    const bool isUnsigned = test.format.image_channel_data_type == CL_UNSIGNED_INT8 ||
                            test.format.image_channel_data_type == CL_UNSIGNED_INT32;
    const void* color = isSigned ? static_cast<const void*>(ints) : floats;
    const Place origin = {1, 1, 0}, region = {2, 1, 1}, square = {3, 3, 1};
    ASSERT_EQ(CL_SUCCESS, clEnqueueFillImage(queue.get(), target.get(), isUnsigned ? uints : color,
                                             origin.data(), region.data(), 0, nullptr, nullptr));
    std::vector<unsigned char> actual(9 * bytes), expected(9 * bytes);
    for (const size_t element : {4, 5})
      std::copy(test.element.begin(), test.element.end(), expected.begin() + element * bytes);
    ASSERT_EQ(CL_SUCCESS, read(target, zero, square, actual.data()));
    EXPECT_EQ(expected, actual) << test.format.image_channel_order << " "
                                << test.format.image_channel_data_type;
  }
}

TEST_F(ImageCommandTest, mapsTheElementsThemselves) {
  const Place origin = {1, 2, 1}, region = {3, 1, 1};
  auto* mapped = static_cast<cl_ushort*>(clEnqueueMapImage(
      queue.get(), image.get(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, origin.data(), region.data(),
      &rowPitch, &slicePitch, 0, nullptr, nullptr, &code));
  ASSERT_EQ(CL_SUCCESS, code);
  EXPECT_EQ(8u, rowPitch);
  EXPECT_EQ(24u, slicePitch);
  EXPECT_EQ(21, mapped[0]);
  mapped[2] = 500;
  EXPECT_EQ(1u, info<cl_uint>(clGetMemObjectInfo, image.get(), CL_MEM_MAP_COUNT));
  EXPECT_EQ(CL_SUCCESS,
            clEnqueueUnmapMemObject(queue.get(), image.get(), mapped, 0, nullptr, nullptr));
  EXPECT_EQ(500, all(image)[23]);
}

TEST_F(ImageCommandTest, onlyOverlappingMapsForWritingClash) {
  const auto map = [&](const Place& origin, cl_map_flags flags) {
    const Place column = {2, 3, 2};
    return clEnqueueMapImage(queue.get(), image.get(), CL_TRUE, flags, origin.data(), column.data(),
                             &rowPitch, &slicePitch, 0, nullptr, nullptr, &code);
  };
  EXPECT_NE(nullptr, map({0, 0, 0}, CL_MAP_WRITE));
  // The rows of both columns interleave in memory.
  EXPECT_NE(nullptr, map({2, 0, 0}, CL_MAP_WRITE_INVALIDATE_REGION));
  EXPECT_NE(nullptr, map({1, 0, 0}, CL_MAP_READ));
  EXPECT_EQ(nullptr, map({1, 0, 0}, CL_MAP_WRITE));
  EXPECT_EQ(CL_INVALID_OPERATION, code);
}

TEST_F(ImageCommandTest, memoryOfTheHostIsMappedWhereItIs) {
  cl_image_desc desc = {};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = 3;
  desc.image_height = 2;
  desc.image_row_pitch = 8;
  const Memory used(
      clCreateImage(context.get(), CL_MEM_USE_HOST_PTR, &format, &desc, numbers.data(), &code));
  ASSERT_EQ(CL_SUCCESS, code);
  EXPECT_EQ(numbers.data(), info<void*>(clGetMemObjectInfo, used.get(), CL_MEM_HOST_PTR));
  const Place origin = {1, 1, 0}, region = {2, 1, 1};
  EXPECT_EQ(numbers.data() + 5,
            clEnqueueMapImage(queue.get(), used.get(), CL_TRUE, CL_MAP_READ, origin.data(),
                              region.data(), &rowPitch, nullptr, 0, nullptr, nullptr, &code));
  EXPECT_EQ(8u, rowPitch);
}

TEST_F(ImageCommandTest, regionErrors) {
  cl_ushort value[24];
  EXPECT_EQ(CL_INVALID_VALUE, read(image, {4, 0, 0}, one, value));
  EXPECT_EQ(CL_INVALID_VALUE, read(image, {0, 0, 0}, {5, 1, 1}, value));
  EXPECT_EQ(CL_INVALID_VALUE, read(image, {0, 2, 0}, {1, 2, 1}, value));
  EXPECT_EQ(CL_INVALID_VALUE, read(image, {0, 0, 2}, one, value));
  EXPECT_EQ(CL_INVALID_VALUE, read(image, {~size_t{0}, 0, 0}, {2, 1, 1}, value));
  EXPECT_EQ(CL_INVALID_VALUE, read(image, zero, {0, 1, 1}, value));
  EXPECT_EQ(CL_INVALID_VALUE, read(image, zero, {1, 0, 1}, value));
  EXPECT_EQ(CL_INVALID_VALUE, read(image, zero, whole, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, read(image, zero, whole, value, 7));
  EXPECT_EQ(CL_INVALID_VALUE, read(image, zero, whole, value, 8, 23));
  const auto readRaw = [&](const size_t* origin, const size_t* region) {
    return clEnqueueReadImage(queue.get(), image.get(), CL_TRUE, origin, region, 0, 0, value, 0,
                              nullptr, nullptr);
  };
  EXPECT_EQ(CL_INVALID_VALUE, readRaw(nullptr, whole.data()));
  EXPECT_EQ(CL_INVALID_VALUE, readRaw(zero.data(), nullptr));
  const Memory flat = makeImage(0, CL_MEM_OBJECT_IMAGE2D);
  EXPECT_EQ(CL_INVALID_VALUE, read(flat, zero, {4, 3, 2}, value));
  EXPECT_EQ(CL_INVALID_VALUE, read(flat, {0, 0, 1}, one, value));
  EXPECT_EQ(CL_INVALID_VALUE, read(flat, zero, {4, 3, 1}, value, 8, 24));
  EXPECT_EQ(CL_SUCCESS, read(flat, zero, {4, 3, 1}, value, 8, 0));
}

/// What the commands on images do with a queue, an image, an origin and a region.
using RegionCommand = std::function<cl_int(cl_command_queue, cl_mem, const size_t*, const size_t*)>;

TEST_F(ImageCommandTest, everyCommandChecksItsQueueImageAndRegion) {
  cl_ushort value[24] = {};
  const cl_uint color[4] = {};
  const Memory buffer = makeBuffer(48), other = makeImage(0),
               flat = makeImage(0, CL_MEM_OBJECT_IMAGE2D);
  const cl_mem b = buffer.get(), o = other.get();
  const size_t* const z = zero.data();
  const RegionCommand commands[] = {
      [&](auto q, auto i, auto origin, auto region) {
        return clEnqueueReadImage(q, i, 1, origin, region, 0, 0, value, 0, nullptr, nullptr);
      },
      [&](auto q, auto i, auto origin, auto region) {
        return clEnqueueWriteImage(q, i, 1, origin, region, 0, 0, value, 0, nullptr, nullptr);
      },
      [&](auto q, auto i, auto origin, auto region) {
        return clEnqueueCopyImage(q, i, o, origin, z, region, 0, nullptr, nullptr);
      },
      [&](auto q, auto i, auto origin, auto region) {
        return clEnqueueCopyImage(q, o, i, z, origin, region, 0, nullptr, nullptr);
      },
      [&](auto q, auto i, auto origin, auto region) {
        return clEnqueueFillImage(q, i, color, origin, region, 0, nullptr, nullptr);
      },
      [&](auto q, auto i, auto origin, auto region) {
        return clEnqueueCopyImageToBuffer(q, i, b, origin, region, 0, 0, nullptr, nullptr);
      },
      [&](auto q, auto i, auto origin, auto region) {
        return clEnqueueCopyBufferToImage(q, b, i, 0, origin, region, 0, nullptr, nullptr);
      },
      [&](auto q, auto i, auto origin, auto region) {
        void* mapped = clEnqueueMapImage(q, i, 1, CL_MAP_READ, origin, region, &rowPitch,
                                         &slicePitch, 0, nullptr, nullptr, &code);
        EXPECT_EQ(code == CL_SUCCESS, mapped != nullptr);
        return code;
      }};
  const cl_command_queue q = queue.get();
  const cl_mem i = image.get();
  const Place tooFar = {3, 0, 0}, two = {2, 1, 1}, noRows = {1, 0, 1}, above = {0, 0, 1};
  const Memory foreign(clCreateImage2D(otherContext.get(), 0, &format, 4, 3, 0, nullptr, &code));
  for (size_t n = 0; n < std::size(commands); ++n) {
    SCOPED_TRACE(n);
    const RegionCommand& command = commands[n];
    EXPECT_EQ(CL_INVALID_COMMAND_QUEUE,
              command(reinterpret_cast<cl_command_queue>(device), i, z, one.data()));
    EXPECT_EQ(CL_INVALID_MEM_OBJECT, command(q, nullptr, z, one.data()));
    EXPECT_EQ(CL_INVALID_MEM_OBJECT, command(q, b, z, one.data()));
    EXPECT_EQ(CL_INVALID_CONTEXT, command(q, foreign.get(), z, one.data()));
    EXPECT_EQ(CL_INVALID_VALUE, command(q, i, nullptr, one.data()));
    EXPECT_EQ(CL_INVALID_VALUE, command(q, i, z, nullptr));
    EXPECT_EQ(CL_INVALID_VALUE, command(q, i, tooFar.data(), two.data()));
    EXPECT_EQ(CL_INVALID_VALUE, command(q, i, z, noRows.data()));
    EXPECT_EQ(CL_INVALID_VALUE, command(q, flat.get(), above.data(), one.data()));
    EXPECT_EQ(CL_INVALID_VALUE, command(q, flat.get(), z, whole.data()));
    EXPECT_EQ(CL_SUCCESS, command(q, i, z, one.data()));
  }
}

TEST_F(ImageCommandTest, aMapThatFailsIsNone) {
  const Event failed = makeUserEvent();
  const cl_event wait = failed.get();
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(failed.get(), -1));
  EXPECT_EQ(nullptr,
            clEnqueueMapImage(queue.get(), image.get(), CL_TRUE, CL_MAP_WRITE, zero.data(),
                              whole.data(), &rowPitch, &slicePitch, 1, &wait, nullptr, &code));
  EXPECT_EQ(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, code);
  EXPECT_EQ(0u, info<cl_uint>(clGetMemObjectInfo, image.get(), CL_MEM_MAP_COUNT));
}

TEST_F(ImageCommandTest, objectErrors) {
  cl_ushort value[24];
  const Memory buffer = makeBuffer(64);
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE,
            clEnqueueReadImage(nullptr, image.get(), CL_TRUE, zero.data(), whole.data(), 0, 0,
                               value, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, read(buffer, zero, one, value));
  cl_image_desc desc = {};
  desc.image_type = CL_MEM_OBJECT_IMAGE1D;
  desc.image_width = 4;
  const Memory foreign(clCreateImage(otherContext.get(), 0, &format, &desc, nullptr, &code));
  EXPECT_EQ(CL_INVALID_CONTEXT, read(foreign, zero, one, value));
  const cl_event noEvent = nullptr;
  EXPECT_EQ(CL_INVALID_EVENT_WAIT_LIST,
            clEnqueueReadImage(queue.get(), image.get(), CL_TRUE, zero.data(), whole.data(), 0, 0,
                               value, 1, &noEvent, nullptr));
  EXPECT_EQ(CL_INVALID_EVENT_WAIT_LIST,
            clEnqueueFillImage(queue.get(), image.get(), value, zero.data(), whole.data(), 1,
                               nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, clEnqueueFillImage(queue.get(), image.get(), nullptr, zero.data(),
                                                 whole.data(), 0, nullptr, nullptr));
  // Another format.
  for (const cl_image_format& other :
       {cl_image_format{CL_R, CL_SIGNED_INT16}, cl_image_format{CL_A, CL_UNSIGNED_INT16}}) {
    const Memory different(clCreateImage(context.get(), 0, &other, &desc, nullptr, &code));
    EXPECT_EQ(CL_IMAGE_FORMAT_MISMATCH,
              clEnqueueCopyImage(queue.get(), image.get(), different.get(), zero.data(),
                                 zero.data(), one.data(), 0, nullptr, nullptr));
  }
}

TEST_F(ImageCommandTest, hostAccess) {
  cl_ushort value[24] = {};
  const auto write = [&](const Memory& to) {
    return clEnqueueWriteImage(queue.get(), to.get(), CL_TRUE, zero.data(), whole.data(), 0, 0,
                               value, 0, nullptr, nullptr);
  };
  const auto map = [&](const Memory& which, cl_map_flags flags) {
    clEnqueueMapImage(queue.get(), which.get(), CL_TRUE, flags, zero.data(), whole.data(),
                      &rowPitch, &slicePitch, 0, nullptr, nullptr, &code);
    return code;
  };
  const Memory readOnly = makeImage(CL_MEM_HOST_READ_ONLY),
               writeOnly = makeImage(CL_MEM_HOST_WRITE_ONLY),
               none = makeImage(CL_MEM_HOST_NO_ACCESS);
  EXPECT_EQ(CL_SUCCESS, read(readOnly, zero, whole, value));
  EXPECT_EQ(CL_INVALID_OPERATION, read(writeOnly, zero, whole, value));
  EXPECT_EQ(CL_INVALID_OPERATION, read(none, zero, whole, value));
  EXPECT_EQ(CL_INVALID_OPERATION, write(readOnly));
  EXPECT_EQ(CL_SUCCESS, write(writeOnly));
  EXPECT_EQ(CL_INVALID_OPERATION, write(none));
  EXPECT_EQ(CL_INVALID_OPERATION, map(readOnly, CL_MAP_WRITE));
  EXPECT_EQ(CL_INVALID_OPERATION, map(writeOnly, CL_MAP_READ));
  EXPECT_EQ(CL_INVALID_OPERATION, map(none, CL_MAP_WRITE_INVALIDATE_REGION));
}

TEST_F(ImageCommandTest, mapErrors) {
  const auto map = [&](cl_map_flags flags, size_t* row, size_t* slice) {
    EXPECT_EQ(nullptr, clEnqueueMapImage(queue.get(), image.get(), CL_TRUE, flags, zero.data(),
                                         whole.data(), row, slice, 0, nullptr, nullptr, &code));
    return code;
  };
  EXPECT_EQ(CL_INVALID_VALUE, map(CL_MAP_READ, nullptr, &slicePitch));
  EXPECT_EQ(CL_INVALID_VALUE, map(CL_MAP_READ, &rowPitch, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, map(cl_map_flags{1} << 20, &rowPitch, &slicePitch));
  EXPECT_EQ(CL_INVALID_VALUE,
            map(CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, &rowPitch, &slicePitch));
  EXPECT_EQ(0u, info<cl_uint>(clGetMemObjectInfo, image.get(), CL_MEM_MAP_COUNT));
}

TEST_F(ImageCommandTest, commandsWaitAndHaveEvents) {
  const Event gate = makeUserEvent();
  cl_event wait = gate.get(), raw = nullptr;
  const cl_uint color[4] = {77, 0, 0, 0};
  ASSERT_EQ(CL_SUCCESS, clEnqueueFillImage(queue.get(), image.get(), color, zero.data(),
                                           whole.data(), 1, &wait, &raw));
  const Event fill(raw);
  EXPECT_EQ(cl_command_type{CL_COMMAND_FILL_IMAGE},
            info<cl_command_type>(clGetEventInfo, fill.get(), CL_EVENT_COMMAND_TYPE));
  EXPECT_NE(CL_COMPLETE, statusOf(fill));
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(gate.get(), CL_COMPLETE));
  EXPECT_EQ(std::vector<cl_ushort>(24, 77), all(image));
  EXPECT_EQ(CL_COMPLETE, statusOf(fill));
  const cl_mem object = image.get();
  EXPECT_EQ(CL_SUCCESS,
            clEnqueueMigrateMemObjects(queue.get(), 1, &object, CL_MIGRATE_MEM_OBJECT_HOST, 0,
                                       nullptr, nullptr));
}

} // namespace
} // namespace quern::test
