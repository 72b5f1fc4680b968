#include "compiler_fixture.h"

namespace quern::test {
namespace {

using compiler::LanguageStandard;

class FeaturesTest : public CompilerTest {
protected:
  void expectDefined(const std::string& macro, bool defined) {
    const std::string source =
        (defined ? "#ifndef " : "#ifdef ") + macro + "\n#error " + macro + "\n#endif\n";
    const compiler::Compiled result = compile(source);
    EXPECT_TRUE(result.ok) << macro << (defined ? " should be defined" : " should not be defined");
  }
};

TEST_F(FeaturesTest, MacrosOfTheTargetsFeaturesAreDefined) {
  for (auto standard : {LanguageStandard::CL30, LanguageStandard::CL31}) {
    options.standard = standard;
    for (const std::string& feature : target.features)
      expectDefined(feature, true);
  }
}

TEST_F(FeaturesTest, MacrosOfOtherFeaturesAreNot) {
  for (auto standard : {LanguageStandard::CL12, LanguageStandard::CL30, LanguageStandard::CL31}) {
    options.standard = standard;
    for (const char* macro :
         {"cl_khr_fp16", "cl_khr_subgroups", "cl_khr_3d_image_writes", "cl_khr_int64_base_atomics",
          "__IMAGE_SUPPORT__", "cl_khr_gl_depth_images", "__opencl_c_images", "__opencl_c_pipes",
          "__opencl_c_subgroups", "__opencl_c_device_enqueue", "__opencl_c_atomic_order_seq_cst",
          "__opencl_c_work_group_collective_functions", "__opencl_c_3d_image_writes", "__SPIR__",
          "__SPIR64__"})
      expectDefined(macro, false);
  }
}

TEST_F(FeaturesTest, FeaturesThatTheFrontEndDoesNotKnowAreMacros) {
  target.features.push_back("cl_vendor_new_thing");
  expectDefined("cl_vendor_new_thing", true);
}

TEST_F(FeaturesTest, ExtensionsServeEarlyVersionsToo) {
  target.features.push_back("cl_khr_extended_bit_ops");
  for (auto standard : {LanguageStandard::CL10, LanguageStandard::CL12, LanguageStandard::CL30,
                        LanguageStandard::CL31}) {
    options.standard = standard;
    expectDefined("cl_khr_extended_bit_ops", true);
    EXPECT_TRUE(compile("uint f(uint x) { return bit_reverse(x); }").ok);
  }
}

// Programs take atomic_float to be there where they are.
TEST_F(FeaturesTest, FloatAtomicsAreNoneOfEarlyVersions) {
  const std::string macro = "__opencl_c_ext_fp32_global_atomic_add";
  target.features.insert(target.features.end(), {"cl_ext_float_atomics", macro});
  for (auto standard :
       {LanguageStandard::CL10, LanguageStandard::CL12, LanguageStandard::Default}) {
    options.standard = standard;
    expectDefined(macro, false);
  }
  for (auto standard : {LanguageStandard::CL20, LanguageStandard::CL30}) {
    options.standard = standard;
    expectDefined(macro, true);
  }
}

TEST_F(FeaturesTest, ImagesBringTheirMacro) {
  target.features.push_back("__opencl_c_images");
  options.standard = LanguageStandard::CL30;
  expectDefined("__IMAGE_SUPPORT__", true);
  expectDefined("cl_khr_gl_depth_images", true);
}

TEST_F(FeaturesTest, PredefinedMacros) {
  for (const char* macro : {"__OPENCL_VERSION__", "__OPENCL_C_VERSION__", "CL_VERSION_1_0",
                            "CL_VERSION_1_1", "CL_VERSION_1_2", "CL_VERSION_2_0", "CL_VERSION_3_0",
                            "CL_VERSION_3_1", "__ENDIAN_LITTLE__", "__kernel_exec", "kernel_exec",
                            "FLT_MAX", "DBL_MAX", "M_PI", "CLK_LOCAL_MEM_FENCE", "NULL"})
    expectDefined(macro, true);
  expectDefined("__FAST_RELAXED_MATH__", false);
}

TEST_F(FeaturesTest, VersionsFollowTheStandard) {
  const std::pair<LanguageStandard, const char*> versions[] = {
      {LanguageStandard::CL10, "100"},   {LanguageStandard::CL11, "110"},
      {LanguageStandard::CL12, "120"},   {LanguageStandard::CL20, "200"},
      {LanguageStandard::CL30, "300"},   {LanguageStandard::CL31, "310"},
      {LanguageStandard::Default, "120"}};
  for (auto [standard, version] : versions) {
    options.standard = standard;
    // OpenCL C 1.0 has no macro for its version.
    const std::string condition =
        standard == LanguageStandard::CL10
            ? "__OPENCL_VERSION__ != 310"
            : std::string("__OPENCL_C_VERSION__ != ") + version + " || __OPENCL_VERSION__ != 310";
    EXPECT_TRUE(compile("#if " + condition + "\n#error wrong\n#endif\n").ok) << version;
  }
}

TEST_F(FeaturesTest, DoubleNeedsItsFeature) {
  const char* source = "kernel void k(global double* p) { p[0] += 1.0; }";
  EXPECT_TRUE(compile(source).ok);
  std::erase(target.features, "cl_khr_fp64");
  std::erase(target.features, "__opencl_c_fp64");
  EXPECT_FALSE(compile(source).ok);
}

} // namespace
} // namespace quern::test
