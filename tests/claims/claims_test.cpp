// Every device of the platform against the list of what devices of its kind must claim.
//   claims_test --print   the claims of all devices, for the lists
#include <cstring>
#include <fstream>
#include <iostream>

#include <gtest/gtest.h>

#include "claims/claims.h"
#include "kernels/kernel_fixture.h"
#include "temporary_folder.h"

namespace quern::tests {
namespace {

std::vector<cl_device_id> devices() {
  cl_uint count = 0;
  const cl_platform_id platform = findPlatform(testPlatformName());
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
  std::vector<cl_device_id> ids(count);
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids.data(), nullptr), "clGetDeviceIDs");
  return ids;
}

Claims claimsOf(cl_device_id device) {
  cl_int code = CL_SUCCESS;
  const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  check(code, "clCreateContext");
  Claims claims = Claims::of(device, context);
  clReleaseContext(context);
  return claims;
}

TEST(Claims, areThoseOfTheList) {
  const std::vector<cl_device_id> all = devices();
  ASSERT_FALSE(all.empty());
  for (cl_device_id device : all) {
    SCOPED_TRACE(listName(device));
    const Claims list = Claims::listedFor(device);
    for (const std::string& difference : list.differences(claimsOf(device)))
      ADD_FAILURE() << difference;
  }
}

std::vector<std::string> differences(const char* list, const char* claims) {
  const TemporaryFolder folder;
  std::ofstream(folder / "list") << list;
  std::ofstream(folder / "claims") << claims;
  return Claims::inFile(folder / "list").differences(Claims::inFile(folder / "claims"));
}

TEST(Claims, thatAreLostOrNewOrOtherAreFound) {
  using Sentences = std::vector<std::string>;
  EXPECT_EQ(differences("# Note\n\na = 1\nb\nc >= 4\n", "a = 1\nb\nc = 5\n"), Sentences());
  EXPECT_EQ(differences("may a = 1\nmay b = 1\n", "a = 1\n"), Sentences());
  EXPECT_EQ(differences("a\nb = 1.0.0\n", "b = 1.0.0\n"),
            Sentences({"the device does not claim a, which the list says it must"}));
  EXPECT_EQ(differences("a\n", "a\nb = 1.0.0\nc\n"),
            Sentences({"the device claims b = 1.0.0, which is not in the list",
                       "the device claims c, which is not in the list"}));
  EXPECT_EQ(differences("a = 2.0.0\nb >= 16\n", "a = 1.0.0\nb = 9\n"),
            Sentences({"the device claims a = 1.0.0; the list says 2.0.0",
                       "the device claims b = 9; the list says at least 16"}));
}

} // namespace
} // namespace quern::tests

int main(int count, char** values) {
  if (count == 2 && std::strcmp(values[1], "--print") == 0) {
    for (cl_device_id device : quern::tests::devices())
      std::cout << "# " << quern::tests::listName(device) << '\n'
                << quern::tests::claimsOf(device).text();
    return 0;
  }
  testing::InitGoogleTest(&count, values);
  return RUN_ALL_TESTS();
}
