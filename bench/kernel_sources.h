// The kernel files, embedded at build time so that the benchmark needs no files at run
// time.
#pragma once

#include <string>

namespace quern::bench {

/// The text of a kernel file of examples/ or kernels/, by its file name. Throws std::out_of_range
/// for a name that is not embedded.
std::string kernelSource(const std::string& fileName);

} // namespace quern::bench
