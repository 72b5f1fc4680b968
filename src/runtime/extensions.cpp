#include "runtime/extensions.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "runtime/external_memory.h"

namespace quern::runtime {

namespace {

/// What has an extension: see extensions.def.
enum class Provider {
  Loader,
  Runtime,
  BufferAddresses,
  Images,
  UnifiedMemory,
  HostMemory,
  DmaBufs,
  HostDmaBufs,
  Compiler,
  GenericAddresses,
  Device,
};

struct Extension {
  std::string_view name;
  cl_version version;
  Provider provider;
};

constexpr Extension extensions[] = {
#define QUERN_EXTENSION(name, major, minor, patch, since, provider)                                \
  {#name, CL_MAKE_VERSION(major, minor, patch), Provider::provider},
#include "runtime/extensions.def"
};

bool deviceNames(const device::Caps& caps, std::string_view name) {
  return std::ranges::find(caps.target.features, name) != caps.target.features.end() ||
         std::ranges::find(caps.queryExtensions, name, &device::QueryExtension::name) !=
             caps.queryExtensions.end();
}

bool platformHas(const Extension& extension) {
  switch (extension.provider) {
  case Provider::Loader:
  case Provider::Runtime:
  case Provider::BufferAddresses:
    return true;
  case Provider::DmaBufs:
    return ExternalMemory::hasDmaBufs();
  default:
    return false;
  }
}

bool deviceHas(const device::Caps& caps, const Extension& extension) {
  const bool isCompiledFor = !caps.target.description.empty();
  switch (extension.provider) {
  case Provider::Loader:
    return false;
  case Provider::Runtime:
    return true;
  case Provider::BufferAddresses:
    return caps.bufferAddresses;
  case Provider::Images:
    return caps.images;
  case Provider::UnifiedMemory:
    return (caps.svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0;
  case Provider::HostMemory:
    return caps.hostUnifiedMemory;
  case Provider::DmaBufs:
    return ExternalMemory::hasDmaBufs();
  case Provider::HostDmaBufs:
    return caps.hostUnifiedMemory && ExternalMemory::hasDmaBufs();
  case Provider::Compiler:
    return isCompiledFor;
  case Provider::GenericAddresses:
    return isCompiledFor && caps.genericAddressSpace;
  case Provider::Device:
    return deviceNames(caps, extension.name);
  }
  return false;
}

} // namespace

cl_name_version nameVersion(std::string_view name, cl_version version) {
  cl_name_version entry = {};
  entry.version = version;
  std::memcpy(entry.name, name.data(), std::min(name.size(), sizeof(entry.name) - 1));
  return entry;
}

std::vector<cl_name_version> platformExtensions() {
  std::vector<cl_name_version> list;
  for (const Extension& extension : extensions)
    if (platformHas(extension))
      list.push_back(nameVersion(extension.name, extension.version));
  return list;
}

std::vector<cl_name_version> deviceExtensions(const device::Caps& caps) {
  std::vector<cl_name_version> list;
  for (const Extension& extension : extensions)
    if (deviceHas(caps, extension))
      list.push_back(nameVersion(extension.name, extension.version));
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
