#include "runtime/program_binary.h"

#include <algorithm>
#include <cstring>

#include "abi/cpu_kernel.h"
#include "abi/nvptx_kernel.h"
#include "base/hash.h"
#include "base/sentence.h"
#include "compiler/interface/compiler.h"

namespace quern::runtime {

namespace {

/// Raised with every change of this file or of what it encodes.
constexpr uint64_t formatVersion = 6;
constexpr char magic[8] = {'Q', 'U', 'E', 'R', 'N', 'B', 'I', 'N'};

struct BinaryHeader {
  char magic[8];
  uint64_t formatVersion;
  uint64_t payloadBytes;
  uint64_t payloadChecksum;
};
static_assert(sizeof(BinaryHeader) == 32);

/// Versions of the interfaces that code and descriptions follow, in one number.
constexpr uint64_t interfaceVersions = uint64_t{compiler::interfaceVersion} << 32 |
                                       abi::nvptxKernelAbiVersion << 16 | abi::cpuKernelAbiVersion;

Status invalid(const std::string& reason) {
  return Status::error(CL_INVALID_BINARY, "the program binary cannot be used: " + reason);
}

Result<std::span<const std::byte>> checkedPayload(std::span<const std::byte> bytes) {
  if (bytes.size() < sizeof(BinaryHeader))
    return invalid(sentence("it has ", bytes.size(), " bytes, fewer than its header of ",
                            sizeof(BinaryHeader)));
  BinaryHeader header;
  std::memcpy(&header, bytes.data(), sizeof(BinaryHeader));
  if (std::memcmp(header.magic, magic, sizeof(magic)) != 0)
    return invalid("it was not made by Quern");
  if (header.formatVersion != formatVersion)
    return invalid(sentence("it has format version ", header.formatVersion,
                            ", this driver reads version ", formatVersion));
  const auto payload = bytes.subspan(sizeof(BinaryHeader));
  if (header.payloadBytes != payload.size())
    return invalid(sentence("it has ", payload.size(), " bytes of content, its header says ",
                            header.payloadBytes));
  if (header.payloadChecksum != contentHash(payload))
    return invalid("its checksum is wrong, so it is damaged");
  return payload;
}

/// What launching trusts beyond what decodeProgramImage checks.
bool isLaunchable(const abi::ProgramImage& image) {
  for (const abi::KernelDescription& kernel : image.kernels)
    for (const abi::KernelArgument& argument : kernel.arguments)
      if (argument.kind != abi::ArgumentKind::Value && argument.bytes != sizeof(uint64_t))
        return false;
  return true;
}

bool isKnown(ProgramBinary::Kind kind) {
  return kind >= ProgramBinary::Kind::CompiledObject && kind <= ProgramBinary::Kind::Executable;
}

} // namespace

bool needsIr(const abi::ProgramImage& image) {
  return std::ranges::any_of(image.kernels, [](const abi::KernelDescription& kernel) {
    return kernel.rangeLimit != 0 || kernel.isFirstVersion;
  });
}

bool isOnDemand(const abi::ProgramImage& image) {
  return image.code.empty() && !image.kernels.empty();
}

BinaryOrigin originFor(const compiler::Target& target, const std::string& compilerIdentity) {
  std::string features;
  for (const std::string& feature : target.features)
    features += " " + feature;
  const std::string processor = target.description.substr(0, target.description.find(';'));
  return {.compiler = compilerIdentity,
          .target = target.description + features,
          .language = processor + features};
}

Bytes encode(const ProgramBinary& binary, const BinaryOrigin& origin) {
  ByteWriter content;
  content.put(interfaceVersions);
  content.put(binary.kind);
  content.put(origin.compiler);
  content.put(origin.target);
  content.put(origin.language);
  content.put(binary.options);
  content.put<uint8_t>(binary.mayBeNonUniform);
  content.put(std::span<const std::byte>(binary.ir));
  content.put<uint8_t>(binary.needsCode);
  if (binary.kind == ProgramBinary::Kind::Executable)
    content.put(std::span<const std::byte>(abi::encode(binary.image)));
  const Bytes payload = content.take();

  BinaryHeader header = {};
  std::memcpy(header.magic, magic, sizeof(magic));
  header.formatVersion = formatVersion;
  header.payloadBytes = payload.size();
  header.payloadChecksum = contentHash(payload);
  Bytes bytes(sizeof(BinaryHeader));
  std::memcpy(bytes.data(), &header, sizeof(BinaryHeader));
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  return bytes;
}

Result<ProgramBinary> decodeProgramBinary(std::span<const std::byte> bytes,
                                          const BinaryOrigin& expected) {
  QUERN_ASSIGN(const std::span<const std::byte> payload, checkedPayload(bytes));
  ByteReader in(payload);
  ProgramBinary binary;
  const auto versions = in.get<uint64_t>();
  binary.kind = in.get<ProgramBinary::Kind>();
  const std::string compiler = in.getString();
  const std::string target = in.getString();
  const std::string language = in.getString();
  binary.options = in.getString();
  binary.mayBeNonUniform = in.get<uint8_t>() != 0;
  binary.ir = in.getBlob();
  binary.needsCode = in.get<uint8_t>() != 0;
  const bool isExecutable = binary.kind == ProgramBinary::Kind::Executable;
  const Bytes image = isExecutable ? in.getBlob() : Bytes();
  if (!in.ok() || !in.atEnd() || !isKnown(binary.kind))
    return invalid("its content does not have the form that its header says");
  if (versions != interfaceVersions ||
      (!expected.compiler.empty() && compiler != expected.compiler))
    return invalid("it was made by another version of Quern");
  if (target != expected.target) {
    if (language != expected.language || binary.ir.empty() || expected.compiler.empty())
      return invalid(sentence("it was made for the target '", target, "', the device is '",
                              expected.target, "'"));
    binary.needsCode = isExecutable;
  }
  if (isExecutable && !binary.needsCode) {
    QUERN_ASSIGN(binary.image, abi::decodeProgramImage(image));
    if (!isLaunchable(binary.image))
      return invalid("its kernel descriptions contradict themselves");
  }
  return binary;
}

} // namespace quern::runtime
