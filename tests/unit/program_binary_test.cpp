#include "runtime/program_binary.h"

#include <gtest/gtest.h>

namespace quern::runtime {
namespace {

const BinaryOrigin origin = {
    .compiler = "compiler 1", .target = "target 1", .language = "language 1"};

Bytes bytesOf(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return {bytes.begin(), bytes.end()};
}

ProgramBinary executable() {
  ProgramBinary binary;
  binary.kind = ProgramBinary::Kind::Executable;
  binary.options = "-D A=1";
  binary.mayBeNonUniform = true;
  abi::KernelDescription kernel;
  kernel.name = "copy";
  kernel.arguments.push_back({.kind = abi::ArgumentKind::Global,
                              .offset = 0,
                              .bytes = 8,
                              .alignment = 4,
                              .typeName = "int*"});
  kernel.arguments.push_back({.kind = abi::ArgumentKind::Value,
                              .offset = 8,
                              .bytes = 4,
                              .alignment = 4,
                              .typeName = "int"});
  kernel.argumentBlockBytes = 16;
  kernel.entrySymbol = "entry";
  binary.image.kernels.push_back(kernel);
  binary.image.code = bytesOf("machine code");
  binary.image.globalVariableBytes = 12;
  return binary;
}

ProgramBinary compiled(ProgramBinary::Kind kind) {
  ProgramBinary binary;
  binary.kind = kind;
  binary.ir = bytesOf("intermediate representation");
  return binary;
}

cl_int errorOf(std::span<const std::byte> bytes, const BinaryOrigin& expected = origin) {
  Result<ProgramBinary> binary = decodeProgramBinary(bytes, expected);
  return binary.ok() ? CL_SUCCESS : binary.status().code();
}

TEST(ProgramBinary, ExecutableComesBackWhole) {
  Result<ProgramBinary> binary = decodeProgramBinary(encode(executable(), origin), origin);
  ASSERT_TRUE(binary.ok()) << binary.status().sentence();
  EXPECT_EQ(binary->kind, ProgramBinary::Kind::Executable);
  EXPECT_EQ(binary->options, "-D A=1");
  EXPECT_TRUE(binary->mayBeNonUniform);
  EXPECT_TRUE(binary->ir.empty());
  ASSERT_EQ(binary->image.kernels.size(), 1u);
  EXPECT_EQ(binary->image.kernels[0].name, "copy");
  EXPECT_EQ(binary->image.kernels[0].arguments[1].typeName, "int");
  EXPECT_EQ(binary->image.code, bytesOf("machine code"));
  EXPECT_EQ(binary->image.globalVariableBytes, 12u);
}

TEST(ProgramBinary, CompiledObjectAndLibraryComeBackWhole) {
  for (auto kind : {ProgramBinary::Kind::CompiledObject, ProgramBinary::Kind::Library}) {
    Result<ProgramBinary> binary = decodeProgramBinary(encode(compiled(kind), origin), origin);
    ASSERT_TRUE(binary.ok()) << binary.status().sentence();
    EXPECT_EQ(binary->kind, kind);
    EXPECT_EQ(binary->ir, bytesOf("intermediate representation"));
    EXPECT_TRUE(binary->image.kernels.empty());
  }
}

TEST(ProgramBinary, EncodingIsTheSameEveryTime) {
  EXPECT_EQ(encode(executable(), origin), encode(executable(), origin));
}

TEST(ProgramBinary, OtherOriginsAreRefused) {
  const Bytes bytes = encode(executable(), origin);
  BinaryOrigin other = origin;
  other.compiler = "compiler 2";
  EXPECT_EQ(errorOf(bytes, other), CL_INVALID_BINARY);
  other = origin;
  other.target = "target 2";
  EXPECT_EQ(errorOf(bytes, other), CL_INVALID_BINARY);
}

/// The same language, for which a compiler makes `target`'s code.
BinaryOrigin originOf(std::string target) {
  return {.compiler = "compiler 1", .target = std::move(target), .language = "language 1"};
}

TEST(ProgramBinary, CodeForAnotherTargetIsLeftOutWhereIrIsThere) {
  ProgramBinary binary = executable();
  binary.ir = bytesOf("intermediate representation");
  Result<ProgramBinary> other =
      decodeProgramBinary(encode(binary, originOf("target 1")), originOf("target 2"));
  ASSERT_TRUE(other.ok()) << other.status().sentence();
  EXPECT_TRUE(other->needsCode);
  EXPECT_EQ(other->ir, binary.ir);
  EXPECT_EQ(other->options, binary.options);
  EXPECT_TRUE(other->image.kernels.empty());
  EXPECT_TRUE(other->image.code.empty());
  // It stays so when it is kept again before it has code.
  Result<ProgramBinary> kept =
      decodeProgramBinary(encode(*other, originOf("target 2")), originOf("target 2"));
  ASSERT_TRUE(kept.ok()) << kept.status().sentence();
  EXPECT_TRUE(kept->needsCode);
  EXPECT_EQ(kept->ir, binary.ir);
}

TEST(ProgramBinary, CodeForAnotherTargetIsRefusedWhereNoneCanBeMade) {
  EXPECT_EQ(errorOf(encode(executable(), originOf("target 1")), originOf("target 2")),
            CL_INVALID_BINARY);
  ProgramBinary binary = executable();
  binary.ir = bytesOf("intermediate representation");
  const Bytes bytes = encode(binary, originOf("target 1"));
  BinaryOrigin expected = originOf("target 2");
  expected.compiler.clear();
  EXPECT_EQ(errorOf(bytes, expected), CL_INVALID_BINARY);
  expected = originOf("target 2");
  expected.language = "language 2";
  EXPECT_EQ(errorOf(bytes, expected), CL_INVALID_BINARY);
}

TEST(ProgramBinary, ObjectsAndLibrariesAreForAllTargetsOfTheirLanguage) {
  for (auto kind : {ProgramBinary::Kind::CompiledObject, ProgramBinary::Kind::Library}) {
    Result<ProgramBinary> binary =
        decodeProgramBinary(encode(compiled(kind), originOf("target 1")), originOf("target 2"));
    ASSERT_TRUE(binary.ok()) << binary.status().sentence();
    EXPECT_FALSE(binary->needsCode);
    EXPECT_EQ(binary->ir, bytesOf("intermediate representation"));
  }
}

TEST(ProgramBinary, WithoutACompilerAnyOneIsAccepted) {
  BinaryOrigin none = origin;
  none.compiler.clear();
  EXPECT_EQ(errorOf(encode(executable(), origin), none), CL_SUCCESS);
}

TEST(ProgramBinary, EveryTruncationIsRefused) {
  const Bytes bytes = encode(executable(), origin);
  for (size_t length = 0; length < bytes.size(); ++length)
    EXPECT_EQ(errorOf(std::span(bytes).first(length)), CL_INVALID_BINARY) << length;
}

TEST(ProgramBinary, EveryFlippedBitIsRefused) {
  for (const ProgramBinary& binary :
       {executable(), compiled(ProgramBinary::Kind::CompiledObject)}) {
    Bytes bytes = encode(binary, origin);
    for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
      bytes[bit / 8] ^= std::byte(1 << bit % 8);
      EXPECT_EQ(errorOf(bytes), CL_INVALID_BINARY) << bit;
      bytes[bit / 8] ^= std::byte(1 << bit % 8);
    }
  }
}

TEST(ProgramBinary, TrailingBytesAreRefused) {
  Bytes bytes = encode(executable(), origin);
  bytes.push_back(std::byte{0});
  EXPECT_EQ(errorOf(bytes), CL_INVALID_BINARY);
}

TEST(ProgramBinary, ForeignFilesAreRefused) {
  EXPECT_EQ(errorOf({}), CL_INVALID_BINARY);
  EXPECT_EQ(errorOf(bytesOf("\x7f"
                            "ELF with a lot of other content that is not ours at all")),
            CL_INVALID_BINARY);
}

TEST(ProgramBinary, PointersOfAnotherSizeAreRefused) {
  ProgramBinary binary = executable();
  binary.image.kernels[0].arguments[0].bytes = 4;
  EXPECT_EQ(errorOf(encode(binary, origin)), CL_INVALID_BINARY);
}

TEST(ProgramBinary, ArgumentsOutsideTheBlockAreRefused) {
  ProgramBinary binary = executable();
  binary.image.kernels[0].arguments[1].offset = 14;
  EXPECT_EQ(errorOf(encode(binary, origin)), CL_INVALID_BINARY);
}

TEST(ProgramBinary, OriginNamesTargetAndFeatures) {
  const BinaryOrigin made = originFor({"x86_64;cpu=a", {"cl_khr_fp64"}}, "id");
  EXPECT_EQ(made.compiler, "id");
  EXPECT_EQ(made.target, "x86_64;cpu=a cl_khr_fp64");
  EXPECT_EQ(made.language, "x86_64 cl_khr_fp64");
}

} // namespace
} // namespace quern::runtime
