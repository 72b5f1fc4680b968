// Images and samplers (SPIR-V 1.6, 3.52.10).
#include <CL/cl.h>

#include "base/sentence.h"
#include "compiler/spirv/failure.h"
#include "compiler/spirv/function_reader.h"

namespace quern::compiler::spirv {
namespace {

/// 3.14 "Image Operands": of those, kernels have a level, of which there is one, a sample, signs,
/// and a hint.
struct ImageOperand {
  enum : uint32_t {
    Lod = 0x2,
    Sample = 0x40,
    SignExtend = 0x1000,
    ZeroExtend = 0x2000,
    Nontemporal = 0x4000,
    Known = Lod | SignExtend | ZeroExtend | Nontemporal
  };
};

/// How many coordinates the functions of OpenCL C take.
unsigned coordinatesOf(const Type& image) {
  switch (image.dimensions) {
  case Dimensions::One:
    return image.isArrayed ? 2 : 1;
  case Dimensions::Two:
    return image.isArrayed ? 4 : 2;
  case Dimensions::Three:
    return 4;
  case Dimensions::Buffer:
    break;
  }
  return 1;
}

/// The end of the names of functions that read or write texels of this type.
llvm::StringRef suffixOf(const Type& texel, uint32_t operands) {
  if (texel.scalar().isFloat())
    return texel.scalar().llvm->isHalfTy() ? "h" : "f";
  if (!texel.scalar().llvm || !texel.scalar().llvm->isIntegerTy(32))
    throw RuleBroken{"has texels of a type that images do not have"};
  return operands & ImageOperand::ZeroExtend ? "ui" : "i";
}

} // namespace

bool FunctionReader::readImage(const Instruction& i) {
  switch (i.op) {
  case Op::SampledImage: {
    const Value image = operand(i, 0);
    const Value sampler = operand(i, 1);
    const Type& result = resultType(i);
    require(result.op == Op::TypeSampledImage && image.type && image.type == result.parts[0] &&
                sampler.value->getType()->isTargetExtTy() &&
                llvm::cast<llvm::TargetExtType>(sampler.value->getType())->getName() ==
                    "spirv.Sampler",
            "does not join an image of the result's type and a sampler");
    sampledImages_[i.result] = {image.value, sampler.value};
    sampledImageTypes_[i.result] = image.type;
    return true;
  }
  case Op::Image: {
    const auto found = sampledImages_.find(i.operands[0]);
    require(found != sampledImages_.end(), "has an operand that is no sampled image");
    define(i, found->second.first);
    return true;
  }
  case Op::ImageSampleExplicitLod:
    readSample(i);
    return true;
  case Op::ImageRead:
  case Op::ImageFetch:
    readImageRead(i);
    return true;
  case Op::ImageWrite:
    readImageWrite(i);
    return true;
  default:
    return readImageQuery(i);
  }
}

/// With as many components as `image` needs.
Argument FunctionReader::coordinates(const Type& image, const Value& given) {
  require(given.type && (given.type->scalar().isInteger() || given.type->scalar().isFloat()),
          "has coordinates that are no numbers");
  require(given.type->scalar().llvm->getScalarSizeInBits() == 32,
          "has coordinates that are not of 32 bits");
  const unsigned needed = coordinatesOf(image);
  const unsigned have = given.type->components();
  const unsigned used = image.dimensions == Dimensions::Three ||
                                (image.dimensions == Dimensions::Two && image.isArrayed)
                            ? 3
                            : needed;
  require(have >= used, "has ", have, " coordinates for an image that needs ", used);
  if (have == needed)
    return asIs(given);
  const Type& type = module_.types().vectorOf(given.type->scalar(), needed);
  if (needed == 1)
    return asIs({&type, builder_.CreateExtractElement(given.value, uint64_t{0})});
  llvm::SmallVector<int> mask;
  for (unsigned k = 0; k < needed; ++k)
    mask.push_back(k < have ? static_cast<int>(k) : -1);
  return asIs({&type, builder_.CreateShuffleVector(given.value, mask)});
}

/// Images of depths give one number, which SPIR-V may want as the first of four.
void FunctionReader::defineTexel(const Instruction& i, const Type& image, uint32_t operands,
                                 llvm::ArrayRef<Argument> arguments) {
  const Type& result = resultType(i);
  const std::string name = ("read_image" + suffixOf(result, operands)).str();
  if (!image.isDepth) {
    require(result.components() == 4, "has a result type that is no vector of four");
    define(i, call(name, result.llvm, arguments, Effects::Reads));
    return;
  }
  llvm::Value* depth = call(name, result.scalar().llvm, arguments, Effects::Reads);
  define(i, result.op == Op::TypeVector
                ? builder_.CreateInsertElement(llvm::Constant::getNullValue(result.llvm), depth,
                                               uint64_t{0})
                : depth);
}

void FunctionReader::readSample(const Instruction& i) {
  const auto found = sampledImages_.find(i.operands[0]);
  require(found != sampledImages_.end(), "has an operand that is no sampled image");
  const Type& image = *sampledImageTypes_.at(i.operands[0]);
  const auto [imageValue, samplerValue] = found->second;
  require((i.operands[2] & ~ImageOperand::Known) == 0, "has image operands ", i.operands[2],
          ", which are not all known");
  defineTexel(i, image, i.operands[2],
              {asIs({&image, imageValue}), named(samplerValue, "ocl_sampler"),
               coordinates(image, operand(i, 1))});
}

void FunctionReader::readImageRead(const Instruction& i) {
  const Value image = operand(i, 0);
  require(image.type && image.type->op == Op::TypeImage, "has an operand that is no image");
  const uint32_t operands = i.operand(2);
  require((operands & ~(ImageOperand::Known | ImageOperand::Sample)) == 0, "has image operands ",
          operands, ", which are not all known");
  require(operand(i, 1).type && operand(i, 1).type->scalar().isInteger(),
          "has coordinates that are no whole numbers");
  llvm::SmallVector<Argument> arguments = {asIs(image), coordinates(*image.type, operand(i, 1))};
  require(image.type->isMultisampled == ((operands & ImageOperand::Sample) != 0),
          "names a sample of an image that has one, or none of one that has several");
  if (operands & ImageOperand::Sample) {
    // The operands of the bits follow in their order.
    const Value sample = operand(i, operands & ImageOperand::Lod ? 4 : 3);
    require(sample.type && sample.type->isInteger() && sample.value->getType()->isIntegerTy(32),
            "has a sample that is no whole number of 32 bits");
    arguments.push_back(asIs(sample));
  }
  defineTexel(i, *image.type, operands, arguments);
}

void FunctionReader::readImageWrite(const Instruction& i) {
  const Value image = operand(i, 0);
  Value texel = operand(i, 2);
  require(image.type && image.type->op == Op::TypeImage, "has an operand that is no image");
  require(operand(i, 1).type && operand(i, 1).type->scalar().isInteger() && texel.type,
          "has coordinates that are no whole numbers");
  const uint32_t operands = i.operand(3);
  require((operands & ~ImageOperand::Known) == 0, "has image operands ", operands,
          ", which are not all known");
  const std::string name = ("write_image" + suffixOf(*texel.type, operands)).str();
  if (image.type->isDepth && texel.type->op == Op::TypeVector)
    texel = {&texel.type->scalar(), builder_.CreateExtractElement(texel.value, uint64_t{0})};
  else
    require(image.type->isDepth || texel.type->components() == 4,
            "has a texel that is no vector of four");
  Argument color = asIs(texel);
  color.parameter.isUnsigned = operands & ImageOperand::ZeroExtend;
  call(name, builder_.getVoidTy(), {asIs(image), coordinates(*image.type, operand(i, 1)), color},
       Effects::Any);
}

llvm::Value* FunctionReader::imageSize(const Value& image, const Type& result) {
  const Type& type = *image.type;
  llvm::SmallVector<std::pair<llvm::StringRef, unsigned>> questions = {{"get_image_width", 32}};
  if (type.dimensions == Dimensions::Two || type.dimensions == Dimensions::Three)
    questions.emplace_back("get_image_height", 32);
  if (type.dimensions == Dimensions::Three)
    questions.emplace_back("get_image_depth", 32);
  if (type.isArrayed)
    questions.emplace_back("get_image_array_size", 64);
  require(result.scalar().isInteger() && result.components() == questions.size(),
          "has a result type that is not ", questions.size(), " whole numbers");
  llvm::Value* size = llvm::PoisonValue::get(result.llvm);
  for (unsigned k = 0; k < questions.size(); ++k) {
    const auto [name, bits] = questions[k];
    llvm::Value* part = builder_.CreateZExtOrTrunc(
        call(name, builder_.getIntNTy(bits), {asIs(image)}, Effects::None), result.scalar().llvm);
    size = result.op == Op::TypeVector ? builder_.CreateInsertElement(size, part, k) : part;
  }
  return size;
}

bool FunctionReader::readImageQuery(const Instruction& i) {
  switch (i.op) {
  case Op::ImageQueryFormat:
  case Op::ImageQueryOrder:
  case Op::ImageQuerySizeLod:
  case Op::ImageQuerySize:
  case Op::ImageQueryLevels:
  case Op::ImageQuerySamples:
    break;
  default:
    return false;
  }
  const Value image = operand(i, 0);
  const Type& result = resultType(i);
  require(image.type && image.type->op == Op::TypeImage, "has an operand that is no image");
  if (i.op == Op::ImageQuerySize || i.op == Op::ImageQuerySizeLod) {
    define(i, imageSize(image, result));
    return true;
  }
  require(result.isInteger(), "has a result type that is no whole number");
  if (i.op == Op::ImageQuerySamples && image.type->isMultisampled) {
    define(i, builder_.CreateZExtOrTrunc(call("get_image_num_samples", builder_.getInt32Ty(),
                                              {asIs(image)}, Effects::None),
                                         result.llvm));
    return true;
  }
  if (i.op == Op::ImageQueryLevels || i.op == Op::ImageQuerySamples) {
    define(i, llvm::ConstantInt::get(result.llvm, 1));
    return true;
  }
  // Both count in OpenCL's order.
  const bool isOrder = i.op == Op::ImageQueryOrder;
  llvm::Value* answer = call(isOrder ? "get_image_channel_order" : "get_image_channel_data_type",
                             builder_.getInt32Ty(), {asIs(image)}, Effects::None);
  define(i, builder_.CreateZExtOrTrunc(
                builder_.CreateSub(answer, builder_.getInt32(isOrder ? CL_R : CL_SNORM_INT8)),
                result.llvm));
  return true;
}

} // namespace quern::compiler::spirv
