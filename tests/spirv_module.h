#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace quern::test {

/// The bytes of tests/spirv/modules/NAME.spvasm, assembled.
inline std::vector<unsigned char> spirvModule(const std::string& name) {
  std::ifstream file(QUERN_SPIRV_MODULES "/" + name + ".spv", std::ios::binary);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace quern::test
