#pragma once

#include <string>
#include <vector>

#include "base/bytes.h"

namespace quern::fuzz {

/// An input that a fuzzer starts from because it is valid, and the file of `corpus` that holds it.
struct Seed {
  std::string file;
  Bytes bytes;
};

/// All of those that Quern itself writes.
std::vector<Seed> seeds();

} // namespace quern::fuzz
