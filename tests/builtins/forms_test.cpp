// Functions that have forms for some machines, called by kernels for this one as
// make_form_kernels.py says, beside their other forms compiled for the oldest processor.
#include <cstring>
#include <fstream>
#include <sstream>

#include "builtin.h"
#include "kernels/kernel_fixture.h"
#include "ulp.h"

namespace quern::tests {
namespace {

using builtins::Base;
using builtins::Builtin;
using builtins::Slot;

constexpr size_t items = 96;
/// Results of a work-item: two outside conditions, two in one, and two of each round of a loop.
constexpr size_t slots = 12;
/// Twice what the specification allows the least precise of these functions.
constexpr long double maxError = 32;

bool makes(size_t item, size_t slot) {
  return slot < 2 || (slot < 4 ? item % 3 == 1 : (slot - 4) / 2 < item % 5);
}

std::string textOf(const char* path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

size_t elementBytes(Base base) {
  return base == Base::Double ? 8 : 4;
}

size_t bytesOf(const builtins::Type& type) {
  return elementBytes(type.base) * static_cast<size_t>(type.width == 3 ? 4 : type.width);
}

/// The function that a kernel's name consists of, with the types of its parameters.
const Builtin* functionOf(const std::string& kernel) {
  for (const Builtin* builtin : builtins::overloads(kernel.substr(0, kernel.find('_')))) {
    std::string name = builtins::describe(*builtin);
    name = name.substr(name.find(' ') + 1);
    std::string words;
    for (const char c : name)
      if (c == '(' || c == ',')
        words += '_';
      else if (c != ' ' && c != ')')
        words += c;
    if (words == kernel)
      return builtin;
  }
  return nullptr;
}

/// Ordinary numbers and, in every third place, those with results of their own.
template <typename T> T number(size_t i) {
  const uint32_t noise = static_cast<uint32_t>(i * 2654435761u) >> 8;
  if constexpr (std::is_same_v<T, cl_int>) {
    return static_cast<cl_int>(noise % 41) - 20;
  } else {
    const T special[] = {0,   T(-0.0), 1,  -1,      INFINITY, -INFINITY,
                         NAN, T(0.5),  -2, T(1e30), T(1e-30)};
    if (i % 3 == 2)
      return special[noise % std::size(special)];
    return std::ldexp(T(noise % 4096 + 1) / 4096, static_cast<int>(noise % 23) - 11) *
           (noise % 7 == 0 ? -1 : 1);
  }
}

std::vector<cl_uchar> input(const builtins::Type& type, size_t seed) {
  std::vector<cl_uchar> bytes(bytesOf(type) * items);
  const auto fill = [&]<typename T>(T) {
    for (size_t i = 0; i < bytes.size() / sizeof(T); ++i) {
      const T value = number<T>(i + seed);
      std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
    }
  };
  if (type.base == Base::Double)
    fill(cl_double{});
  else if (type.base == Base::Float)
    fill(cl_float{});
  else
    fill(cl_int{});
  return bytes;
}

template <typename T>
void expectNear(const Slot& wanted, const cl_uchar* found, int width, size_t item, size_t slot) {
  for (int lane = 0; lane < width; ++lane) {
    T exact{}, actual{};
    std::memcpy(&exact, wanted.bytes + lane * sizeof(T), sizeof(T));
    std::memcpy(&actual, found + lane * sizeof(T), sizeof(T));
    EXPECT_LE(builtins::ulpError(actual, static_cast<long double>(exact)), maxError)
        << "work-item " << item << ", result " << slot << ", element " << lane << ": " << actual
        << " instead of " << exact;
  }
}

void compare(const Program& program, const std::string& name) {
  const Builtin* function = functionOf(name);
  ASSERT_NE(function, nullptr);
  const size_t resultBytes = bytesOf(function->result);
  std::vector<std::vector<cl_uchar>> inputs;
  std::vector<std::unique_ptr<Buffer<cl_uchar>>> buffers;
  Kernel kernel(program, name.c_str());
  const auto parameters = static_cast<cl_uint>(function->parameterCount);
  for (cl_uint i = 0; i < parameters; ++i) {
    inputs.push_back(input(function->parameters[i], 1000 * i));
    buffers.push_back(std::make_unique<Buffer<cl_uchar>>(inputs.back()));
    kernel.set(i, *buffers.back());
  }
  Buffer<cl_uchar> out(resultBytes * items * slots);
  kernel.set(parameters, out);
  kernel.enqueue({{items}, {32}});
  const std::vector<cl_uchar> found = out.read();
  for (size_t item = 0; item < items; ++item)
    for (size_t slot = 0; slot < slots; ++slot) {
      if (!makes(item, slot))
        continue;
      std::array<Slot, 7> values;
      std::array<void*, 7> addresses;
      for (cl_uint i = 0; i < parameters; ++i) {
        const size_t from = i + 1 == parameters ? (item + slot) % items : item;
        const size_t bytes = bytesOf(function->parameters[i]);
        std::memcpy(values[i].bytes, inputs[i].data() + from * bytes, bytes);
        addresses[i] = values[i].bytes;
      }
      Slot wanted;
      function->call(wanted.bytes, addresses.data());
      const cl_uchar* place = found.data() + (slot * items + item) * resultBytes;
      if (function->result.base == Base::Double)
        expectNear<cl_double>(wanted, place, function->result.width, item, slot);
      else
        expectNear<cl_float>(wanted, place, function->result.width, item, slot);
    }
}

class Forms : public testing::TestWithParam<const char*> {};

TEST_P(Forms, giveWhatTheOthersDo) {
  const Program program = build(textOf(GetParam()), "-cl-std=CL3.0");
  cl_uint count = 0;
  check(clCreateKernelsInProgram(program.handle(), 0, nullptr, &count), "clCreateKernelsInProgram");
  ASSERT_GT(count, 0u);
  std::vector<cl_kernel> kernels(count);
  check(clCreateKernelsInProgram(program.handle(), count, kernels.data(), nullptr),
        "clCreateKernelsInProgram");
  for (cl_kernel kernel : kernels) {
    char name[256] = {};
    check(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, nullptr),
          "clGetKernelInfo");
    clReleaseKernel(kernel);
    SCOPED_TRACE(name);
    compare(program, name);
  }
}

INSTANTIATE_TEST_SUITE_P(Avx512, Forms, testing::Values(QUERN_AVX512_KERNELS));
INSTANTIATE_TEST_SUITE_P(Fma, Forms, testing::Values(QUERN_FMA_KERNELS));

} // namespace
} // namespace quern::tests
