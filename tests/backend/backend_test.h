#pragma once

#include <gtest/gtest.h>
#include <vector>

#include "command_probe.h"
#include "device/device.h"
#include "devices/cpu/enumerate.h"
#include "devices/null/enumerate.h"

namespace quern::test {

struct CpuBackend {
  static constexpr device::Enumerate enumerate = cpu::enumerate;
};
struct NullBackend {
  static constexpr device::Enumerate enumerate = null::enumerate;
};

/// A device of a backend with a queue.
class DeviceTest : public testing::Test {
protected:
  explicit DeviceTest(device::Enumerate enumerate = cpu::enumerate)
      : device(enumerate().at(0)), queue(*device->createQueue({})) {}

  Ref<device::Allocation> allocate(uint64_t bytes) {
    auto allocation = device->allocate({.bytes = bytes});
    EXPECT_TRUE(allocation.ok()) << allocation.status().sentence();
    return *allocation;
  }
  /// An allocation with these values in it.
  template <typename T> Ref<device::Allocation> allocateWith(const std::vector<T>& values) {
    Ref<device::Allocation> allocation = allocate(values.size() * sizeof(T));
    std::copy(values.begin(), values.end(), data<T>(allocation));
    return allocation;
  }
  template <typename T> static T* data(const Ref<device::Allocation>& allocation) {
    return reinterpret_cast<T*>(allocation->hostPointer());
  }
  template <typename T> static std::vector<T> values(const Ref<device::Allocation>& allocation) {
    const T* first = data<T>(allocation);
    return std::vector<T>(first, first + allocation->bytes() / sizeof(T));
  }
  /// Submits `work`, flushes and waits; returns the command's status.
  cl_int run(device::Work work) {
    CommandProbe command(std::move(work));
    queue->submit(command);
    queue->flush();
    command.wait();
    return command.status;
  }

  Ref<device::Device> device;
  Ref<device::Queue> queue;
};

/// The contract of device/device.h: the same tests for every backend.
template <typename Backend> class ContractTest : public DeviceTest {
protected:
  ContractTest() : DeviceTest(Backend::enumerate) {}
};

using Backends = testing::Types<CpuBackend, NullBackend>;

} // namespace quern::test
