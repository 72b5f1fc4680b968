#include "cases.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace quern::bench {

std::vector<float> randomFloats(size_t count, float low, float high, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> draw(low, high);
  std::vector<float> values(count);
  std::generate(values.begin(), values.end(), [&] { return draw(engine); });
  return values;
}

std::vector<cl_int> randomInts(size_t count, cl_int bound, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_int_distribution<cl_int> draw(0, bound - 1);
  std::vector<cl_int> values(count);
  std::generate(values.begin(), values.end(), [&] { return draw(engine); });
  return values;
}

std::string differenceBeyond(const std::vector<float>& actual, const std::vector<float>& expected,
                             double allowed) {
  for (size_t i = 0; i < expected.size(); ++i)
    if (!(std::abs(static_cast<double>(actual[i]) - expected[i]) <= allowed))
      return "element " + std::to_string(i) + " is " + std::to_string(actual[i]) + ", expected " +
             std::to_string(expected[i]) + " within " + std::to_string(allowed);
  return "";
}

size_t groupSize(const cl::Kernel& kernel, const cl::Device& device, size_t wanted) {
  const size_t limit = std::min(wanted, kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device));
  size_t size = 1;
  while (size * 2 <= limit)
    size *= 2;
  return size;
}

std::string describe(const Size& size) {
  std::string text;
  for (const size_t part : size)
    text += (text.empty() ? "" : "x") + std::to_string(part);
  return text;
}

} // namespace quern::bench
