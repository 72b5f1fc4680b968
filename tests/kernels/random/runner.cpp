#include "kernels/random/runner.h"

#include <bit>
#include <cstdlib>
#include <memory>
#include <optional>

#include "kernels/kernel_fixture.h"
#include "kernels/random/random.h"

namespace quern::tests::random {

std::vector<Shape> shapes(const Program& program) {
  static const Shape all[] = {
      {1, {96, 1, 1}, {32, 1, 1}}, {1, {64, 1, 1}, {1, 1, 1}},  {1, {128, 1, 1}, {64, 1, 1}},
      {1, {35, 1, 1}, {7, 1, 1}},  {2, {12, 8, 1}, {4, 4, 1}},  {2, {10, 6, 1}, {5, 3, 1}},
      {3, {8, 4, 4}, {4, 2, 2}},   {3, {3, 3, 3}, {3, 3, 3}},   {2, {2, 32, 1}, {1, 16, 1}},
      {1, {51, 1, 1}, {17, 1, 1}}, {3, {2, 16, 3}, {1, 16, 1}}, {1, {48, 1, 1}, {8, 1, 1}},
      {2, {32, 4, 1}, {16, 4, 1}}, {2, {3, 64, 1}, {1, 64, 1}}, {2, {24, 16, 1}, {8, 8, 1}},
      {2, {6, 20, 1}, {2, 10, 1}}, {3, {4, 6, 4}, {2, 3, 2}},   {2, {6, 8, 1}, {3, 2, 1}},
      {2, {12, 27, 1}, {4, 9, 1}}, {3, {4, 8, 8}, {2, 4, 8}},   {3, {2, 10, 6}, {1, 5, 3}},
  };
  Random random(program.seed + 99);
  std::vector<Shape> result;
  for (int i = 0; i < 3; ++i)
    result.push_back(all[random.below(std::size(all))]);
  return result;
}

static size_t sizeInMemory(Type type) {
  return size_t(type.bits) / 8 * (type.lanes == 3 ? 4 : type.lanes);
}

static void setArgument(cl_kernel kernel, cl_uint index, const Variable& variable) {
  alignas(128) unsigned char bytes[128] = {};
  Value value = makeValue(variable.type, variable.initial);
  for (unsigned lane = 0; lane < variable.type.lanes; ++lane)
    std::memcpy(bytes + lane * variable.type.bits / 8, &value.lanes[lane], variable.type.bits / 8);
  check(clSetKernelArg(kernel, index, sizeInMemory(variable.type), bytes), "clSetKernelArg");
}

static std::string firstDifference(const std::vector<uint64_t>& got,
                                   const std::vector<uint64_t>& expected) {
  size_t wrong = 0, first = got.size();
  for (size_t i = got.size(); i-- > 0;)
    if (got[i] != expected[i]) {
      ++wrong;
      first = i;
    }
  return std::to_string(wrong) + " of " + std::to_string(got.size()) +
         " work-items are wrong; the first is number " + std::to_string(first);
}

/// The inputs of a program that reads them in all ways, as kernel arguments.
class WideInputs {
public:
  explicit WideInputs(const Program& program) {
    std::vector<cl_int4> pixels;
    std::vector<cl_ushort> halves;
    for (const int value : program.inputs) {
      pixels.push_back({{-1, value, ~value, 0}});
      halves.push_back(halfBits(value % halfLimit));
    }
    const cl_image_format format = {CL_RGBA, CL_SIGNED_INT32};
    cl_image_desc shape = {};
    shape.image_type = CL_MEM_OBJECT_IMAGE2D;
    shape.image_width = Program::pictureWidth;
    shape.image_height = pixels.size() / Program::pictureWidth;
    cl_int code = CL_SUCCESS;
    picture_ = clCreateImage(Device::get().context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                             &format, &shape, pixels.data(), &code);
    check(code, "clCreateImage");
    const size_t bytes = program.inputs.size() * sizeof(cl_int);
    shared_ = clSVMAlloc(Device::get().context, CL_MEM_READ_WRITE, bytes, 0);
    check(clEnqueueSVMMemcpy(Device::get().queue, CL_TRUE, shared_, program.inputs.data(), bytes, 0,
                             nullptr, nullptr),
          "clEnqueueSVMMemcpy");
    halves_ = std::make_unique<Buffer<cl_ushort>>(halves);
  }
  WideInputs(const WideInputs&) = delete;
  WideInputs& operator=(const WideInputs&) = delete;
  ~WideInputs() {
    clFinish(Device::get().queue);
    clReleaseMemObject(picture_);
    clSVMFree(Device::get().context, shared_);
  }

  void set(Kernel& kernel, cl_uint first) const {
    check(clSetKernelArg(kernel.handle(), first, sizeof(picture_), &picture_), "clSetKernelArg");
    check(clSetKernelArgSVMPointer(kernel.handle(), first + 1, shared_),
          "clSetKernelArgSVMPointer");
    kernel.set(first + 2, *halves_);
  }

private:
  /// Of a whole number that a half holds.
  static cl_ushort halfBits(int value) {
    constexpr int bias = 15, significandBits = 10;
    const unsigned magnitude = static_cast<unsigned>(std::abs(value));
    if (magnitude == 0)
      return 0;
    const int exponent = std::bit_width(magnitude) - 1;
    const unsigned significand =
        magnitude << (significandBits - exponent) & ((1u << significandBits) - 1);
    return static_cast<cl_ushort>((value < 0 ? 0x8000u : 0u) |
                                  static_cast<unsigned>(exponent + bias) << significandBits |
                                  significand);
  }

  cl_mem picture_ = nullptr;
  void* shared_ = nullptr;
  std::unique_ptr<Buffer<cl_ushort>> halves_;
};

static std::string runShape(const Program& program, const tests::Program& built,
                            const Shape& shape) {
  std::vector<cl_int> flags;
  for (int value : program.opaqueUniforms)
    flags.insert(flags.end(), Program::opaqueCopies, value);
  Buffer<cl_int> in(std::vector<cl_int>(program.inputs)), flagBuffer(flags);
  Buffer<cl_ulong> out(shape.items(), cl_ulong{0x5555});
  std::vector<std::unique_ptr<Buffer<cl_uchar>>> groups;
  Kernel kernel(built, "k");
  kernel.set(0, in);
  kernel.set(1, flagBuffer);
  cl_uint index = 2;
  std::optional<WideInputs> wideInputs;
  if (program.readsWidely) {
    wideInputs.emplace(program);
    wideInputs->set(kernel, index);
    index += 3;
  }
  kernel.set(index++, out);
  for (int argument : program.arguments)
    setArgument(kernel.handle(), index++, program.variables[argument]);
  for (const LocalArray& local : program.locals) {
    const size_t element = sizeInMemory(local.element);
    if (local.place == LocalArray::Place::Argument)
      kernel.set(index++, LocalBytes{element * shape.groupItems()});
    else if (local.place == LocalArray::Place::Global) {
      groups.push_back(std::make_unique<Buffer<cl_uchar>>(element * shape.items()));
      kernel.set(index++, *groups.back());
    }
  }
  auto sizes = [&](const std::array<size_t, 3>& all) {
    return std::vector<size_t>(all.begin(), all.begin() + shape.dimensions);
  };
  kernel.enqueue({sizes(shape.global), sizes(shape.local)});
  const std::vector<cl_ulong> got = out.read();
  const std::vector<uint64_t> results = interpret(program, shape);
  std::vector<uint64_t> expected = results;
  if (program.numbersColumnsFirst()) {
    const auto& [columns, rows, planes] = shape.global;
    for (size_t i = 0; i < results.size(); ++i) {
      const size_t row = i / columns;
      expected[(row / rows * columns + i % columns) * rows + row % rows] = results[i];
    }
  }
  const std::vector<uint64_t> wide(got.begin(), got.end());
  return wide == expected ? std::string() : firstDifference(wide, expected);
}

/// Of a full sub-group; 0 where the device has none.
static size_t subGroupSize() {
  if (Device::get().lacks(
          {"OpenCL C 3.0.0", "__opencl_c_subgroups", "cl_khr_subgroup_clustered_reduce"}))
    return 0;
  const tests::Program program =
      build("kernel void k(global uint* out) { *out = get_max_sub_group_size(); }", openClC3);
  Buffer<cl_uint> out(1);
  run(program, "k", {{64}, {64}}, out);
  return out.read()[0];
}

/// The option that tells the compiler that all groups have the size of `shape`.
static std::string required(const Shape& shape) {
  std::string sizes;
  for (size_t size : shape.local)
    sizes += (sizes.empty() ? "" : ",") + std::to_string(size);
  return " -DGROUP_SIZE=__attribute__((reqd_work_group_size(" + sizes + ")))";
}

static bool hasCollectives() {
  return !Device::get().lacks(
      {"OpenCL C 3.0.0", "CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT"});
}

std::string compareWithDevice(const Program& program, const std::string& options) {
  const size_t subGroup = program.usesSubGroups ? subGroupSize() : 1;
  if (subGroup == 0 || (program.usesCollectives && !hasCollectives()) ||
      (program.usesRecords &&
       Device::get().lacks({"OpenCL C 3.0.0", "__opencl_c_generic_address_space"})) ||
      (program.readsWidely &&
       Device::get().lacks({"cl_khr_fp16", "CL_DEVICE_IMAGE_SUPPORT",
                            "CL_DEVICE_SVM_CAPABILITIES CL_DEVICE_SVM_COARSE_GRAIN_BUFFER"})))
    return {};
  const bool isNew = program.usesSubGroups || program.usesCollectives || program.usesRecords;
  const std::string all = options + (isNew ? " -cl-std=CL3.0 -cl-uniform-work-group-size" : "");
  const std::string source = print(program, maxGroupItems);
  const tests::Program general = build(source, all);
  std::vector<Shape> tried = shapes(program);
  // The first one again, with code that is only for such groups.
  tried.push_back(tried.front());
  const tests::Program special = build(source, all + required(tried.front()));
  for (size_t i = 0; i < tried.size(); ++i) {
    Shape& shape = tried[i];
    shape.subGroup = subGroup;
    const bool isLast = i + 1 == tried.size();
    std::string difference = runShape(program, isLast ? special : general, shape);
    if (!difference.empty())
      return "seed " + std::to_string(program.seed) + ", options \"" + all +
             (isLast ? required(shape) : "") + "\", local size " + std::to_string(shape.local[0]) +
             " x " + std::to_string(shape.local[1]) + " x " + std::to_string(shape.local[2]) +
             ", global size " + std::to_string(shape.global[0]) + " x " +
             std::to_string(shape.global[1]) + " x " + std::to_string(shape.global[2]) + ": " +
             difference;
  }
  return {};
}

} // namespace quern::tests::random
