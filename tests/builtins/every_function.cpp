// With QUERN_EVERY_FUNCTION a run of all tests fails for each function that none of them called.
#include "builtin.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace quern::builtins {
namespace {

class EveryFunction : public ::testing::Environment {
  void TearDown() override {
    if (std::getenv("QUERN_EVERY_FUNCTION"))
      for (const Builtin* builtin : neverCalled())
        ADD_FAILURE() << "no test calls " << describe(*builtin);
  }
};

[[maybe_unused]] const auto* const registered =
    ::testing::AddGlobalTestEnvironment(new EveryFunction);

} // namespace
} // namespace quern::builtins
