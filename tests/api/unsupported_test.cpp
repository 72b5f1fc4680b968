#include "opencl_test.h"

namespace quern::test {
namespace {

class UnsupportedTest : public OpenClTest {};

TEST_F(UnsupportedTest, thereAreNoPipes) {
  cl_int code = 0;
  EXPECT_EQ(nullptr, clCreatePipe(context.get(), 0, 16, 16, nullptr, &code));
  EXPECT_EQ(CL_INVALID_OPERATION, code);
}

} // namespace
} // namespace quern::test
