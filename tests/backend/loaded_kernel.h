#pragma once

#include <fstream>
#include <iterator>

#include "backend_test.h"

namespace quern::test {

inline Bytes readObject(const std::string& name) {
  std::ifstream file(std::string(QUERN_TEST_OBJECTS) + "/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return Bytes(first, first + text.size());
}

/// Describes a kernel of objects/kernels.cpp whose argument block is `argumentBytes` long.
inline abi::KernelDescription describe(const std::string& name, uint32_t argumentBytes) {
  abi::KernelDescription description;
  description.name = description.entrySymbol = name;
  description.argumentBlockBytes = argumentBytes;
  return description;
}

/// Builds the argument block of a launch.
class Arguments {
public:
  template <typename T> Arguments& add(const T& value) {
    const auto* first = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), first, first + sizeof(T));
    return *this;
  }
  Bytes bytes;
};

/// A test of one kernel of objects/kernels.cpp on the CPU device.
class KernelTest : public DeviceTest {
protected:
  Ref<device::Executable> load(abi::KernelDescription description,
                               const std::string& object = "kernels.o") {
    abi::ProgramImage image;
    image.code = readObject(object);
    image.kernels.push_back(std::move(description));
    auto executable = device->load(image);
    EXPECT_TRUE(executable.ok()) << executable.status().sentence();
    return *executable;
  }
};

} // namespace quern::test
