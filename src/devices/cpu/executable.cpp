#include "devices/cpu/executable.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "abi/cpu_image.h"
#include "device/launch_facts.h"
#include "devices/cpu/elf_object.h"
#include "devices/cpu/local_size.h"
#include "devices/cpu/tile.h"
#include "trace/trace.h"

namespace quern::cpu {

namespace {

constexpr uint64_t cachedContextBytes = 256 << 10;

uint64_t itemsOf(const device::NdRange& range) {
  return range.local[0] * range.local[1] * range.local[2];
}

/// What one argument may take of the block; a description that leads outside it comes from a broken
/// binary.
bool liesInBlock(const abi::KernelArgument& argument, uint32_t blockBytes) {
  return argument.offset <= blockBytes && argument.bytes <= blockBytes - argument.offset &&
         (argument.kind != abi::ArgumentKind::Local || argument.bytes == sizeof(uint64_t));
}

Status checkDescription(const abi::KernelDescription& description) {
  for (const abi::KernelArgument& argument : description.arguments)
    if (!liesInBlock(argument, description.argumentBlockBytes))
      return invalidCode("an argument of kernel '" + description.name +
                         "' lies outside the argument block");
  if (description.packetWidth == 0)
    return invalidCode("kernel '" + description.name + "' has packets of no work-items");
  return {};
}

} // namespace

uint64_t Kernel::contextBytes(uint64_t items) const {
  if (description.contextItemBytes == 0)
    return description.contextUniformBytes;
  const uint64_t width = description.packetWidth;
  const uint64_t rounded = (items + width - 1) / width * width;
  uint64_t bytes = 0;
  if (__builtin_mul_overflow(description.contextItemBytes, rounded, &bytes) ||
      __builtin_add_overflow(bytes, description.contextUniformBytes, &bytes))
    return std::numeric_limits<uint64_t>::max();
  return bytes;
}

Specialisation::Specialisation(Ref<const Executable> executable, const Kernel& kernel,
                               const Kernel& baseline, const Specialisation* next,
                               device::Adoption adoption)
    : executable_(std::move(executable)), kernel_(kernel), baseline_(baseline), next_(next),
      adoption_(adoption) {
  const auto factsOf = [](const Specialisation& each) -> const abi::LaunchFacts& {
    return each.kernel_.description.facts;
  };
  for (const Specialisation* each = next; each && !before_; each = each->next_)
    if (factsOf(*each) == factsOf(*this))
      before_ = each;
  for (const Specialisation* each = before_ ? nullptr : next; each; each = each->next_)
    if (device::hold(factsOf(*each), factsOf(*this)) &&
        (!general_ || device::areMore(factsOf(*each), factsOf(*general_))))
      general_ = each;
}

Version Specialisation::version() const {
  if (!before_ && adoption_ == device::Adoption::AtOnce)
    return {&kernel_};
  if (const Kernel* winner = winner_.load(std::memory_order_acquire))
    return {winner};
  const Version before = before_    ? before_->version()
                         : general_ ? general_->version()
                                    : Version{&baseline_};
  if (before.audit)
    return before;
  std::call_once(isBegun_, [&] {
    audit_ = before_
                 ? std::make_unique<PerformanceAudit>(*before.kernel, kernel_, "the alternative")
                 : std::make_unique<PerformanceAudit>(
                       kernel_, *before.kernel,
                       before.kernel == &baseline_ ? "the baseline code" : "more general code");
  });
  const Kernel* winner = audit_->winner();
  if (!winner)
    return {&audit_->incumbent(), audit_.get()};
  winner_.store(winner, std::memory_order_release);
  return {winner};
}

Version Kernel::versionFor(const device::LaunchKernel& launch, const abi::LaunchFacts& facts,
                           uint64_t items) const {
  const uint64_t end = launch.range.idsEnd();
  const auto canRun = [&](const Kernel& code) {
    const uint64_t limit = code.description.rangeLimit;
    return (limit == 0 || end <= limit) && code.contextBytes(items) <= maxContextBytes;
  };
  const Specialisation* found = nullptr;
  for (const Specialisation* specialisation = specialisations.load(std::memory_order_acquire);
       specialisation; specialisation = specialisation->next()) {
    const abi::LaunchFacts& needed = specialisation->kernel().description.facts;
    const Version version = specialisation->version();
    // Code for other launches is better, or was: there may be more of that.
    const bool isOwn = version.kernel == &specialisation->kernel() || version.audit;
    if (!isOwn && (version.kernel == this || version.kernel->description.facts != needed))
      continue;
    if (!device::hold(needed, facts) || !canRun(specialisation->kernel()) ||
        !canRun(*version.kernel) || (version.audit && !canRun(version.audit->challenger())))
      continue;
    const bool reliesOnValues = !needed.constants.empty();
    if (reliesOnValues || !found || device::areMore(needed, found->kernel().description.facts))
      found = specialisation;
    if (reliesOnValues)
      break;
  }
  return found ? found->version() : Version{this};
}

PacketDimensions Kernel::packetDimensions(const device::LaunchKernel& launch,
                                          const abi::LaunchFacts& facts) const {
  PacketDimensions dimensions;
  const auto add = [&](const Kernel& code) { dimensions.set(code.description.packetDimension); };
  if (!hasOtherPacketDimensions.load(std::memory_order_relaxed)) {
    add(*this);
    return dimensions;
  }
  const Version version = versionFor(launch, facts, itemsOf(launch.range));
  add(*version.kernel);
  if (version.audit)
    add(version.audit->challenger());
  return dimensions;
}

void Kernel::addTime(uint64_t nanoseconds, const device::LaunchKernel& launch) const {
  const uint64_t sum = time.fetch_add(nanoseconds, std::memory_order_relaxed) + nanoseconds;
  if (sum < triggerTime.load(std::memory_order_relaxed))
    return;
  // Only one thread finds the function.
  const auto call = report.with([&](auto& function) {
    triggerTime.store(noTrigger, std::memory_order_relaxed);
    return std::exchange(function, nullptr);
  });
  if (call)
    call(launch);
}

Result<Ref<device::Executable>> Executable::load(const abi::ProgramImage& image,
                                                 const GroupLimits& limits) {
  QUERN_ASSIGN(LoadedObject object, LoadedObject::load(image.code));
  auto executable = Ref<Executable>::adopt(new Executable(std::move(object), limits));
  for (const abi::KernelDescription& description : image.kernels) {
    QUERN_TRY(checkDescription(description));
    auto kernel = std::make_unique<Kernel>();
    kernel->description = description;
    kernel->name = trace::nameOf(description.name);
    kernel->entry = reinterpret_cast<abi::KernelEntry>(
        const_cast<std::byte*>(executable->object_.function(description.entrySymbol)));
    if (!kernel->entry)
      return invalidCode("it has no code for kernel '" + description.name + "'");
    kernel->maxContextBytes = limits.contextBytes;
    kernel->hasLocalArguments =
        std::any_of(description.arguments.begin(), description.arguments.end(),
                    [](const auto& a) { return a.kind == abi::ArgumentKind::Local; });
    executable->kernels_.push_back(std::move(kernel));
  }
  return Ref<device::Executable>(std::move(executable));
}

Tiling Executable::tilingOf(const device::LaunchKernel& launch) const {
  const Kernel& kernel = this->kernel(launch.kernel);
  abi::LaunchFacts facts = launch.facts;
  const auto choose = [&] {
    return chooseTiling(kernel.description, kernel.packetDimensions(launch, facts), launch,
                        limits_.computeUnits);
  };
  const Tiling tiling = choose();
  const bool isFlat = (kernel.description.flatDimensions & 1) != 0;
  if (!isFlat || !facts.zeroOffset || tiling.beginsAtMultiples())
    return tiling;
  // Then other code runs it.
  facts.zeroOffset = false;
  return choose();
}

device::KernelLimits Executable::limits(uint32_t index) const {
  const abi::KernelDescription& description = kernel(index).description;
  uint64_t items = limits_.maxWorkGroupSize;
  if (description.contextItemBytes > 0) {
    const uint64_t room =
        limits_.contextBytes - std::min(limits_.contextBytes, description.contextUniformBytes);
    items = std::min(items, room / description.contextItemBytes);
    if (items >= description.packetWidth)
      items = items / description.packetWidth * description.packetWidth;
  }
  return {.maxWorkGroupSize = static_cast<size_t>(items),
          .preferredWorkGroupMultiple = description.packetWidth,
          .localBytes = description.localBytes,
          .privateBytes = description.privateBytes};
}

Status Executable::checkLaunch(uint32_t index, const device::NdRange& range,
                               uint64_t localArgumentBytes) const {
  const Kernel& target = kernel(index);
  const uint64_t localBytes = target.description.localBytes + localArgumentBytes;
  if (localBytes > limits_.localBytes || localBytes < localArgumentBytes)
    return Status::error(CL_OUT_OF_RESOURCES, "kernel '" + target.description.name + "' needs " +
                                                  std::to_string(localBytes) +
                                                  " bytes of local memory: the device has " +
                                                  std::to_string(limits_.localBytes));
  const uint64_t contextBytes = target.contextBytes(itemsOf(range));
  if (contextBytes > limits_.contextBytes)
    return Status::error(CL_OUT_OF_RESOURCES,
                         "a work-group of " + std::to_string(itemsOf(range)) +
                             " work-items of kernel '" + target.description.name + "' needs " +
                             std::to_string(contextBytes) +
                             " bytes for its private variables: the limit is " +
                             std::to_string(limits_.contextBytes));
  return {};
}

std::array<uint64_t, 3> Executable::suggestLocalSize(uint32_t index, const device::NdRange& range,
                                                     bool mayBeNonUniform) const {
  const abi::KernelDescription& description = kernel(index).description;
  if (description.requiredWorkGroupSize[0] != 0)
    return description.requiredWorkGroupSize;
  uint64_t maxItems = std::max<uint64_t>(limits(index).maxWorkGroupSize, 1);
  if (description.contextItemBytes > 0) {
    // What lives across barriers should stay in the second-level cache.
    const uint64_t cached = cachedContextBytes / description.contextItemBytes;
    maxItems = std::min(maxItems, std::max<uint64_t>(cached, description.packetWidth));
  }
  return chooseLocalSize({.range = range,
                          .hint = description.workGroupSizeHint,
                          .maxItems = maxItems,
                          .packetWidth = description.packetWidth,
                          .computeUnits = limits_.computeUnits,
                          .mayBeNonUniform = mayBeNonUniform});
}

int64_t Executable::imageFormat(uint64_t handle) const {
  return abi::formatOf(*reinterpret_cast<const abi::CpuImage*>(handle));
}

void Executable::setHotnessTrigger(uint32_t index, uint64_t nanoseconds,
                                   std::function<void(const device::LaunchKernel&)> report) {
  const Kernel& target = kernel(index);
  target.report.with([&](auto& function) {
    function = std::move(report);
    target.time.store(0, std::memory_order_relaxed);
    target.triggerTime.store(nanoseconds, std::memory_order_relaxed);
  });
}

Status Executable::addSpecialisation(uint32_t index, Ref<device::Executable> specialisation,
                                     device::Adoption adoption) {
  Ref<const Executable> executable(static_cast<const Executable*>(specialisation.get()));
  Kernel& target = *kernels_[index];
  const abi::KernelDescription& own = target.description;
  if (executable->kernels_.size() != 1)
    return invalidCode("a specialisation has " + std::to_string(executable->kernels_.size()) +
                       " kernels instead of one");
  const Kernel& kernel = executable->kernel(0);
  const abi::KernelDescription& other = kernel.description;
  // A launch that runs has its arguments and its local memory already; memory for the context is
  // found for the code that needs it.
  if (other.name != own.name || other.argumentBlockBytes != own.argumentBlockBytes ||
      other.localBytes > own.localBytes || other.subGroupSize != own.subGroupSize ||
      other.packetWidth != own.packetWidth)
    return invalidCode("a specialisation of kernel '" + own.name + "' needs other arguments");
  // It has been cut into tiles, too.
  if ((own.flatDimensions & ~other.flatDimensions) != 0)
    return invalidCode("a specialisation of kernel '" + own.name +
                       "' sees its work-groups: it has " + std::to_string(other.flatDimensions) +
                       " as flat dimensions, a bit for each, and the baseline code " +
                       std::to_string(own.flatDimensions));
  if (other.packetDimension != own.packetDimension)
    target.hasOtherPacketDimensions.store(true, std::memory_order_relaxed);
  specialisations_.with([&](auto& specialisations) {
    const Specialisation* const latest = target.specialisations.load(std::memory_order_relaxed);
    specialisations.push_back(
        std::make_unique<Specialisation>(std::move(executable), kernel, target, latest, adoption));
    target.specialisations.store(specialisations.back().get(), std::memory_order_release);
  });
  return {};
}

} // namespace quern::cpu
