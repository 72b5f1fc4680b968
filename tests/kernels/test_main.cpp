#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <unistd.h>

#include <gtest/gtest.h>

#include "kernels/child_process.h"
#include "kernels/gpu_search.h"
#include "kernels/kernel_fixture.h"

namespace {

/// Ends the program when one test hangs, so that the run goes on with the next.
class TimeLimit : public testing::EmptyTestEventListener {
  static constexpr unsigned secondsEachTest = 300;
  void OnTestStart(const testing::TestInfo&) override { alarm(secondsEachTest); }
  void OnTestEnd(const testing::TestInfo&) override { alarm(0); }
};

int runChildBody(int count, char** words) {
  quern::tests::ChildMain body = quern::tests::findChild(words[2]);
  if (!body) {
    std::fprintf(stderr, "no child is named %s\n", words[2]);
    return 126;
  }
  try {
    return body(std::vector<std::string>(words + 3, words + count));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 125;
  }
}

/// With QUERN_TEST_GPU the tests are for a GPU. The exit status where they cannot run: that of a
/// skipped test where the machine has none, 1 where Quern does not offer the one that it has.
std::optional<int> whyNotOnGpu() {
  constexpr int skipped = 77;
  if (!std::getenv("QUERN_TEST_GPU"))
    return std::nullopt;
  const quern::tests::GpuSearch gpus = quern::tests::findGpus();
  if (gpus.count == 0) {
    std::printf("no GPU to test: %s\n", gpus.reason.c_str());
    return gpus.hasFailed ? 1 : skipped;
  }
  try {
    const quern::tests::Device& device = quern::tests::Device::get();
    if (device.claims("CL_DEVICE_TYPE CL_DEVICE_TYPE_GPU")) {
      std::printf("testing the GPU %s\n", device.text(CL_DEVICE_NAME).c_str());
      return std::nullopt;
    }
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
  }
  std::printf("Quern offers none of the %d GPUs that NVIDIA's driver finds\n", gpus.count);
  return 1;
}

} // namespace

int main(int argc, char** argv) {
  if (argc > 2 && std::string_view(argv[1]) == "--child")
    return runChildBody(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  if (const std::optional<int> status = whyNotOnGpu())
    return *status;
  testing::UnitTest::GetInstance()->listeners().Append(new TimeLimit);
  return RUN_ALL_TESTS();
}
