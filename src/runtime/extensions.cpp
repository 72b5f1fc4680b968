#include "runtime/extensions.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "runtime/external_memory.h"

namespace quern::runtime {

namespace {

constexpr cl_version version1 = CL_MAKE_VERSION(1, 0, 0);

struct Extension {
  std::string_view name;
  cl_version version;
};

/// Not for all devices (device::Caps::bufferAddresses).
constexpr std::string_view bufferAddresses = "cl_ext_buffer_device_address";

/// What the runtime implements by itself, for every device.
// clang-format off
constexpr Extension runtimeExtensions[] = {
    {bufferAddresses, CL_MAKE_VERSION(1, 0, 2)},
    {"cl_khr_command_buffer", CL_MAKE_VERSION(0, 9, 8)},
    {"cl_khr_command_buffer_multi_device", CL_MAKE_VERSION(0, 9, 2)},
    {"cl_khr_command_buffer_mutable_dispatch", CL_MAKE_VERSION(0, 9, 5)},
    {"cl_khr_create_command_queue", version1},
    {"cl_khr_device_uuid", version1},
    {"cl_khr_extended_versioning", version1},
    {"cl_khr_external_memory", CL_MAKE_VERSION(1, 0, 1)},
    {"cl_khr_external_memory_opaque_fd", version1},
    {"cl_khr_external_semaphore", CL_MAKE_VERSION(1, 0, 1)},
    {"cl_khr_external_semaphore_opaque_fd", version1},
    {"cl_khr_external_semaphore_sync_fd", CL_MAKE_VERSION(1, 0, 1)},
    {"cl_khr_egl_event", version1},
    {"cl_khr_gl_event", version1},
    {"cl_khr_gl_sharing", version1},
    {"cl_khr_priority_hints", version1},
    {"cl_khr_semaphore", CL_MAKE_VERSION(1, 0, 1)},
    {"cl_khr_suggested_local_work_size", version1},
    {"cl_khr_throttle_hints", version1},
};
// clang-format on

/// Likewise, for devices with images.
constexpr std::string_view imageExtensions[] = {"cl_khr_egl_image", "cl_khr_gl_depth_images"};

/// Likewise, for devices with shared virtual memory.
constexpr Extension unifiedMemoryExtensions[] = {
    {"cl_intel_unified_shared_memory", CL_MAKE_VERSION(1, 1, 0)},
    {"cl_khr_unified_svm", CL_MAKE_VERSION(0, 9, 0)},
};

/// Of programs in SPIR-V, for every device that programs are compiled for. What
/// cl_khr_spirv_extended_debug_info asks for is there, too, but the conformance suite takes its
/// name for none of Khronos's.
constexpr std::string_view spirvExtensions[] = {
    "cl_khr_il_program",
    "cl_khr_spirv_linkonce_odr",
    "cl_khr_spirv_no_integer_wrap_decoration",
    "cl_khr_spirv_queries",
};

/// Of the platform alone.
constexpr Extension icdExtension = {"cl_khr_icd", CL_MAKE_VERSION(2, 0, 0)};

/// Versions of the extensions of backends that are beyond 1.0.0.
constexpr Extension laterVersions[] = {
    {"cl_khr_integer_dot_product", CL_MAKE_VERSION(2, 0, 0)},
};

cl_version versionOf(std::string_view name) {
  for (const Extension& extension : laterVersions)
    if (extension.name == name)
      return extension.version;
  return version1;
}

/// Depends on what the machine has beside its devices.
void addImports(std::vector<cl_name_version>& list, bool isUnified) {
  const bool hasDmaBufs = ExternalMemory::hasDmaBufs();
  if (hasDmaBufs)
    list.push_back(nameVersion("cl_khr_external_memory_dma_buf", version1));
  // This one promises that nothing is copied.
  if (!isUnified)
    return;
  list.push_back(nameVersion("cl_arm_import_memory", version1));
  list.push_back(nameVersion("cl_arm_import_memory_host", version1));
  if (hasDmaBufs)
    list.push_back(nameVersion("cl_arm_import_memory_dma_buf", version1));
}

bool contains(const std::vector<cl_name_version>& list, std::string_view name) {
  return std::ranges::any_of(list,
                             [name](const cl_name_version& entry) { return name == entry.name; });
}

} // namespace

cl_name_version nameVersion(std::string_view name, cl_version version) {
  cl_name_version entry = {};
  entry.version = version;
  std::memcpy(entry.name, name.data(), std::min(name.size(), sizeof(entry.name) - 1));
  return entry;
}

std::vector<cl_name_version> platformExtensions() {
  std::vector<cl_name_version> list = {nameVersion(icdExtension.name, icdExtension.version)};
  for (const Extension& extension : runtimeExtensions)
    list.push_back(nameVersion(extension.name, extension.version));
  addImports(list, /*isUnified=*/false);
  return list;
}

std::vector<cl_name_version> deviceExtensions(const device::Caps& caps) {
  std::vector<cl_name_version> list;
  for (const Extension& extension : runtimeExtensions)
    if (extension.name != bufferAddresses || caps.bufferAddresses)
      list.push_back(nameVersion(extension.name, extension.version));
  addImports(list, caps.hostUnifiedMemory);
  const auto add = [&list](std::string_view name) {
    if (name.starts_with("cl_") && !contains(list, name))
      list.push_back(nameVersion(name, versionOf(name)));
  };
  if (caps.images)
    std::ranges::for_each(imageExtensions, add);
  if (caps.svm != 0)
    for (const Extension& extension : unifiedMemoryExtensions)
      list.push_back(nameVersion(extension.name, extension.version));
  std::ranges::for_each(caps.extensions, add);
  for (const device::QueryExtension& extension : caps.queryExtensions)
    add(extension.name);
  // The compiler's, which no macro announces.
  if (!caps.target.description.empty())
    std::ranges::for_each(spirvExtensions, add);
  // That of devices that can do what the language builds on, likewise.
  if (caps.genericAddressSpace && !caps.target.description.empty())
    add("cl_ext_cxx_for_opencl");
  std::ranges::for_each(caps.target.features, add);
  return list;
}

std::vector<cl_name_version> openclCFeatures(const device::Caps& caps) {
  std::vector<cl_name_version> list;
  for (const std::string& feature : caps.target.features)
    if (feature.starts_with("__opencl_c_"))
      list.push_back(nameVersion(feature, CL_MAKE_VERSION(3, 0, 0)));
  return list;
}

std::string joinNames(const std::vector<cl_name_version>& list) {
  std::string text;
  for (const cl_name_version& entry : list) {
    if (!text.empty())
      text += ' ';
    text += entry.name;
  }
  return text;
}

} // namespace quern::runtime
