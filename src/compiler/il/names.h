#pragma once

#include <llvm/ADT/StringRef.h>

/// Names that passes agree on: functions that programs call, functions that stand for them in our
/// IR, and attributes that carry facts about a kernel from one step to the next (so that every step
/// can be run alone on a text file).
namespace quern::compiler::names {

/// Clang puts a kernel's body into a function of this prefix and only calls it from the kernel.
inline constexpr llvm::StringRef clangKernelBody = "__clang_ocl_kern_imp_";

/// `int __quern_address_space_of(const generic void*)`, used by the built-in library: 0 private, 1
/// global, 3 local.
inline constexpr llvm::StringRef addressSpaceOf = "__quern_address_space_of";
/// `T __quern_scaled(T value, T exponent)` of the built-in library: value * 2^exponent for a whole
/// number, as its symbols begin.
inline constexpr llvm::StringRef scaled = "_Z14__quern_scaled";

inline constexpr llvm::StringRef printf = "printf";

/// `ptr quern.printer()`: what printf writes by way of, abi::LaunchInfo on CPUs and
/// abi::NvptxPrintBuffer on NVIDIA devices; `ptr quern.group_scratch()`: abi::GroupScratch. Only
/// kernels can tell. Also attributes of the parameters by which other functions are told.
inline constexpr llvm::StringRef printer = "quern.printer";
inline constexpr llvm::StringRef groupScratch = "quern.group_scratch";

/// What Clang calls to make a sampler of its bits (abi/sampler_bits.h).
inline constexpr llvm::StringRef samplerInitializer = "__translate_sampler_initializer";
/// Functions of the built-in library that the compiler implements: the address of an image's
/// description (abi/cpu_image.h), one overload for each image type, and the bits of a sampler.
inline constexpr llvm::StringRef imageAddressPrefix = "_Z13__quern_image";
inline constexpr llvm::StringRef samplerBits = "__quern_sampler";
/// Likewise, the address of a pipe (abi/pipe.h), one function for each access, and what a
/// reserve_id_t is made of and its bits.
inline constexpr llvm::StringRef pipePrefix = "__quern_pipe_to_";
inline constexpr llvm::StringRef reserveId = "__quern_reserve_id";
inline constexpr llvm::StringRef reserveIdBits = "__quern_reserve_id_bits";
/// `i64 __quern_reserve_to_...(ptr pipe, i32 count)` of the built-in library reserves `count` slots
/// of a pipe, one behind the other, or none, and never waits. The result is 0 for none, or `count`
/// times 2^32 plus the number of the first slot.
inline constexpr llvm::StringRef reservationPrefix = "__quern_reserve_to_";
/// Likewise, for queues on the device and the events of kernels.
inline constexpr llvm::StringRef queue = "__quern_queue";
inline constexpr llvm::StringRef queueBits = "__quern_queue_bits";
inline constexpr llvm::StringRef event = "__quern_event";
inline constexpr llvm::StringRef eventBits = "__quern_event_bits";
/// `i64 __quern_children()` of the built-in library: the address of the launch's
/// abi::ChildRecords.
inline constexpr llvm::StringRef childRecords = "__quern_children";
/// On kernels of blocks.
inline constexpr llvm::StringRef blockAttribute = "quern-block";
/// Functions of the built-in library that read or write an element of an image in memory.
inline constexpr llvm::StringRef fetchPrefix = "__quern_fetch_";
inline constexpr llvm::StringRef storePrefix = "__quern_store_";
/// Functions of the built-in library that read an image with a sampler, their second parameter.
/// NVIDIA devices have their own forms of them.
inline constexpr llvm::StringRef samplePrefix = "__quern_sample_";

/// Of the functions that stand for something in our IR; no program's function has such a name.
inline constexpr llvm::StringRef ownPrefix = "quern.";

/// Functions of the built-in library that take the place of those without the prefix: in code for
/// processors with AVX-512 or fused multiply-adds, and for NVIDIA devices, where functions stand
/// for instructions, too.
inline constexpr llvm::StringRef avx512Prefix = "__avx512_";
inline constexpr llvm::StringRef fmaPrefix = "__fma_";
inline constexpr llvm::StringRef nvptxPrefix = "__nvptx_";
inline constexpr llvm::StringRef nvptxInstructionPrefix = "__quern_nvptx_";

/// `i32 quern.has_texture(i64)` in code for NVIDIA devices after the step retarget: whether the
/// texture of an image is not 0.
inline constexpr llvm::StringRef hasTexture = "quern.has_texture";

/// In code for NVIDIA devices: the local memory whose size a launch sets.
inline constexpr llvm::StringRef dynamicLocalMemory = "__quern_dynamic_local";

/// `void quern.barrier(i32 flags, i32 scope)`: every work-group barrier after the step
/// work-item-bodies.
inline constexpr llvm::StringRef barrier = "quern.barrier";
/// The same for sub_group_barrier.
inline constexpr llvm::StringRef subGroupBarrier = "quern.sub_group_barrier";

/// `T __quern_group_...(combine, operands...)` and `T __quern_sub_group_...(combine, operands...)`,
/// used by the built-in library: a collective function of the work-group or the sub-group. All of
/// its work-items give their operands; then `combine` makes all results (il/collective.h). The
/// longer name says that the results are all the same, of which it only makes the first.
inline constexpr llvm::StringRef groupCollectivePrefix = "__quern_group_";
inline constexpr llvm::StringRef uniformCollectivePrefix = "__quern_group_uniform_";
inline constexpr llvm::StringRef subGroupCollectivePrefix = "__quern_sub_group_";
/// `void quern.collective.group(ptr combine, ptr result, ptr operand, ptr operand or null)`: every
/// collective function after the step work-item-bodies, on private variables. One whose results are
/// all the same makes only one, and the variable is one for all.
inline constexpr llvm::StringRef groupCollective = "quern.collective.group";
inline constexpr llvm::StringRef uniformGroupCollective = "quern.collective.group_uniform";
inline constexpr llvm::StringRef subGroupCollective = "quern.collective.sub_group";
/// `void quern.packet.barrier()` where all work-items that meet are one packet: whatever a packet
/// does, all of them have done before its next instruction. So this only keeps the code before and
/// behind it in place until packets are made.
inline constexpr llvm::StringRef packetBarrier = "quern.packet.barrier";
/// `T quern.packet.collective...(ptr combine, operands...)` where the work-group is one packet: a
/// collective function as an operation on the packet's vectors. The longer name as above.
inline constexpr llvm::StringRef packetCollectivePrefix = "quern.packet.collective.";
inline constexpr llvm::StringRef uniformPacketCollectivePrefix = "quern.packet.collective.uniform.";
/// Metadata of loads and stores: all work-items of the group load, or store, the same value.
inline constexpr llvm::StringRef uniformMetadata = "quern.uniform";

/// Metadata of the loads of a kernel's arguments in its entry: the pointer is `noalias`.
inline constexpr llvm::StringRef disjointMetadata = "quern.disjoint";

/// On functions that the program defined, as opposed to the built-in library.
inline constexpr llvm::StringRef programAttribute = "quern-program";
/// On functions of the built-in library that take images: they vanish into their callers, so that
/// what is known about a sampler there reaches the code that reads the image.
inline constexpr llvm::StringRef imageFunctionAttribute = "quern-image-function";
/// On a kernel, its work-item body, its regions and its entry: the kernel's name.
inline constexpr llvm::StringRef kernelAttribute = "quern-kernel";
/// On work-item bodies and regions: how many parameters are the kernel's own.
inline constexpr llvm::StringRef argumentsAttribute = "quern-arguments";
/// On kernels, work-item bodies and regions of which only NDRanges that begin at id 0 are run
/// (abi::LaunchFacts::zeroOffset).
inline constexpr llvm::StringRef zeroOffsetAttribute = "quern-zero-offset";
/// On regions: the fewest work-items in dimension 0 for which packets cost less than one work-item
/// after the other, which is then there, too.
inline constexpr llvm::StringRef leastColumnsAttribute = "quern-least-columns";
/// On kernels, work-item bodies and regions: abi::LaunchFacts::mostColumns, where that is known.
inline constexpr llvm::StringRef mostColumnsAttribute = "quern-most-columns";
/// On work-item bodies, regions and entries: abi::KernelDescription::seesOffset.
inline constexpr llvm::StringRef seesOffsetAttribute = "quern-sees-offset";
/// On work-item bodies: abi::KernelDescription::footprint, as abi::print gives it.
inline constexpr llvm::StringRef footprintAttribute = "quern-footprint";
/// On work-item bodies, regions and entries: abi::KernelDescription::storedBytes.
inline constexpr llvm::StringRef storedBytesAttribute = "quern-stored-bytes";
/// On kernels and work-item bodies of which only launches are run whose stores no cache holds
/// (abi::LaunchFacts::storedBytes).
inline constexpr llvm::StringRef exceedsCachesAttribute = "quern-exceeds-caches";
/// On parameters of work-item bodies and regions: buffers to which whole vectors are stored past
/// the caches (il/streaming.h).
inline constexpr llvm::StringRef streamedAttribute = "quern-streamed";
/// On regions and entries: abi::KernelDescription::comparedWidths, that of the code, and a bit for
/// each of the others, the likely ones and the others.
inline constexpr llvm::StringRef chosenWidthAttribute = "quern-chosen-width";
inline constexpr llvm::StringRef alternativeWidthsAttribute = "quern-alternative-widths";
inline constexpr llvm::StringRef unlikelyWidthsAttribute = "quern-unlikely-widths";
/// On work-item bodies, regions and entries: abi::KernelDescription::flatDimensions.
inline constexpr llvm::StringRef flatAttribute = "quern-flat";
/// On regions with exchanged dimensions and on entries: abi::KernelDescription::packetDimension.
inline constexpr llvm::StringRef packetDimensionAttribute = "quern-packet-dimension";
/// On entries: abi::KernelDescription::countsApart.
inline constexpr llvm::StringRef countsApartAttribute = "quern-counts-apart";
/// On work-item bodies and regions of kernels whose work-groups are gone through in another shape
/// than the program gives them (il/group_shape.h): its three sizes, and the work-items of a row of
/// the program's shape of which a packet holds several.
inline constexpr llvm::StringRef groupShapeAttribute = "quern-group-shape";
inline constexpr llvm::StringRef shortRowAttribute = "quern-short-row";
/// On the form of a kernel whose work-groups are one packet each.
inline constexpr llvm::StringRef onePacketAttribute = "quern-one-packet";
/// On functions of programs built with -cl-denorms-are-zero, and on the entries of their kernels.
inline constexpr llvm::StringRef flushDenormalsAttribute = "quern-flush-denormals";
/// On kernels for NVIDIA devices that call printf.
inline constexpr llvm::StringRef printsAttribute = "quern-prints";
/// On kernels for NVIDIA devices: abi::KernelDescription::startsEarly.
inline constexpr llvm::StringRef startsEarlyAttribute = "quern-starts-early";
/// Of a work-item body, with no value: it looks at abi::CheckedScratch::written.
inline constexpr llvm::StringRef shadowsLocalAttribute = "quern-shadows-local";
/// Bytes of local variables.
inline constexpr llvm::StringRef localBytesAttribute = "quern-local-bytes";
/// Bytes of private memory of one work-item.
inline constexpr llvm::StringRef privateBytesAttribute = "quern-private-bytes";
/// abi::KernelDescription::contextUniformBytes and contextItemBytes.
inline constexpr llvm::StringRef contextUniformBytesAttribute = "quern-context-uniform-bytes";
inline constexpr llvm::StringRef contextItemBytesAttribute = "quern-context-item-bytes";
/// Bytes of the values that are kept once for a work-group while it runs.
inline constexpr llvm::StringRef uniformBytesAttribute = "quern-uniform-bytes";
/// On regions: the region's number and the numbers of those that may follow, 0 for the kernel's
/// end.
inline constexpr llvm::StringRef regionAttribute = "quern-region";
inline constexpr llvm::StringRef exitsAttribute = "quern-exits";
/// On regions that work-items may leave in different directions; and, on all regions of a kernel
/// that has such a region, where in a work-item's part of the context its next region is kept, as
/// its number minus 1 (regions/next_region.h): the lowest is the one that the group runs next, and
/// a work-item that has ended has the highest.
inline constexpr llvm::StringRef divergentExitsAttribute = "quern-divergent-exits";
inline constexpr llvm::StringRef nextRegionOffsetAttribute = "quern-next-region-offset";
/// On kernels, work-item bodies and regions: work-items of a full sub-group.
inline constexpr llvm::StringRef subGroupSizeAttribute = "quern-sub-group-size";
/// On regions that begin at a collective function: what is done before (il/collective.h).
inline constexpr llvm::StringRef collectiveAttribute = "quern-collective";
/// On regions that have a form for several work-items at once: that function's name, and how many.
inline constexpr llvm::StringRef packetAttribute = "quern-packet";
inline constexpr llvm::StringRef packetWidthAttribute = "quern-packet-width";
/// On such regions that have a form for a tile of packets: that function's name, and the number of
/// packets in dimension 0 and in dimension 1.
inline constexpr llvm::StringRef tileAttribute = "quern-tile";
inline constexpr llvm::StringRef tileColumnsAttribute = "quern-tile-columns";
inline constexpr llvm::StringRef tileRowsAttribute = "quern-tile-rows";
/// On regions that have a form whose packets run along another dimension than 0
/// (packets/exchanged_dimensions.h): the name of that region, which has forms of its own. And on
/// that one: how many sixteenths of a packet must have work-items for it to be the cheaper one.
inline constexpr llvm::StringRef exchangedAttribute = "quern-exchanged";
inline constexpr llvm::StringRef leastFilledAttribute = "quern-least-filled";
/// On work-item bodies, regions and entries: a bit for each argument among the first 64 that is
/// better a constant, whatever its value is or as long as it is small
/// (work_items/constant_candidates.h).
inline constexpr llvm::StringRef divisorArgumentsAttribute = "quern-divisor-arguments";
inline constexpr llvm::StringRef smallArgumentsAttribute = "quern-small-arguments";
/// On entries: abi::KernelDescription::rangeLimit.
inline constexpr llvm::StringRef rangeLimitAttribute = "quern-range-limit";
/// On such regions of which only some work-items of each row do anything: the name of the function
/// that says which ones (packets/active_range.h).
inline constexpr llvm::StringRef activeRangeAttribute = "quern-active-range";
/// `void quern.packet.guard(i1)` in a region while its packets are made (il/packet_condition.h).
inline constexpr llvm::StringRef packetGuard = "quern.packet.guard";
/// `i1 quern.packet.all(i1)`, likewise.
inline constexpr llvm::StringRef packetAll = "quern.packet.all";
/// Named metadata of the module: what became of each region, as text (packets/report.h).
inline constexpr llvm::StringRef reportMetadata = "quern.report";
/// Metadata of regions: the access group (LLVM's `llvm.access.group`) of what work-items do
/// independently of each other.
inline constexpr llvm::StringRef accessGroupMetadata = "quern.access.group";
/// Metadata of loads of a work-item's next region, which mostly is that of all.
inline constexpr llvm::StringRef nextRegionMetadata = "quern.next.region";
/// Metadata of regions: the debug information of the kernel that they were cut from.
inline constexpr llvm::StringRef subprogramMetadata = "quern.subprogram";

} // namespace quern::compiler::names
