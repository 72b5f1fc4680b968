#pragma once

#include <gtest/gtest.h>
#include <vector>

#include "command_probe.h"
#include "device/device.h"
#include "devices/cpu/enumerate.h"
#include "devices/cuda/enumerate.h"
#include "devices/null/enumerate.h"
#include "devices/remote/enumerate.h"
#include "devices/united/united_device.h"

namespace quern::test {

struct CpuBackend {
  static constexpr device::Enumerate enumerate = cpu::enumerate;
};
struct CudaBackend {
  static constexpr device::Enumerate enumerate = cuda::enumerate;
};
struct NullBackend {
  static constexpr device::Enumerate enumerate = null::enumerate;
};

struct RemoteBackend {
  static constexpr device::Enumerate enumerate = remote::enumerate;
};

/// The united device of what `which` names among the devices of a backend; none where there are too
/// few.
inline std::vector<Ref<device::Device>> unite(std::string_view which, std::string_view backend,
                                              device::Enumerate enumerate) {
  std::vector<device::NamedDevice> devices;
  for (Ref<device::Device>& device : enumerate())
    devices.push_back({backend, std::move(device)});
  Result<Ref<device::Device>> united = united::unite(which, devices);
  return united.ok() ? std::vector{*united} : std::vector<Ref<device::Device>>();
}

struct UnitedHalvesBackend {
  static std::vector<Ref<device::Device>> enumerate() {
    return unite("halves", "cpu", cpu::enumerate);
  }
};
struct UnitedCudaBackend {
  static std::vector<Ref<device::Device>> enumerate() {
    return cuda::enumerate().size() < 2 ? std::vector<Ref<device::Device>>()
                                        : unite("cuda", "cuda", cuda::enumerate);
  }
};

/// The first device of a backend with a queue; the test is skipped where the backend has none.
class DeviceTest : public testing::Test {
protected:
  explicit DeviceTest(device::Enumerate enumerate = cpu::enumerate)
      : device(firstOf(enumerate())),
        queue(device ? *device->createQueue({}) : Ref<device::Queue>()) {}
  void SetUp() override {
    if (!device)
      GTEST_SKIP() << "this machine has no device of the backend";
  }

  Ref<device::Allocation> allocate(uint64_t bytes) {
    auto allocation = device->allocate({.bytes = bytes});
    EXPECT_TRUE(allocation.ok()) << allocation.status().sentence();
    return *allocation;
  }
  /// An allocation with these values in it.
  template <typename T> Ref<device::Allocation> allocateWith(const std::vector<T>& values) {
    Ref<device::Allocation> allocation = allocate(values.size() * sizeof(T));
    std::vector<T> source = values;
    EXPECT_EQ(run(device::Copy{.source = {.host = bytesOf(source)},
                               .destination = {.allocation = allocation.get()},
                               .bytes = allocation->bytes()}),
              CL_COMPLETE);
    return allocation;
  }
  /// Only where the host sees the device's memory.
  template <typename T> static T* data(const Ref<device::Allocation>& allocation) {
    return reinterpret_cast<T*>(allocation->hostPointer());
  }
  template <typename T> std::vector<T> values(const Ref<device::Allocation>& allocation) {
    std::vector<T> target(allocation->bytes() / sizeof(T));
    EXPECT_EQ(run(device::Copy{.source = {.allocation = allocation.get()},
                               .destination = {.host = bytesOf(target)},
                               .bytes = target.size() * sizeof(T)}),
              CL_COMPLETE);
    return target;
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

private:
  static Ref<device::Device> firstOf(std::vector<Ref<device::Device>> devices) {
    return devices.empty() ? nullptr : devices.front();
  }
  template <typename T> static std::byte* bytesOf(std::vector<T>& values) {
    return reinterpret_cast<std::byte*>(values.data());
  }
};

/// The contract of device/device.h: the same tests for every backend.
template <typename Backend> class ContractTest : public DeviceTest {
protected:
  ContractTest() : DeviceTest(Backend::enumerate) {}
};

using Backends = testing::Types<CpuBackend, NullBackend, CudaBackend, RemoteBackend,
                                UnitedHalvesBackend, UnitedCudaBackend>;

} // namespace quern::test
