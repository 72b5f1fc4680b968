#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/ref.h"
#include "runtime/device.h"
#include "runtime/object.h"

namespace quern::runtime {

/// The one platform. Made on first use and never destroyed, so it is valid while static destructors
/// run.
class Platform final : public Object {
public:
  static Platform& get();

  /// All root devices in the order of the option QUERN_DEVICES. The first call in a process
  /// enumerates the backends; it starts no thread.
  std::span<const Ref<Device>> devices() const;

private:
  Platform() : Object(ObjectKind::Platform) {}
};

inline constexpr std::string_view platformName = "Quern";
inline constexpr std::string_view platformVendor = "The Quern project";
inline constexpr std::string_view icdSuffix = "QRN";

} // namespace quern::runtime
