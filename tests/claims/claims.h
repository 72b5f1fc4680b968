#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <CL/cl.h>

/// What a device says that it can do, and the lists in this folder of what devices of each kind
/// must say. A claim is a line: a name alone ("CL_DEVICE_SINGLE_FP_CONFIG CL_FP_DENORM"), or a name
/// and a value ("cl_khr_fp16 = 1.0.0"). In a list, "CL_DEVICE_MAX_WORK_GROUP_SIZE >= 1024" leaves
/// the number to the machine, and "may cl_khr_kernel_clock = 1.0.0" the claim itself.
namespace quern::tests {

class Claims {
public:
  /// Asks the device: its extensions, language features and versions with their versions, each bit
  /// of its capabilities, its limits, and for each image format the accesses and dimensions.
  static Claims of(cl_device_id device, cl_context context);
  /// The list for devices of this kind, from the folder that QUERN_CLAIMS_FOLDER names or this one.
  static Claims listedFor(cl_device_id device);
  /// Reads a list: one claim a line, but for empty lines and those that begin with '#'. Throws
  /// std::runtime_error when there is no such file or a claim is made twice.
  static Claims inFile(const std::string& path);

  bool has(std::string_view name) const { return claims_.contains(name); }
  /// Whether devices must make this claim of a list.
  bool demands(std::string_view name) const;
  /// The lines of a list that exactly these claims match.
  std::string text() const;

  /// What a device with `claims` lacks of this list, or has beside it: a sentence each.
  std::vector<std::string> differences(const Claims& claims) const;

private:
  struct Value {
    std::string text; ///< empty for a name alone
    bool isLeast = false;
    bool isOptional = false;

    bool admits(const Value& found) const;
  };

  void add(const std::string& name, Value value);

  std::map<std::string, Value, std::less<>> claims_;

  friend class Inquiry;
};

/// The name of the list for devices of this kind, without folder.
std::string listName(cl_device_id device);

} // namespace quern::tests
