#include "opencl_test.h"

namespace quern::test {
namespace {

using Sampler = Owned<cl_sampler, clReleaseSampler>;

class SamplerTest : public OpenClTest {
protected:
  cl_int failure(cl_bool normalized, cl_addressing_mode addressing, cl_filter_mode filter) {
    EXPECT_EQ(nullptr, clCreateSampler(context.get(), normalized, addressing, filter, &code));
    return code;
  }
  cl_int failure(std::vector<cl_sampler_properties> properties) {
    EXPECT_EQ(nullptr, clCreateSamplerWithProperties(context.get(), properties.data(), &code));
    return code;
  }
  cl_int code = 0;
};

TEST_F(SamplerTest, answersQueries) {
  const Sampler sampler(
      clCreateSampler(context.get(), CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, &code));
  ASSERT_EQ(CL_SUCCESS, code);
  const cl_sampler s = sampler.get();
  EXPECT_EQ(cl_bool{CL_FALSE}, info<cl_bool>(clGetSamplerInfo, s, CL_SAMPLER_NORMALIZED_COORDS));
  EXPECT_EQ(cl_addressing_mode{CL_ADDRESS_CLAMP_TO_EDGE},
            info<cl_addressing_mode>(clGetSamplerInfo, s, CL_SAMPLER_ADDRESSING_MODE));
  EXPECT_EQ(cl_filter_mode{CL_FILTER_LINEAR},
            info<cl_filter_mode>(clGetSamplerInfo, s, CL_SAMPLER_FILTER_MODE));
  EXPECT_EQ(context.get(), info<cl_context>(clGetSamplerInfo, s, CL_SAMPLER_CONTEXT));
  EXPECT_EQ(1u, info<cl_uint>(clGetSamplerInfo, s, CL_SAMPLER_REFERENCE_COUNT));
  EXPECT_TRUE(infoList<cl_sampler_properties>(clGetSamplerInfo, s, CL_SAMPLER_PROPERTIES).empty());
  expectQueryErrors(clGetSamplerInfo, s, CL_SAMPLER_FILTER_MODE);
}

TEST_F(SamplerTest, propertiesHaveDefaults) {
  const std::vector<cl_sampler_properties> list = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0};
  for (const cl_sampler_properties* properties :
       {list.data(), list.data() + 2, static_cast<decltype(list.data())>(nullptr)}) {
    const Sampler sampler(clCreateSamplerWithProperties(context.get(), properties, &code));
    ASSERT_EQ(CL_SUCCESS, code);
    const cl_sampler s = sampler.get();
    EXPECT_EQ(cl_bool{CL_TRUE}, info<cl_bool>(clGetSamplerInfo, s, CL_SAMPLER_NORMALIZED_COORDS));
    EXPECT_EQ(cl_addressing_mode{CL_ADDRESS_CLAMP},
              info<cl_addressing_mode>(clGetSamplerInfo, s, CL_SAMPLER_ADDRESSING_MODE));
    const bool given = properties == list.data();
    EXPECT_EQ(cl_filter_mode(given ? CL_FILTER_LINEAR : CL_FILTER_NEAREST),
              info<cl_filter_mode>(clGetSamplerInfo, s, CL_SAMPLER_FILTER_MODE));
    const auto own = infoList<cl_sampler_properties>(clGetSamplerInfo, s, CL_SAMPLER_PROPERTIES);
    EXPECT_EQ(given ? 3u : properties ? 1u : 0u, own.size());
  }
}

TEST_F(SamplerTest, propertiesGiveEachValue) {
  const cl_sampler_properties list[] = {CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_NONE,
                                        CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, 0};
  const Sampler sampler(clCreateSamplerWithProperties(context.get(), list, &code));
  ASSERT_EQ(CL_SUCCESS, code);
  const cl_sampler s = sampler.get();
  EXPECT_EQ(cl_bool{CL_FALSE}, info<cl_bool>(clGetSamplerInfo, s, CL_SAMPLER_NORMALIZED_COORDS));
  EXPECT_EQ(cl_addressing_mode{CL_ADDRESS_NONE},
            info<cl_addressing_mode>(clGetSamplerInfo, s, CL_SAMPLER_ADDRESSING_MODE));
}

TEST_F(SamplerTest, creationErrors) {
  EXPECT_EQ(nullptr, clCreateSampler(nullptr, CL_TRUE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &code));
  EXPECT_EQ(CL_INVALID_CONTEXT, code);
  EXPECT_EQ(nullptr, clCreateSamplerWithProperties(nullptr, nullptr, &code));
  EXPECT_EQ(CL_INVALID_CONTEXT, code);
  EXPECT_EQ(CL_INVALID_VALUE, failure(7, CL_ADDRESS_NONE, CL_FILTER_NEAREST));
  EXPECT_EQ(CL_INVALID_VALUE, failure(CL_TRUE, CL_ADDRESS_NONE - 1, CL_FILTER_NEAREST));
  EXPECT_EQ(CL_INVALID_VALUE, failure(CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT + 1, CL_FILTER_NEAREST));
  EXPECT_EQ(CL_INVALID_VALUE, failure(CL_TRUE, CL_ADDRESS_NONE, CL_FILTER_LINEAR + 1));
  // An image repeats only along normalized coordinates.
  EXPECT_EQ(CL_INVALID_VALUE, failure(CL_FALSE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST));
  EXPECT_EQ(CL_INVALID_VALUE, failure(CL_FALSE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_NEAREST));
  EXPECT_EQ(CL_INVALID_VALUE, failure({0x4321, 1, 0}));
  EXPECT_EQ(CL_INVALID_VALUE, failure({CL_SAMPLER_FILTER_MODE, 0x4321, 0}));
  EXPECT_EQ(CL_INVALID_VALUE, failure({CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR,
                                       CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0}));
  // Only the lower half of such a value is one that the property has.
  const cl_sampler_properties above = cl_sampler_properties{1} << 32;
  EXPECT_EQ(CL_INVALID_VALUE, failure({CL_SAMPLER_NORMALIZED_COORDS, above | CL_TRUE, 0}));
  EXPECT_EQ(CL_INVALID_VALUE, failure({CL_SAMPLER_ADDRESSING_MODE, above | CL_ADDRESS_CLAMP, 0}));
  EXPECT_EQ(CL_INVALID_VALUE, failure({CL_SAMPLER_FILTER_MODE, above | CL_FILTER_LINEAR, 0}));
}

TEST_F(SamplerTest, references) {
  cl_sampler sampler =
      clCreateSampler(context.get(), CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR, &code);
  ASSERT_EQ(CL_SUCCESS, code);
  EXPECT_EQ(CL_SUCCESS, clRetainSampler(sampler));
  EXPECT_EQ(2u, info<cl_uint>(clGetSamplerInfo, sampler, CL_SAMPLER_REFERENCE_COUNT));
  EXPECT_EQ(CL_SUCCESS, clReleaseSampler(sampler));
  EXPECT_EQ(CL_SUCCESS, clReleaseSampler(sampler));
  EXPECT_EQ(CL_INVALID_SAMPLER, clRetainSampler(nullptr));
  EXPECT_EQ(CL_INVALID_SAMPLER, clReleaseSampler(reinterpret_cast<cl_sampler>(context.get())));
  EXPECT_EQ(CL_INVALID_SAMPLER,
            clGetSamplerInfo(nullptr, CL_SAMPLER_FILTER_MODE, 0, nullptr, nullptr));
}

} // namespace
} // namespace quern::test
