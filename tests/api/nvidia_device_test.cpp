// What only devices of NVIDIA's are asked, answered from the stand-in for their driver
// (tests/backend/fake_driver).
#include <cstring>
#include <string>

#include "opencl_test.h"

namespace quern::test {
namespace {

class NvidiaDeviceTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(CL_SUCCESS, clGetDeviceIDs(quernPlatform(), CL_DEVICE_TYPE_GPU, 1, &device, nullptr));
  }
  cl_uint ask(cl_device_info query) {
    cl_uint value = ~0u;
    size_t bytes = 0;
    EXPECT_EQ(CL_SUCCESS, clGetDeviceInfo(device, query, sizeof(value), &value, &bytes)) << query;
    EXPECT_EQ(sizeof(value), bytes) << query;
    return value;
  }
  std::string extensions() {
    char text[4096] = {};
    EXPECT_EQ(CL_SUCCESS,
              clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof(text), text, nullptr));
    return text;
  }

  cl_device_id device = nullptr;
};

TEST_F(NvidiaDeviceTest, attributesAreTheDriversOwn) {
  EXPECT_NE(std::string::npos, extensions().find("cl_nv_device_attribute_query"));
  EXPECT_EQ(9u, ask(CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV));
  EXPECT_EQ(0u, ask(CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV));
  EXPECT_EQ(65536u, ask(CL_DEVICE_REGISTERS_PER_BLOCK_NV));
  EXPECT_EQ(32u, ask(CL_DEVICE_WARP_SIZE_NV));
  EXPECT_EQ(cl_uint{CL_TRUE}, ask(CL_DEVICE_GPU_OVERLAP_NV));
  EXPECT_EQ(cl_uint{CL_FALSE}, ask(CL_DEVICE_KERNEL_EXEC_TIMEOUT_NV));
  EXPECT_EQ(cl_uint{CL_FALSE}, ask(CL_DEVICE_INTEGRATED_MEMORY_NV));
  constexpr cl_device_info asyncEngines = 0x4007, bus = 0x4008, slot = 0x4009, domain = 0x400A;
  EXPECT_EQ(3u, ask(asyncEngines));
  EXPECT_EQ(0x17u, ask(bus));
  EXPECT_EQ(4u, ask(slot));
  EXPECT_EQ(2u, ask(domain));
}

TEST_F(NvidiaDeviceTest, placeOnTheBusIsKnown) {
  EXPECT_NE(std::string::npos, extensions().find("cl_khr_pci_bus_info"));
  cl_device_pci_bus_info_khr place = {};
  size_t bytes = 0;
  ASSERT_EQ(CL_SUCCESS,
            clGetDeviceInfo(device, CL_DEVICE_PCI_BUS_INFO_KHR, sizeof(place), &place, &bytes));
  EXPECT_EQ(sizeof(place), bytes);
  EXPECT_EQ(2u, place.pci_domain);
  EXPECT_EQ(0x17u, place.pci_bus);
  EXPECT_EQ(4u, place.pci_device);
  EXPECT_EQ(0u, place.pci_function);
  // The value does not fit.
  EXPECT_EQ(CL_INVALID_VALUE, clGetDeviceInfo(device, CL_DEVICE_PCI_BUS_INFO_KHR, sizeof(place) - 1,
                                              &place, nullptr));
}

TEST_F(NvidiaDeviceTest, theDriversIdentityIsTheDevices) {
  EXPECT_NE(std::string::npos, extensions().find("cl_khr_device_uuid"));
  cl_uchar uuid[CL_UUID_SIZE_KHR] = {}, expected[CL_UUID_SIZE_KHR];
  std::memset(expected, 7, sizeof(expected));
  size_t bytes = 0;
  ASSERT_EQ(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_UUID_KHR, sizeof(uuid), uuid, &bytes));
  EXPECT_EQ(sizeof(uuid), bytes);
  EXPECT_EQ(0, std::memcmp(uuid, expected, sizeof(uuid)));
  // There are no LUIDs but on Windows.
  EXPECT_EQ(cl_uint{CL_FALSE}, ask(CL_DEVICE_LUID_VALID_KHR));
  // The values do not fit.
  for (const cl_device_info query : {CL_DEVICE_UUID_KHR, CL_DRIVER_UUID_KHR})
    EXPECT_EQ(CL_INVALID_VALUE, clGetDeviceInfo(device, query, sizeof(uuid) - 1, uuid, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, clGetDeviceInfo(device, CL_DEVICE_WARP_SIZE_NV, 3, uuid, nullptr));
}

TEST_F(NvidiaDeviceTest, otherDevicesDoNotKnowTheQueries) {
  cl_device_id cpu = nullptr;
  ASSERT_EQ(CL_SUCCESS, clGetDeviceIDs(quernPlatform(), CL_DEVICE_TYPE_CPU, 1, &cpu, nullptr));
  cl_uint value = 0;
  EXPECT_EQ(CL_INVALID_VALUE,
            clGetDeviceInfo(cpu, CL_DEVICE_WARP_SIZE_NV, sizeof(value), &value, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE,
            clGetDeviceInfo(cpu, CL_DEVICE_PCI_BUS_INFO_KHR, 0, nullptr, nullptr));
}

} // namespace
} // namespace quern::test
