// SPIR-V modules as the driver reads them and then the compiler, up to LLVM's IR.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include "../spirv/mutator.h"
#include "compiler/spirv/reader.h"
#include "spirv/specialization.h"

using namespace quern;

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t largest);

namespace {

/// Everything that any device offers of what SPIR-V asks for.
const compiler::Target& target() {
  static const compiler::Target all = [] {
    compiler::Target made;
    made.description = "x86_64";
    for (const char* feature : {
#define SPIRV_CAPABILITY(name, number, needs) needs,
#define SPIRV_EXTENSION(name, needs) needs,
#include "spirv/environment.def"
         })
      made.features.emplace_back(feature);
    return made;
  }();
  return all;
}

size_t write(const test::SpirvMutator& mutator, uint8_t* data, size_t largest) {
  const std::vector<uint32_t> words = mutator.words();
  const size_t size = words.size() * sizeof(uint32_t);
  if (size > largest)
    return 0;
  std::memcpy(data, words.data(), size);
  return size;
}

} // namespace

/// LLVM's headers poison the memory that its allocators hand out; its libraries do not know of it.
extern "C" const char* __asan_default_options() {
  return "allow_user_poisoning=0";
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  const Result<spirv::Module> module = spirv::Module::parse(bytes);
  if (!module.ok()) {
    if (module.status().code() != CL_INVALID_VALUE || module.status().sentence().empty())
      std::abort();
    return 0;
  }
  for (const spirv::SpecializationConstant& constant :
       spirv::specializationConstants(module.value()))
    if (constant.id == 0 || constant.id >= module.value().bound())
      std::abort();
  llvm::LLVMContext context;
  compiler::Options options;
  options.debugInfo = true;
  const compiler::FrontendResult read = compiler::readSpirv(bytes, {}, options, target(), context);
  if (!read.module && !read.log.starts_with("error: "))
    std::abort();
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t largest,
                                          unsigned seed) {
  constexpr unsigned bytewise = 20; // one in so many changes knows nothing of modules
  const Result<spirv::Module> module = spirv::Module::parse(std::as_bytes(std::span(data, size)));
  if (!module.ok() || seed % bytewise == 0)
    return LLVMFuzzerMutate(data, size, largest);
  test::SpirvMutator mutator(module.value(), seed);
  mutator.mutate();
  const size_t written = write(mutator, data, largest);
  return written != 0 ? written : size;
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* first, size_t firstSize,
                                            const uint8_t* second, size_t secondSize, uint8_t* made,
                                            size_t largest, unsigned seed) {
  const Result<spirv::Module> module =
      spirv::Module::parse(std::as_bytes(std::span(first, firstSize)));
  const Result<spirv::Module> other =
      spirv::Module::parse(std::as_bytes(std::span(second, secondSize)));
  if (!module.ok() || !other.ok())
    return 0;
  test::SpirvMutator mutator(module.value(), seed);
  mutator.crossOver(other.value());
  return write(mutator, made, largest);
}
