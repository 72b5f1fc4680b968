#include <algorithm>

#include "opencl_test.h"

namespace quern::test {
namespace {

class ImageTest : public OpenClTest {
protected:
  Memory make(const cl_image_desc& desc, cl_mem_flags flags = 0, void* hostPointer = nullptr,
              const cl_image_format* other = nullptr) {
    return Memory(
        clCreateImage(context.get(), flags, other ? other : &format, &desc, hostPointer, &code));
  }
  /// The code of a creation that must fail.
  cl_int failure(const cl_image_desc& desc, cl_mem_flags flags = 0, void* hostPointer = nullptr,
                 const cl_image_format* other = nullptr) {
    EXPECT_EQ(nullptr, make(desc, flags, hostPointer, other));
    return code;
  }
  static cl_image_desc plane(size_t width, size_t height) {
    cl_image_desc desc = {};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = width;
    desc.image_height = height;
    return desc;
  }
  template <typename T> T get(const Memory& image, cl_image_info name) {
    return info<T>(clGetImageInfo, image.get(), name);
  }
  std::vector<cl_image_format> formats(cl_mem_flags flags, cl_mem_object_type type) {
    cl_uint count = 0;
    EXPECT_EQ(CL_SUCCESS,
              clGetSupportedImageFormats(context.get(), flags, type, 0, nullptr, &count));
    std::vector<cl_image_format> list(count);
    EXPECT_EQ(CL_SUCCESS,
              clGetSupportedImageFormats(context.get(), flags, type, count, list.data(), nullptr));
    return list;
  }

  cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
  cl_int code = 0;
  unsigned char bytes[4096] = {};
};

bool contains(const std::vector<cl_image_format>& list, cl_channel_order order,
              cl_channel_type type) {
  return std::ranges::any_of(list, [&](const cl_image_format& format) {
    return format.image_channel_order == order && format.image_channel_data_type == type;
  });
}

constexpr cl_mem_object_type allTypes[] = {
    CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE1D_ARRAY,
    CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY,  CL_MEM_OBJECT_IMAGE3D};

TEST_F(ImageTest, requiredFormatsAreSupported) {
  constexpr cl_channel_type types[] = {
      CL_UNORM_INT8,    CL_UNORM_INT16,    CL_SIGNED_INT8,    CL_SIGNED_INT16, CL_SIGNED_INT32,
      CL_UNSIGNED_INT8, CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT,   CL_FLOAT};
  for (const cl_mem_object_type type : allTypes) {
    for (const cl_mem_flags flags : {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE}) {
      const std::vector<cl_image_format> list = formats(flags, type);
      for (const cl_channel_type channel : types)
        EXPECT_TRUE(contains(list, CL_RGBA, channel)) << channel;
      EXPECT_TRUE(contains(list, CL_BGRA, CL_UNORM_INT8));
    }
    const std::vector<cl_image_format> both = formats(CL_MEM_KERNEL_READ_AND_WRITE, type);
    for (const cl_channel_type channel : types)
      if (channel != CL_UNORM_INT16) {
        EXPECT_TRUE(contains(both, CL_R, channel) && contains(both, CL_RGBA, channel)) << channel;
      }
  }
  const std::vector<cl_image_format> planes = formats(CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D);
  EXPECT_TRUE(contains(planes, CL_DEPTH, CL_FLOAT) && contains(planes, CL_DEPTH, CL_UNORM_INT16));
  EXPECT_TRUE(contains(planes, CL_sRGBA, CL_UNORM_INT8));
  EXPECT_FALSE(contains(formats(CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE3D), CL_DEPTH, CL_FLOAT));
  EXPECT_FALSE(
      contains(formats(CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D), CL_sRGBA, CL_UNORM_INT8));
}

TEST_F(ImageTest, everyListedFormatMakesImages) {
  for (const cl_mem_object_type type : allTypes)
    for (const cl_image_format& one : formats(CL_MEM_READ_ONLY, type)) {
      const Memory buffer = makeBuffer(256);
      cl_image_desc desc = plane(4, 1);
      desc.image_type = type;
      desc.image_depth = desc.image_array_size = 2;
      if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
        desc.mem_object = buffer.get();
      EXPECT_NE(nullptr, make(desc, CL_MEM_READ_ONLY, nullptr, &one));
      EXPECT_EQ(CL_SUCCESS, code) << one.image_channel_order << " " << one.image_channel_data_type;
    }
}

TEST_F(ImageTest, formatQueryErrors) {
  cl_uint count = 0;
  EXPECT_EQ(CL_INVALID_CONTEXT,
            clGetSupportedImageFormats(reinterpret_cast<cl_context>(device), 0,
                                       CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &count));
  const auto query = [&](cl_mem_flags flags, cl_mem_object_type type, cl_image_format* list) {
    return clGetSupportedImageFormats(context.get(), flags, type, 0, list, &count);
  };
  EXPECT_EQ(CL_INVALID_VALUE, query(cl_mem_flags{1} << 50, CL_MEM_OBJECT_IMAGE2D, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE,
            query(CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, CL_MEM_OBJECT_IMAGE2D, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE,
            query(CL_MEM_READ_ONLY | CL_MEM_KERNEL_READ_AND_WRITE, CL_MEM_OBJECT_IMAGE2D, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, query(0, CL_MEM_OBJECT_BUFFER, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, query(0, CL_MEM_OBJECT_IMAGE2D, &format));
  cl_image_format one = {};
  EXPECT_EQ(CL_SUCCESS,
            clGetSupportedImageFormats(context.get(), 0, CL_MEM_OBJECT_IMAGE2D, 1, &one, &count));
  EXPECT_LT(1u, count);
  EXPECT_NE(0u, one.image_channel_order);
}

TEST_F(ImageTest, answersQueries) {
  cl_image_desc desc = plane(5, 3);
  desc.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
  desc.image_array_size = 4;
  const Memory image = make(desc, CL_MEM_WRITE_ONLY);
  ASSERT_EQ(CL_SUCCESS, code);
  const auto own = get<cl_image_format>(image, CL_IMAGE_FORMAT);
  EXPECT_EQ(format.image_channel_order, own.image_channel_order);
  EXPECT_EQ(format.image_channel_data_type, own.image_channel_data_type);
  EXPECT_EQ(4u, get<size_t>(image, CL_IMAGE_ELEMENT_SIZE));
  EXPECT_EQ(20u, get<size_t>(image, CL_IMAGE_ROW_PITCH));
  EXPECT_EQ(60u, get<size_t>(image, CL_IMAGE_SLICE_PITCH));
  EXPECT_EQ(5u, get<size_t>(image, CL_IMAGE_WIDTH));
  EXPECT_EQ(3u, get<size_t>(image, CL_IMAGE_HEIGHT));
  EXPECT_EQ(0u, get<size_t>(image, CL_IMAGE_DEPTH));
  EXPECT_EQ(4u, get<size_t>(image, CL_IMAGE_ARRAY_SIZE));
  EXPECT_EQ(nullptr, get<cl_mem>(image, CL_IMAGE_BUFFER));
  EXPECT_EQ(0u, get<cl_uint>(image, CL_IMAGE_NUM_MIP_LEVELS));
  EXPECT_EQ(0u, get<cl_uint>(image, CL_IMAGE_NUM_SAMPLES));
  EXPECT_EQ(cl_mem_object_type{CL_MEM_OBJECT_IMAGE2D_ARRAY},
            info<cl_mem_object_type>(clGetMemObjectInfo, image.get(), CL_MEM_TYPE));
  EXPECT_EQ(cl_mem_flags{CL_MEM_WRITE_ONLY},
            info<cl_mem_flags>(clGetMemObjectInfo, image.get(), CL_MEM_FLAGS));
  EXPECT_EQ(240u, info<size_t>(clGetMemObjectInfo, image.get(), CL_MEM_SIZE));
  EXPECT_EQ(nullptr, info<cl_mem>(clGetMemObjectInfo, image.get(), CL_MEM_ASSOCIATED_MEMOBJECT));
  expectQueryErrors(clGetImageInfo, image.get(), CL_IMAGE_WIDTH);
  const Memory buffer = makeBuffer(64);
  size_t width = 0;
  EXPECT_EQ(CL_INVALID_MEM_OBJECT,
            clGetImageInfo(buffer.get(), CL_IMAGE_WIDTH, sizeof(width), &width, nullptr));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT,
            clGetImageInfo(nullptr, CL_IMAGE_WIDTH, sizeof(width), &width, nullptr));
}

TEST_F(ImageTest, linesHaveNoHeight) {
  cl_image_desc desc = plane(5, 99);
  desc.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY;
  desc.image_array_size = 2;
  const Memory array = make(desc);
  EXPECT_EQ(0u, get<size_t>(array, CL_IMAGE_HEIGHT));
  EXPECT_EQ(20u, get<size_t>(array, CL_IMAGE_SLICE_PITCH));
  EXPECT_EQ(2u, get<size_t>(array, CL_IMAGE_ARRAY_SIZE));
  desc.image_type = CL_MEM_OBJECT_IMAGE1D;
  const Memory line = make(desc);
  EXPECT_EQ(0u, get<size_t>(line, CL_IMAGE_HEIGHT));
  EXPECT_EQ(0u, get<size_t>(line, CL_IMAGE_SLICE_PITCH));
  EXPECT_EQ(0u, get<size_t>(line, CL_IMAGE_ARRAY_SIZE));
}

TEST_F(ImageTest, contextAndProperties) {
  const cl_image_desc desc = plane(4, 4);
  EXPECT_EQ(nullptr, clCreateImage(nullptr, 0, &format, &desc, nullptr, &code));
  EXPECT_EQ(CL_INVALID_CONTEXT, code);
  const cl_mem_properties unknown[] = {0x7777, 1, 0}, none[] = {0};
  EXPECT_EQ(nullptr,
            clCreateImageWithProperties(context.get(), unknown, 0, &format, &desc, nullptr, &code));
  EXPECT_EQ(CL_INVALID_PROPERTY, code);
  const Memory image(
      clCreateImageWithProperties(context.get(), none, 0, &format, &desc, nullptr, &code));
  EXPECT_EQ(CL_SUCCESS, code);
  EXPECT_EQ(std::vector<cl_mem_properties>{0},
            infoList<cl_mem_properties>(clGetMemObjectInfo, image.get(), CL_MEM_PROPERTIES));
}

TEST_F(ImageTest, flags) {
  const cl_image_desc desc = plane(4, 4);
  EXPECT_EQ(CL_INVALID_VALUE, failure(desc, cl_mem_flags{1} << 40));
  EXPECT_EQ(CL_INVALID_VALUE, failure(desc, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY));
  EXPECT_EQ(CL_INVALID_VALUE, failure(desc, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS));
  EXPECT_EQ(CL_INVALID_VALUE, failure(desc, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, bytes));
  EXPECT_EQ(CL_INVALID_HOST_PTR, failure(desc, CL_MEM_USE_HOST_PTR));
  EXPECT_EQ(CL_INVALID_HOST_PTR, failure(desc, CL_MEM_COPY_HOST_PTR));
  EXPECT_EQ(CL_INVALID_HOST_PTR, failure(desc, CL_MEM_READ_ONLY, bytes));
  EXPECT_NE(nullptr, make(desc, CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR, bytes));
}

TEST_F(ImageTest, formats) {
  const cl_image_desc desc = plane(4, 4);
  EXPECT_EQ(nullptr, clCreateImage(context.get(), 0, nullptr, &desc, nullptr, &code));
  EXPECT_EQ(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, code);
  for (const cl_image_format& wrong :
       {cl_image_format{CL_RGB, CL_UNORM_INT8}, cl_image_format{CL_RGBA, CL_UNORM_SHORT_565},
        cl_image_format{CL_BGRA, CL_FLOAT}, cl_image_format{CL_INTENSITY, CL_SIGNED_INT8},
        cl_image_format{CL_DEPTH, CL_UNORM_INT8}, cl_image_format{CL_sRGBA, CL_FLOAT},
        cl_image_format{0x1234, CL_FLOAT}, cl_image_format{CL_RGBA, 0x1234},
        cl_image_format{CL_Rx, 0x1234}})
    EXPECT_EQ(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, failure(desc, 0, nullptr, &wrong));
  // Formats that exist, but not here or not for this use.
  const cl_image_format rx = {CL_Rx, CL_UNORM_INT8}, srgb = {CL_sRGBA, CL_UNORM_INT8},
                        depth = {CL_DEPTH, CL_FLOAT};
  EXPECT_EQ(CL_IMAGE_FORMAT_NOT_SUPPORTED, failure(desc, 0, nullptr, &rx));
  EXPECT_EQ(CL_IMAGE_FORMAT_NOT_SUPPORTED, failure(desc, CL_MEM_WRITE_ONLY, nullptr, &srgb));
  EXPECT_NE(nullptr, make(desc, CL_MEM_READ_ONLY, nullptr, &srgb));
  cl_image_desc line = desc;
  line.image_type = CL_MEM_OBJECT_IMAGE1D;
  EXPECT_EQ(CL_IMAGE_FORMAT_NOT_SUPPORTED, failure(line, 0, nullptr, &depth));
}

TEST_F(ImageTest, descriptors) {
  EXPECT_EQ(nullptr, clCreateImage(context.get(), 0, &format, nullptr, nullptr, &code));
  EXPECT_EQ(CL_INVALID_IMAGE_DESCRIPTOR, code);
  cl_image_desc desc = plane(4, 4);
  desc.image_type = CL_MEM_OBJECT_BUFFER;
  EXPECT_EQ(CL_INVALID_IMAGE_DESCRIPTOR, failure(desc));
  desc = plane(4, 4);
  desc.num_mip_levels = 1;
  EXPECT_EQ(CL_INVALID_IMAGE_DESCRIPTOR, failure(desc));
  desc = plane(4, 4);
  desc.num_samples = 1;
  EXPECT_EQ(CL_INVALID_IMAGE_DESCRIPTOR, failure(desc));
  desc = plane(4, 4);
  desc.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER; // of no buffer
  EXPECT_EQ(CL_INVALID_IMAGE_DESCRIPTOR, failure(desc));
  desc = plane(4, 4);
  desc.mem_object = reinterpret_cast<cl_mem>(context.get());
  EXPECT_EQ(CL_INVALID_IMAGE_DESCRIPTOR, failure(desc));
}

TEST_F(ImageTest, sizes) {
  const auto max2D = info<size_t>(clGetDeviceInfo, device, CL_DEVICE_IMAGE2D_MAX_WIDTH);
  const auto max3D = info<size_t>(clGetDeviceInfo, device, CL_DEVICE_IMAGE3D_MAX_DEPTH);
  const auto maxLayers = info<size_t>(clGetDeviceInfo, device, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE);
  EXPECT_EQ(CL_INVALID_IMAGE_SIZE, failure(plane(0, 4)));
  EXPECT_EQ(CL_INVALID_IMAGE_SIZE, failure(plane(4, 0)));
  EXPECT_EQ(CL_INVALID_IMAGE_SIZE, failure(plane(max2D + 1, 1)));
  EXPECT_EQ(CL_INVALID_IMAGE_SIZE, failure(plane(1, max2D + 1)));
  EXPECT_NE(nullptr, make(plane(max2D, 1)));
  cl_image_desc desc = plane(1, 1);
  desc.image_type = CL_MEM_OBJECT_IMAGE3D;
  EXPECT_EQ(CL_INVALID_IMAGE_SIZE, failure(desc));
  desc.image_depth = max3D + 1;
  EXPECT_EQ(CL_INVALID_IMAGE_SIZE, failure(desc));
  desc.image_depth = 1;
  EXPECT_NE(nullptr, make(desc));
  desc.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
  EXPECT_EQ(CL_INVALID_IMAGE_SIZE, failure(desc));
  desc.image_array_size = maxLayers + 1;
  EXPECT_EQ(CL_INVALID_IMAGE_SIZE, failure(desc));
  desc.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY;
  EXPECT_EQ(CL_INVALID_IMAGE_SIZE, failure(desc));
  desc.image_array_size = maxLayers;
  EXPECT_NE(nullptr, make(desc));
}

TEST_F(ImageTest, pitches) {
  cl_image_desc desc = plane(4, 4);
  desc.image_row_pitch = 16;
  EXPECT_EQ(CL_INVALID_IMAGE_DESCRIPTOR, failure(desc)); // of no memory
  EXPECT_NE(nullptr, make(desc, CL_MEM_USE_HOST_PTR, bytes));
  for (const size_t wrong : {12, 18}) {
    desc.image_row_pitch = wrong;
    EXPECT_EQ(CL_INVALID_IMAGE_DESCRIPTOR, failure(desc, CL_MEM_USE_HOST_PTR, bytes));
  }
  desc = plane(4, 4);
  desc.image_type = CL_MEM_OBJECT_IMAGE3D;
  desc.image_depth = 2;
  desc.image_slice_pitch = 80;
  EXPECT_EQ(CL_INVALID_IMAGE_DESCRIPTOR, failure(desc));
  const Memory image = make(desc, CL_MEM_COPY_HOST_PTR, bytes);
  EXPECT_EQ(16u, get<size_t>(image, CL_IMAGE_ROW_PITCH));
  EXPECT_EQ(80u, get<size_t>(image, CL_IMAGE_SLICE_PITCH));
  for (const size_t wrong : {48, 70}) {
    desc.image_slice_pitch = wrong;
    EXPECT_EQ(CL_INVALID_IMAGE_DESCRIPTOR, failure(desc, CL_MEM_USE_HOST_PTR, bytes));
  }
}

TEST_F(ImageTest, pitchesWhoseImageNoMemoryHolds) {
  const Memory buffer = makeBuffer(256);
  cl_image_desc desc = plane(4, 4);
  desc.mem_object = buffer.get();
  desc.image_row_pitch = size_t{1} << 62; // times 4 rows is 0 in 64 bits
  EXPECT_EQ(CL_INVALID_IMAGE_DESCRIPTOR, failure(desc));
  desc = plane(4, 4);
  desc.image_type = CL_MEM_OBJECT_IMAGE3D;
  desc.image_depth = 4;
  desc.image_slice_pitch = size_t{1} << 62;
  EXPECT_EQ(CL_INVALID_IMAGE_DESCRIPTOR, failure(desc, CL_MEM_COPY_HOST_PTR, bytes));
  desc.image_slice_pitch = 0;
  desc.image_row_pitch = size_t{1} << 62;
  EXPECT_EQ(CL_INVALID_IMAGE_DESCRIPTOR, failure(desc, CL_MEM_COPY_HOST_PTR, bytes));
}

TEST_F(ImageTest, imagesOfBuffers) {
  const Memory buffer = makeBuffer(256, CL_MEM_READ_ONLY);
  cl_image_desc desc = plane(5, 4);
  desc.mem_object = buffer.get();
  desc.image_row_pitch = 32;
  const Memory image = make(desc);
  ASSERT_EQ(CL_SUCCESS, code);
  EXPECT_EQ(32u, get<size_t>(image, CL_IMAGE_ROW_PITCH));
  EXPECT_EQ(buffer.get(), get<cl_mem>(image, CL_IMAGE_BUFFER));
  EXPECT_EQ(buffer.get(),
            info<cl_mem>(clGetMemObjectInfo, image.get(), CL_MEM_ASSOCIATED_MEMOBJECT));
  EXPECT_EQ(cl_mem_flags{CL_MEM_READ_ONLY},
            info<cl_mem_flags>(clGetMemObjectInfo, image.get(), CL_MEM_FLAGS));
  // Flags that the buffer does not allow.
  EXPECT_EQ(CL_INVALID_VALUE, failure(desc, CL_MEM_READ_WRITE));
  EXPECT_EQ(CL_INVALID_VALUE, failure(desc, CL_MEM_USE_HOST_PTR, bytes));
  EXPECT_EQ(CL_INVALID_HOST_PTR, failure(desc, 0, bytes));
  // Pitches and sizes that do not fit.
  desc.image_row_pitch = 16;
  EXPECT_EQ(CL_INVALID_IMAGE_DESCRIPTOR, failure(desc));
  desc.image_row_pitch = 68;
  EXPECT_EQ(CL_INVALID_IMAGE_SIZE, failure(desc));
  desc.image_row_pitch = 0;
  desc.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  desc.image_width = 64;
  EXPECT_NE(nullptr, make(desc));
  desc.image_width = 65;
  EXPECT_EQ(CL_INVALID_IMAGE_SIZE, failure(desc));
  desc.image_width = 4;
  desc.image_type = CL_MEM_OBJECT_IMAGE3D;
  desc.image_depth = 1;
  EXPECT_EQ(CL_INVALID_IMAGE_DESCRIPTOR, failure(desc));
  // A buffer of another context.
  desc = plane(4, 4);
  const Memory foreign(clCreateBuffer(otherContext.get(), 0, 256, nullptr, &code));
  desc.mem_object = foreign.get();
  EXPECT_EQ(CL_INVALID_IMAGE_DESCRIPTOR, failure(desc));
}

TEST_F(ImageTest, imagesOfImages) {
  const cl_image_format linear = {CL_RGBA, CL_UNORM_INT8}, srgb = {CL_sRGBA, CL_UNORM_INT8},
                        bgra = {CL_BGRA, CL_UNORM_INT8}, integers = {CL_sRGBA, CL_UNSIGNED_INT8},
                        r = {CL_R, CL_FLOAT}, depth = {CL_DEPTH, CL_FLOAT};
  cl_image_desc desc = plane(4, 4);
  const Memory image = make(desc, 0, nullptr, &linear);
  desc.mem_object = image.get();
  const Memory view = make(desc, CL_MEM_READ_ONLY, nullptr, &srgb);
  ASSERT_EQ(CL_SUCCESS, code);
  EXPECT_EQ(nullptr, get<cl_mem>(view, CL_IMAGE_BUFFER));
  EXPECT_EQ(image.get(), info<cl_mem>(clGetMemObjectInfo, view.get(), CL_MEM_ASSOCIATED_MEMOBJECT));
  EXPECT_EQ(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, failure(desc, 0, nullptr, &linear));
  EXPECT_EQ(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, failure(desc, 0, nullptr, &bgra));
  EXPECT_EQ(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, failure(desc, 0, nullptr, &integers));
  desc.image_width = 3;
  EXPECT_EQ(CL_INVALID_IMAGE_DESCRIPTOR, failure(desc, CL_MEM_READ_ONLY, nullptr, &srgb));
  desc.image_width = 4;
  desc.image_row_pitch = 20;
  EXPECT_EQ(CL_INVALID_IMAGE_DESCRIPTOR, failure(desc, CL_MEM_READ_ONLY, nullptr, &srgb));
  desc.image_row_pitch = 0;
  desc.image_type = CL_MEM_OBJECT_IMAGE1D;
  EXPECT_EQ(CL_INVALID_IMAGE_DESCRIPTOR, failure(desc, CL_MEM_READ_ONLY, nullptr, &srgb));
  // Of an image that is not flat.
  cl_image_desc solid = plane(4, 4);
  solid.image_type = CL_MEM_OBJECT_IMAGE3D;
  solid.image_depth = 1;
  const Memory box = make(solid, 0, nullptr, &linear);
  desc = plane(4, 4);
  desc.mem_object = box.get();
  EXPECT_EQ(CL_INVALID_IMAGE_DESCRIPTOR, failure(desc, CL_MEM_READ_ONLY, nullptr, &srgb));
  cl_image_desc deep = plane(4, 4);
  const Memory red = make(deep, 0, nullptr, &r);
  deep.mem_object = red.get();
  EXPECT_NE(nullptr, make(deep, 0, nullptr, &depth));
  const cl_image_format shallow = {CL_DEPTH, CL_UNORM_INT16};
  EXPECT_EQ(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, failure(deep, 0, nullptr, &shallow));
  // Access that the image does not have.
  for (const auto& [own, asked] :
       {std::pair<cl_mem_flags, cl_mem_flags>{CL_MEM_READ_ONLY, CL_MEM_READ_WRITE},
        {CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY},
        {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY},
        {CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY},
        {CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY}}) {
    const Memory limited = make(plane(4, 4), own, nullptr, &r);
    deep.mem_object = limited.get();
    EXPECT_EQ(CL_INVALID_VALUE, failure(deep, asked, nullptr, &depth)) << own;
  }
}

TEST_F(ImageTest, deprecatedFunctions) {
  const Memory image2D(clCreateImage2D(context.get(), 0, &format, 4, 3, 0, nullptr, &code));
  EXPECT_EQ(CL_SUCCESS, code);
  EXPECT_EQ(3u, get<size_t>(image2D, CL_IMAGE_HEIGHT));
  const Memory image3D(
      clCreateImage3D(context.get(), CL_MEM_COPY_HOST_PTR, &format, 4, 3, 2, 20, 60, bytes, &code));
  EXPECT_EQ(CL_SUCCESS, code);
  EXPECT_EQ(2u, get<size_t>(image3D, CL_IMAGE_DEPTH));
  EXPECT_EQ(nullptr, clCreateImage2D(nullptr, 0, &format, 4, 3, 0, nullptr, &code));
  EXPECT_EQ(CL_INVALID_CONTEXT, code);
  EXPECT_EQ(nullptr, clCreateImage2D(context.get(), 0, &format, 4, 3, 16, nullptr, &code));
  EXPECT_EQ(CL_INVALID_IMAGE_SIZE, code);
  EXPECT_EQ(nullptr, clCreateImage3D(context.get(), 0, &format, 4, 3, 1, 0, 0, nullptr, &code));
  EXPECT_EQ(CL_INVALID_IMAGE_SIZE, code);
}

TEST_F(ImageTest, destructorCallbacksAndReferences) {
  static int calls;
  calls = 0;
  cl_mem image = clCreateImage2D(context.get(), 0, &format, 4, 4, 0, nullptr, &code);
  ASSERT_EQ(CL_SUCCESS,
            clSetMemObjectDestructorCallback(image, [](cl_mem, void*) { ++calls; }, nullptr));
  EXPECT_EQ(CL_SUCCESS, clRetainMemObject(image));
  EXPECT_EQ(2u, info<cl_uint>(clGetMemObjectInfo, image, CL_MEM_REFERENCE_COUNT));
  EXPECT_EQ(CL_SUCCESS, clReleaseMemObject(image));
  EXPECT_EQ(0, calls);
  EXPECT_EQ(CL_SUCCESS, clReleaseMemObject(image));
  EXPECT_EQ(1, calls);
}

} // namespace
} // namespace quern::test
