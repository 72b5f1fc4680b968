#pragma once

#include "kernels/kernel_fixture.h"

namespace quern::tests {

/// Skips devices without the collective functions of work-groups.
class WorkGroupCollectives : public testing::Test {
  void SetUp() override {
    if (!Device::get().hasOpenCLC30() ||
        !Device::get().info<cl_bool>(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT))
      GTEST_SKIP() << "the device has no collective functions of work-groups";
  }
};

} // namespace quern::tests
