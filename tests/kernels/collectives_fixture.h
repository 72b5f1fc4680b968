#pragma once

#include "kernels/kernel_fixture.h"

namespace quern::tests {

/// Skips devices without the collective functions of work-groups.
class WorkGroupCollectives : public testing::Test {
  void SetUp() override {
    QUERN_NEEDS("OpenCL C 3.0.0", "CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT");
  }
};

} // namespace quern::tests
