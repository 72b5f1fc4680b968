// The benchmark on a few kernels: it measures, checks and writes what the report reads.
#include "bench/bench.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <fstream>

namespace {

using quern::bench::benchMain;
using quern::bench::BenchOptions;

/// Options for one round on small sizes.
BenchOptions quickOptions(const std::string& kernel) {
  BenchOptions options;
  options.kernelFilter = kernel;
  options.quick = true;
  options.repeat = 1;
  return options;
}

class BenchKernels : public testing::TestWithParam<const char*> {};

TEST_P(BenchKernels, AreMeasuredAndRight) {
  const std::string file = testing::TempDir() + "bench_test.json";
  BenchOptions options = quickOptions(GetParam());
  options.jsonFile = file;
  ASSERT_EQ(benchMain(options), 0);

  std::ifstream stream(file);
  const nlohmann::json json = nlohmann::json::parse(stream);
  std::remove(file.c_str());
  EXPECT_GT(json["machine"]["fma_peak_flops"], 0.0);
  ASSERT_FALSE(json["results"].empty());
  for (const nlohmann::json& result : json["results"]) {
    ASSERT_FALSE(result["results"].empty());
    for (const nlohmann::json& side : result["results"]) {
      EXPECT_TRUE(side["ok"]) << result;
      EXPECT_GT(side["seconds"], 0.0) << result;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Families, BenchKernels,
                         testing::Values("launch", "build", "vector add_int", "matmul LOCAL",
                                         "iir Swap", "histogram local"));

TEST(Bench, SaysWhenNoPlatformFits) {
  BenchOptions options = quickOptions("vector");
  options.platforms = {"no platform has this name"};
  EXPECT_EQ(benchMain(options), 2);
}

TEST(Bench, SaysWhenTheFileCannotBeWritten) {
  BenchOptions options = quickOptions("zoom");
  options.jsonFile = "/no/such/folder/results.json";
  EXPECT_EQ(benchMain(options), 2);
}

} // namespace
