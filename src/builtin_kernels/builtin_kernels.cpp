#include "builtin_kernels/builtin_kernels.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "base/sentence.h"
#include "builtin_kernels/sources.h"

namespace quern::builtin_kernels {

namespace {

struct Type {
  std::string suffix;  ///< in names of kernels: a letter for the kind, and the bits in memory
  std::string element; ///< in buffers
  std::string value;   ///< in which kernels compute
  uint32_t valueBits;
  /// With which every value is combined to itself by min and max.
  std::string greatest, least;
  std::string needs = {}; ///< the extension that the type comes with
};

const Type u8 = {"u8", "uchar", "uchar", 8, "UCHAR_MAX", "0"};
const Type i32 = {"i32", "int", "int", 32, "INT_MAX", "INT_MIN"};
const Type u32 = {"u32", "uint", "uint", 32, "UINT_MAX", "0"};
const Type i64 = {"i64", "long", "long", 64, "LONG_MAX", "LONG_MIN"};
const Type u64 = {"u64", "ulong", "ulong", 64, "ULONG_MAX", "0"};
const Type f16 = {"f16", "half", "float", 32, "NAN", "NAN", "cl_khr_fp16"};
const Type f32 = {"f32", "float", "float", 32, "NAN", "NAN"};
const Type f64 = {"f64", "double", "double", 64, "NAN", "NAN", "cl_khr_fp64"};

struct Definition {
  std::string name;
  std::string file;
  std::vector<Type> types;
  /// Of the file, beside those about the first type.
  std::vector<std::pair<std::string, std::string>> macros;
};

bool isFloating(const Type& type) {
  return type.suffix.starts_with('f');
}

void addReductions(std::vector<Definition>& list) {
  for (const Type& type : {i32, i64, f16, f32, f64})
    list.push_back({sentence("quern_reduce_sum_", type.suffix),
                    "reduce.cl",
                    {type},
                    {{"COMBINE(a, b)", "((a) + (b))"}, {"IDENTITY", "0"}}});
  for (const Type& type : {i32, u32, i64, u64, f16, f32, f64})
    for (const std::string_view which : {"min", "max"})
      list.push_back({sentence("quern_reduce_", which, "_", type.suffix),
                      "reduce.cl",
                      {type},
                      // Of floating-point numbers and NaN the result is the number.
                      {{"COMBINE(a, b)", sentence(isFloating(type) ? "f" : "", which, "(a, b)")},
                       {"IDENTITY", which == "min" ? type.greatest : type.least}}});
}

void addScans(std::vector<Definition>& list) {
  for (const Type& type : {i32, i64, f32, f64})
    list.push_back({sentence("quern_scan_sum_", type.suffix), "scan.cl", {type}, {}});
}

/// As an unsigned integer, of which only the bits count.
std::string bitsType(std::string_view bits) {
  return bits == "8" ? "uchar" : bits == "16" ? "ushort" : bits == "32" ? "uint" : "ulong";
}

void addSorts(std::vector<Definition>& list) {
  for (const bool pairs : {false, true})
    for (const Type& type : {i32, u32, i64, u64, f16, f32, f64}) {
      const std::string bits = type.suffix.substr(1);
      const char* kind = isFloating(type) ? "2" : type.suffix.starts_with('i') ? "1" : "0";
      list.push_back({sentence("quern_sort_", pairs ? "pairs_" : "", type.suffix),
                      "sort.cl",
                      {type},
                      {{"KEY", bitsType(bits)}, {"KEY_BITS", bits}, {"KEY_KIND", kind}}});
      if (pairs)
        list.back().macros.emplace_back("PAIRS", "");
    }
}

/// Lanes that a row is copied by: more make no better use of cache lines.
std::string copyLanes(std::string_view bits) {
  return bits == "64" ? "8" : "16";
}

/// Rows and columns of a block, which a processor keeps in its registers while it is transposed.
std::string blockLanes(std::string_view bits) {
  return bits == "64" ? "4" : bits == "32" ? "8" : "16";
}

void addConversions(std::vector<Definition>& list) {
  const std::vector<Type> types = {u8, i32, f16, f32, f64};
  for (const Type& from : types)
    for (const Type& to : types)
      if (from.suffix != to.suffix)
        list.push_back({sentence("quern_convert_", from.suffix, "_to_", to.suffix),
                        "convert.cl",
                        {to, from},
                        {{"FROM", from.element},
                         {"COPY_LANES", copyLanes(to.suffix.substr(1))},
                         {"BLOCK_LANES", blockLanes(to.suffix.substr(1))},
                         {"CONVERT_NAME", "convert_" + to.element},
                         // Integers saturate.
                         {"CONVERT_SUFFIX", isFloating(to) ? "" : "_sat"}}});
}

void addTranspositions(std::vector<Definition>& list) {
  for (const char* bits : {"8", "16", "32", "64"}) {
    const std::string element = bitsType(bits);
    list.push_back({sentence("quern_transpose_b", bits),
                    "convert.cl",
                    {{bits, element, element, static_cast<uint32_t>(std::stoul(bits)), "", ""}},
                    {{"FROM", element},
                     {"COPY_LANES", copyLanes(bits)},
                     {"BLOCK_LANES", blockLanes(bits)},
                     {"CONVERT_NAME", "convert_" + element},
                     {"CONVERT_SUFFIX", ""},
                     {"TRANSPOSES", ""}}});
  }
}

void addProducts(std::vector<Definition>& list) {
  for (const Type& type : {i32, f16, f32, f64})
    list.push_back(
        {sentence("quern_matrix_product_", type.suffix), "matrix_product.cl", {type}, {}});
}

const std::vector<Definition>& definitions() {
  static const std::vector<Definition> list = [] {
    std::vector<Definition> all;
    addProducts(all);
    addConversions(all);
    addTranspositions(all);
    addReductions(all);
    addScans(all);
    addSorts(all);
    return all;
  }();
  return list;
}

bool contains(const std::vector<std::string>& list, std::string_view text) {
  return std::ranges::find(list, text) != list.end();
}

/// All kernels order their work-groups by atomics of the device's scope.
bool hasAny(const device::Caps& caps) {
  const std::vector<std::string>& features = caps.target.features;
  return !caps.target.description.empty() && caps.genericAddressSpace &&
         contains(features, "__opencl_c_atomic_order_acq_rel") &&
         contains(features, "__opencl_c_atomic_scope_device") &&
         contains(features, "cl_khr_subgroup_ballot");
}

bool has(const device::Caps& caps, const Definition& kernel) {
  return hasAny(caps) && std::ranges::all_of(kernel.types, [&](const Type& type) {
           return type.needs.empty() || contains(caps.target.features, type.needs);
         });
}

/// By its memory, not by its type: a CPU may be listed as a GPU (QUERN_CPU_TYPE).
bool isGpu(const device::Caps& caps) {
  return caps.localMemType == CL_LOCAL;
}

std::string textFor(const device::Caps& caps, const Definition& kernel) {
  const Type& type = kernel.types.front();
  const uint32_t registerBits = std::max(caps.nativeWidths.floatWidth, 4u) * 32;
  std::vector<std::pair<std::string, std::string>> macros = {
      {"NAME", kernel.name},
      {"ELEMENT", type.element},
      {"VALUE", type.value},
      {"VALUE_BITS", sentence(type.valueBits)},
      {"LANES", sentence(std::min(registerBits / type.valueBits, 16u))},
      {"REGISTERS", registerBits == 512 ? "32" : "16"},
      {"LEAST_SUB_GROUP", sentence(caps.preferredWorkGroupMultiple)}};
  macros.insert(macros.end(), kernel.macros.begin(), kernel.macros.end());
  std::string text;
  for (const auto& [name, value] : macros)
    text += sentence("#define ", name, " ", value, "\n");
  text += sentence("#include \"", kernel.file, "\"\n");
  for (const auto& [name, value] : macros)
    text += sentence("#undef ", name.substr(0, name.find('(')), "\n");
  return text;
}

} // namespace

std::vector<std::string> namesFor(const device::Caps& caps) {
  std::vector<std::string> names;
  for (const Definition& kernel : definitions())
    if (has(caps, kernel))
      names.push_back(kernel.name);
  return names;
}

Source sourceFor(const device::Caps& caps, std::span<const std::string> names) {
  std::string kernels;
  for (const Definition& kernel : definitions())
    if (has(caps, kernel) && std::ranges::find(names, kernel.name) != names.end())
      kernels += textFor(caps, kernel);
  if (kernels.empty())
    return {};
  Source source = {isGpu(caps) ? "#define ON_GPU\n" + kernels : kernels, {}};
  for (const File& file : files)
    source.headers.push_back({std::string(file.name), std::string(file.text)});
  return source;
}

compiler::Options buildOptions() {
  return {.standard = compiler::LanguageStandard::CL30,
          .uniformWorkGroupSize = true,
          .kernelArgInfo = true};
}

size_t usefulGroups(const device::Caps& caps, size_t groupItems) {
  // What a multiprocessor of a GPU can hold, and on a CPU enough that late threads find some.
  constexpr size_t itemsOfMultiprocessor = 2048, groupsOfCore = 8;
  return caps.computeUnits *
         (isGpu(caps) ? std::max<size_t>(itemsOfMultiprocessor / groupItems, 1) : groupsOfCore);
}

} // namespace quern::builtin_kernels
