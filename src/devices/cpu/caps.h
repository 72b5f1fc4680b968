#pragma once

#include <cstdint>
#include <span>

#include "device/caps.h"
#include "devices/cpu/machine.h"

namespace quern::cpu {

/// What the device made of all of the machine's units can do.
device::Caps makeCaps(const Machine& machine);

/// The levels along which these units fall into more than one group.
cl_device_affinity_domain affinityDomains(const Topology& topology,
                                          std::span<const uint32_t> units);

/// The instruction set that kernels use on `processor`. `option` is QUERN_CPU_ISA.
Isa targetIsa(const Processor& processor, std::string_view option);
/// Of a vector register.
uint32_t registerBits(Isa isa);
/// Work-items of a full sub-group: as many as a vector register has elements of 32 bits.
uint32_t subGroupSize(Isa isa);

/// Which code the compiler makes for `processor`. `isa` is the option QUERN_CPU_ISA, `packets` the
/// option QUERN_CPU_PACKETS.
compiler::Target makeTarget(const Processor& processor, std::string_view isa,
                            std::string_view packets = "auto");

} // namespace quern::cpu
