#pragma once

#include <string>

#include "abi/checks.h"
#include "devices/cpu/checks/fault_reports.h"

namespace quern::cpu {

/// "write of 4 bytes at byte 4096 of the buffer of argument 'out', which has 4096 bytes, in the
/// kernel 'k' at program.cl:3:20 by the work-item with global id (1024, 0, 0) and local id (0, 0,
/// 0)". `launch` may be null.
std::string sentenceOf(const abi::CheckSite& site, const FoundFault& fault,
                       const CheckedLaunch* launch);

/// The same as the members of a JSON object, without braces.
std::string jsonOf(const abi::CheckSite& site, const FoundFault& fault, const CheckedLaunch* launch,
                   const std::string& sentence);

} // namespace quern::cpu
