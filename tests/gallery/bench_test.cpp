// The benchmark on a few kernels: it measures, checks and writes what the report reads.
#include "bench/bench.h"
#include "bench/problem.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <unistd.h>
#include <vector>

namespace quern::bench {
namespace {

/// Options for one round on small sizes.
BenchOptions quickOptions(const std::string& kernel) {
  BenchOptions options;
  options.driver = std::getenv("QUERN_DRIVER");
  options.kernels = {kernel};
  options.quick = true;
  options.repeat = 1;
  return options;
}

class BenchKernels : public testing::TestWithParam<const char*> {};

/// What the benchmark writes, when it ends with `status`.
nlohmann::json resultsOf(BenchOptions options, const std::vector<Family>& families, int status) {
  options.jsonFile = testing::TempDir() + "bench_test." + std::to_string(getpid()) + ".json";
  EXPECT_EQ(benchMain(options, families), status);
  std::ifstream stream(options.jsonFile);
  const nlohmann::json json = nlohmann::json::parse(stream);
  std::remove(options.jsonFile.c_str());
  return json;
}

TEST_P(BenchKernels, AreMeasuredAndRight) {
  const nlohmann::json json = resultsOf(quickOptions(GetParam()), families(), 0);
  EXPECT_GT(json["machine"]["fma_peak_flops"], 0.0);
  EXPECT_NE(json["machine"]["host_compiler"], "");
  EXPECT_EQ(json["platforms"][0]["name"], "Quern");
  EXPECT_EQ(json["platforms"][0]["library"], std::getenv("QUERN_DRIVER"));
  EXPECT_NE(json["platforms"][0]["driver_version"], "");
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

TEST(Bench, TimesSolutionsOfKernels) {
  const nlohmann::json json = resultsOf(quickOptions("mix_bits"), families(), 0);
  ASSERT_EQ(json["results"].size(), 2u);
  EXPECT_EQ(json["results"][0]["measure"], "runs");
  const nlohmann::json& solution = json["results"][1];
  EXPECT_EQ(solution["measure"], "time to solution");
  // A build and eleven runs are more than a run.
  EXPECT_GT(solution["results"][0]["seconds"], json["results"][0]["results"][0]["seconds"]);
}

/// Of one kernel, whose result is never right.
class WrongProblem : public Problem {
public:
  Work work() const override { return {.items = 1, .unit = "run"}; }
  void runHost() override {}
  std::vector<std::string> variantNames() const override { return {"always"}; }
  Variant prepare(Target&, const std::string&) const override {
    return {[] {}, [] { return std::string("element 3 is 4, expected 5"); }, {}};
  }
};

TEST(Bench, ReportsWrongResults) {
  const Family wrong{
      "wrong", {{1}}, {{1}}, [](const Size&) { return std::make_unique<WrongProblem>(); }};
  testing::internal::CaptureStdout();
  const nlohmann::json json = resultsOf(quickOptions("wrong"), {wrong}, 1);
  const std::string report = testing::internal::GetCapturedStdout();
  EXPECT_NE(report.find("FAILED"), std::string::npos) << report;
  EXPECT_NE(report.find("wrong always 1 on Quern: element 3 is 4, expected 5"), std::string::npos)
      << report;
  for (const nlohmann::json& result : json["results"]) {
    EXPECT_EQ(result["results"][0]["ok"], false) << result;
    EXPECT_FALSE(result["results"][0].contains("seconds")) << result;
  }
}

TEST(Bench, MeasuresTheHostOnOneThreadToo) {
  BenchOptions options = quickOptions("stencil");
  options.runsOnly = true;
  options.oneThread = {"stencil"};
  const nlohmann::json json = resultsOf(options, families(), 0);
  ASSERT_EQ(json["results"].size(), 1u);
  const nlohmann::json& sides = json["results"][0]["results"];
  EXPECT_EQ(sides[sides.size() - 2]["name"], "host");
  EXPECT_EQ(sides[sides.size() - 1]["name"], "1 thread");
  EXPECT_GT(sides[sides.size() - 1]["seconds"], 0.0);
}

TEST(Bench, MeasuresTheKindOfDeviceThatIsAskedFor) {
  BenchOptions options = quickOptions("zoom");
  options.device = "cpu";
  const nlohmann::json json = resultsOf(options, families(), 0);
  EXPECT_EQ(json["device"]["kind"], "CPU");
  EXPECT_GT(json["device"]["fma_peak_flops"], 0.0);
  for (const nlohmann::json& platform : json["platforms"])
    EXPECT_EQ(platform["kind"], "CPU") << platform;
}

TEST(Bench, SaysThatTheDeviceIsMissing) {
  BenchOptions options = quickOptions("zoom");
  options.device = "no device has this name";
  testing::internal::CaptureStderr();
  EXPECT_EQ(benchMain(options), 2);
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_NE(
      text.find("the platform 'Quern' has no device that is called 'no device has this name'"),
      std::string::npos)
      << text;
}

TEST(Bench, ListsDevices) {
  BenchOptions options = quickOptions("zoom");
  options.listsDevices = true;
  testing::internal::CaptureStdout();
  EXPECT_EQ(benchMain(options), 0);
  EXPECT_EQ(testing::internal::GetCapturedStdout().find("CPU\t"), 0u);
}

TEST(Bench, WritesProgressForPrograms) {
  BenchOptions options = quickOptions("mdh float");
  options.progressLines = true;
  options.runsOnly = true;
  testing::internal::CaptureStderr();
  EXPECT_EQ(benchMain(options), 0);
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("progress: 2 of 3: mdh float8 8192x500\n"), std::string::npos) << text;
}

TEST(Bench, WritesPictures) {
  BenchOptions options = quickOptions("mandelbrot");
  options.runsOnly = true;
  options.pictureFolder = testing::TempDir();
  const nlohmann::json json = resultsOf(options, families(), 0);
  const nlohmann::json& picture = json["pictures"]["mandelbrot plain"];
  EXPECT_EQ(picture["columns"], 512);
  EXPECT_EQ(picture["rows"], 384);
  EXPECT_EQ(picture["type"], "int32");
  const std::string path = testing::TempDir() + picture["file"].get<std::string>();
  std::ifstream file(path, std::ios::binary);
  std::vector<int32_t> iterations(512 * 384);
  const auto bytes = static_cast<std::streamsize>(iterations.size() * sizeof(int32_t));
  EXPECT_TRUE(file.read(reinterpret_cast<char*>(iterations.data()), bytes));
  EXPECT_EQ(*std::max_element(iterations.begin(), iterations.end()), 256); // inside the set
  std::remove(path.c_str());
}

TEST(Bench, ThinsLargePictures) {
  const std::vector<int32_t> numbers = {0, 1, 2, 3, 4, 10, 11, 12, 13, 14, 20, 21, 22, 23, 24};
  const Picture thin = thinned(makePicture(5, 1, "int32", numbers), 3);
  EXPECT_EQ(thin.columns, 3u);
  EXPECT_EQ(thin.rows, 2u);
  EXPECT_EQ(thin.numbers,
            makePicture(3, 1, "int32", std::vector<int32_t>{0, 2, 4, 20, 22, 24}).numbers);
}

TEST(Bench, SaysWhichPlatformIsMissing) {
  BenchOptions options = quickOptions("vector");
  options.platforms = {"quern", "no platform has this name"};
  testing::internal::CaptureStderr();
  EXPECT_EQ(benchMain(options), 2);
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("no platform is called 'no platform has this name'; there are: 'Quern'"),
            std::string::npos)
      << text;
}

TEST(Bench, SaysThatTheDriverIsNone) {
  BenchOptions options = quickOptions("vector");
  options.driver = "/no/such/libquern.so";
  testing::internal::CaptureStderr();
  EXPECT_EQ(benchMain(options), 2);
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("the driver '/no/such/libquern.so' cannot be loaded"), std::string::npos)
      << text;
}

TEST(Bench, SaysWhenTheFileCannotBeWritten) {
  BenchOptions options = quickOptions("zoom");
  options.jsonFile = "/no/such/folder/results.json";
  EXPECT_EQ(benchMain(options), 2);
}

} // namespace
} // namespace quern::bench
