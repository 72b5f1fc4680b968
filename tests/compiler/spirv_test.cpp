#include <algorithm>
#include <cstring>
#include <random>

#include "../spirv/mutator.h"
#include "compiler_fixture.h"
#include "spirv_module.h"

namespace quern::test {
namespace {

using Words = std::vector<uint32_t>;

Words wordsOf(const std::string& name) {
  const std::vector<unsigned char> bytes = spirvModule(name);
  Words words(bytes.size() / sizeof(uint32_t));
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

class Spirv : public CompilerTest {
protected:
  Spirv() {
    target.features.insert(target.features.end(),
                           {"__opencl_c_device_enqueue", "__opencl_c_generic_address_space",
                            "__opencl_c_subgroups", "__opencl_c_images", "cl_intel_subgroups"});
  }
  compiler::Compiled read(const Words& words) {
    return compiler.compileIl(std::as_bytes(std::span(words)), {}, options, target, dump);
  }
};

/// Whatever a module says, it is read or refused with a reason. What was read must also get through
/// the rest of the compiler.
TEST_F(Spirv, isNeverTrusted) {
  std::mt19937 random(1);
  size_t read = 0, refused = 0;
  for (const char* name : {"scale", "caller", "helper", "everything", "enqueue", "untyped_pointers",
                           "function_pointers", "lines", "intel_sub_groups", "global_built_ins"}) {
    const Words good = wordsOf(name);
    const Result<spirv::Module> module = spirv::Module::parse(std::as_bytes(std::span(good)));
    ASSERT_TRUE(module.ok()) << module.status().sentence();
    for (int round = 0; round < 350; ++round) {
      SpirvMutator mutator(module.value(), static_cast<unsigned>(random()));
      mutator.mutate();
      const compiler::Compiled compiled = this->read(mutator.words());
      ASSERT_EQ(compiled.ok, !compiled.ir.empty());
      if (!compiled.ok) {
        ASSERT_TRUE(compiled.log.starts_with("error: ")) << compiled.log;
        ++refused;
        continue;
      }
      ++read;
      const compiler::Generated generated = compiler.generate(compiled.ir, options, target, dump);
      ASSERT_TRUE(generated.ok || !generated.log.empty());
    }
  }
  EXPECT_GT(read, 100u);
  EXPECT_GT(refused, 1000u);
}

/// Where the `which`-th instruction `opcode` of a module begins.
size_t find(const Words& words, uint32_t opcode, unsigned which = 0) {
  for (size_t place = 5; place < words.size(); place += words[place] >> 16)
    if ((words[place] & 0xFFFF) == opcode && which-- == 0)
      return place;
  ADD_FAILURE() << "no instruction " << opcode;
  return 5;
}

void dropLastWord(Words& words, size_t place) {
  words.erase(words.begin() + static_cast<long>(place + (words[place] >> 16) - 1));
  words[place] -= 1 << 16;
}

TEST_F(Spirv, whatIsEnqueuedIsChecked) {
  constexpr uint32_t enqueueKernel = 292, function = 54;
  // Words of OpEnqueueKernel, behind its own, the result's type and the result.
  enum : size_t {
    Result = 2,
    Queue,
    Flags,
    Range,
    Count,
    Waits,
    Event,
    Invoke,
    Param,
    Size,
    Align
  };
  const Words good = wordsOf("enqueue");
  const size_t first = find(good, enqueueKernel), second = find(good, enqueueKernel, 1);
  const auto expect = [&](size_t word, uint32_t id, const char* rule) {
    Words words = good;
    words[first + word] = id;
    const compiler::Compiled compiled = read(words);
    EXPECT_FALSE(compiled.ok) << rule;
    EXPECT_TRUE(contains(compiled.log, rule)) << compiled.log;
  };
  expect(Queue, good[first + Range], "is not of the type OpTypeQueue");
  expect(Range, good[first + Queue], "has an operand that is no range of work-items");
  expect(Count, good[first + Queue], "has an operand that is no whole number");
  expect(Waits, good[first + Count], "has an operand that is no pointer");
  expect(Invoke, good[first + Queue], "which is no function");
  expect(Invoke, good[find(good, function) + 2],
         "whose first parameter is no pointer to generic or private memory");
  expect(Invoke, good[second + Invoke],
         "gives 1 local sizes to a function with 0 pointers to local memory");
  expect(Size, good[first + Range], "has a parameter size that is no constant");
  expect(Align, good[second + Size], "has the parameter alignment 12");
  Words words = good;
  dropLastWord(words, first);
  EXPECT_TRUE(contains(read(words).log,
                       "gives 0 local sizes to a function with 1 pointers to local memory"));
  // A block as an entry point of its own, with a mode.
  constexpr uint32_t entryPoint = 15, executionMode = 16, kernel = 6, localSize = 17;
  words = good;
  const size_t entry = find(words, entryPoint);
  const Words added = {4 << 16 | entryPoint,
                       kernel,
                       good[first + Invoke],
                       'b',
                       6 << 16 | executionMode,
                       good[first + Invoke],
                       localSize,
                       0,
                       1,
                       1};
  words.insert(words.begin() + static_cast<long>(entry + (words[entry] >> 16)), added.begin(),
               added.end());
  EXPECT_TRUE(contains(read(words).log, "has a mode with a size that is no positive constant"));
}

TEST_F(Spirv, callsByPointersAreChecked) {
  constexpr uint32_t address = 5600, pointerCall = 5601;
  const Words good = wordsOf("function_pointers");
  Words words = good;
  dropLastWord(words, find(words, pointerCall));
  EXPECT_TRUE(contains(read(words).log, "passes 1 arguments to a function of 2"));
  words = good;
  words[find(words, pointerCall) + 3] = words[find(words, pointerCall) + 4];
  EXPECT_TRUE(contains(read(words).log, "has an operand that is no pointer"));
  words = good;
  words[find(words, address) + 3] = words[find(words, address) + 1];
  EXPECT_TRUE(contains(read(words).log, "OpConstantFunctionPointerINTEL names the id " +
                                            std::to_string(words[find(words, address) + 1]) +
                                            ", which is no function"));
}

/// Functions of LLVM that nothing calls are no part of a program.
TEST_F(Spirv, importsOfReservedNamesAreNotCalled) {
  constexpr uint32_t function = 54, call = 57;
  const Words good = wordsOf("reserved_import");
  const compiler::Compiled compiled = read(good);
  EXPECT_TRUE(compiled.ok) << compiled.log;
  const compiler::Generated generated = compiler.generate(compiled.ir, options, target, dump);
  EXPECT_TRUE(generated.ok) << generated.log;
  Words words = good;
  words[find(words, call) + 3] = words[find(words, function) + 2];
  EXPECT_TRUE(
      contains(read(words).log, "has the symbol \"llvm.is.fpclass.f32\", as none may be called"));
}

TEST_F(Spirv, untypedPointersAreChecked) {
  constexpr uint32_t untypedVariable = 4418, accessChain = 65, copy = 63, copySized = 64;
  const Words good = wordsOf("untyped_pointers");
  Words words = good;
  dropLastWord(words, find(words, untypedVariable, 1));
  EXPECT_TRUE(contains(read(words).log, "has no type"));
  words = good;
  const size_t sized = find(words, copySized);
  words.erase(words.begin() + static_cast<long>(sized + 3));
  words[sized] = (words[sized] & 0xFFFF0000) - (1 << 16) + copy;
  EXPECT_TRUE(contains(read(words).log, "copies what is not known between untyped pointers"));
  // An instruction for pointers with types.
  words = good;
  const size_t chain = find(words, 4420);
  words.erase(words.begin() + static_cast<long>(chain + 3));
  words[chain] = (words[chain] & 0xFFFF0000) - (1 << 16) + accessChain;
  EXPECT_TRUE(contains(read(words).log, "has an operand that is a pointer to what is not known"));
}

TEST_F(Spirv, keepsLinesForDebuggers) {
  options.debugInfo = true;
  const compiler::Compiled compiled = read(wordsOf("lines"));
  ASSERT_TRUE(compiled.ok) << compiled.log;
  const Result<std::string> text =
      compiler.print(compiled.ir, options, target, "llvm", "link-builtins");
  ASSERT_TRUE(text.ok());
  for (const char* part : {"DISubprogram(name: \"double_of\"", "DISubprogram(name: \"twice\"",
                           "DIFile(filename: \"twice.cl\"", "DIFile(filename: \"twice.h\"",
                           "DILocation(line: 4, column: 10", "DILocation(line: 11, column: 5",
                           "DILocation(line: 12, column: 9",
                           // Within the kernel, a line of another file.
                           "DILexicalBlockFile(", "DILocation(line: 20, column: 7"})
    EXPECT_TRUE(contains(text.value(), part)) << part;
  EXPECT_TRUE(compiler.generate(compiled.ir, options, target, dump).ok);
}

TEST_F(Spirv, hasNoLinesWhereNobodyAsks) {
  const compiler::Compiled compiled = read(wordsOf("lines"));
  const Result<std::string> text =
      compiler.print(compiled.ir, options, target, "llvm", "link-builtins");
  ASSERT_TRUE(text.ok());
  EXPECT_FALSE(contains(text.value(), "DILocation"));
}

TEST_F(Spirv, modesOfFloatingPointAreKept) {
  const compiler::Compiled compiled = read(wordsOf("float_controls"));
  ASSERT_TRUE(compiled.ok) << compiled.log;
  const Result<std::string> text =
      compiler.print(compiled.ir, options, target, "llvm", "link-builtins");
  ASSERT_TRUE(text.ok());
  for (const char* part :
       {"= fmul nnan nsz float", "= fadd float", "= fsub reassoc contract float"})
    EXPECT_TRUE(contains(text.value(), part)) << part << " in\n" << text.value();
}

TEST_F(Spirv, isReadForNvidiaDevices) {
  target.description = "nvptx64;cpu=sm_90;features=+ptx78;sub-group=32";
  for (const char* name : {"enqueue", "untyped_pointers", "function_pointers"}) {
    const compiler::Compiled compiled = read(wordsOf(name));
    ASSERT_TRUE(compiled.ok) << compiled.log;
    const compiler::Generated generated = compiler.generate(compiled.ir, options, target, dump);
    EXPECT_TRUE(generated.ok) << name << ": " << generated.log;
  }
}

TEST_F(Spirv, isReadAsItIsWritten) {
  for (const char* name :
       {"scale", "everything", "enqueue", "untyped_pointers", "function_pointers", "lines"}) {
    const compiler::Compiled compiled = read(wordsOf(name));
    ASSERT_TRUE(compiled.ok) << compiled.log;
    EXPECT_TRUE(compiler.generate(compiled.ir, options, target, dump).ok) << name;
  }
}

} // namespace
} // namespace quern::test
