#include "runtime/code_variants.h"

#include <algorithm>

#include "base/config.h"
#include "base/log.h"
#include "base/sentence.h"
#include "device/launch_facts.h"
#include "runtime/compile_steps.h"
#include "runtime/process.h"

namespace quern::runtime {

namespace {

/// Variants of one kernel. The last one runs all launches.
constexpr size_t mostVariants = 4;
/// Different facts of launches for which the cache is asked.
constexpr size_t mostSeen = 8;

/// What a kernel takes before it is compiled again: a small part of what that will probably take.
constexpr uint64_t leastNanoseconds = 1'000'000, mostNanoseconds = 20'000'000;
constexpr uint64_t nanosecondsPerIrByte = 200;

bool isNow() {
  return config().get(Option::Variants) == "now";
}

/// Tells facts of neighbouring launches apart, at next to no cost. Never 0.
uint64_t markOf(const abi::LaunchFacts& facts) {
  constexpr unsigned bitsEach = 20;
  const auto& [x, y, z] = facts.localSize;
  return ((x << bitsEach ^ y) << bitsEach ^ z) << 3 | uint64_t{facts.wholeGroups} << 2 |
         uint64_t{facts.disjointMemory} << 1 | 1;
}

} // namespace

bool CodeVariants::areWanted() {
  return config().get(Option::Variants) != "off";
}

CodeVariants::CodeVariants(Ref<device::Device> device, std::shared_ptr<const ProgramBinary> binary,
                           Ref<device::Executable> executable)
    : device_(std::move(device)), binary_(std::move(binary)), executable_(std::move(executable)),
      kernels_(binary_->image.kernels.size()) {}

void CodeVariants::start() {
  const uint64_t share =
      std::clamp(binary_->ir.size() * nanosecondsPerIrByte, leastNanoseconds, mostNanoseconds);
  for (uint32_t kernel = 0; kernel < kernels_.size(); ++kernel)
    if (description(kernel).isFirstVersion && areWanted() && !isNow())
      watch(kernel, share);
}

/// Where nothing depends on where work-groups begin and end, their size is of no use.
abi::LaunchFacts CodeVariants::usefulFacts(const device::LaunchKernel& launch) const {
  abi::LaunchFacts facts = device::factsOf(launch);
  if (description(launch.kernel).flatDimensions != 0) {
    facts.localSize = {0, 0, 0};
    facts.wholeGroups = false;
  }
  return facts;
}

void CodeVariants::watch(uint32_t kernel, uint64_t nanoseconds) {
  executable_->watch(
      kernel, nanoseconds,
      [variants = weak_from_this(), nanoseconds](const device::LaunchKernel& launch) {
        const std::shared_ptr<CodeVariants> self = variants.lock();
        if (!self)
          return;
        self->addLater(launch.kernel, self->usefulFacts(launch));
        // Launches with other facts may deserve a variant of their own.
        self->watch(launch.kernel, 2 * nanoseconds);
      });
}

void CodeVariants::addLater(uint32_t kernel, const abi::LaunchFacts& facts) {
  Process::current().variants().post([variants = weak_from_this(), kernel, facts] {
    // The program may be gone by now.
    if (const std::shared_ptr<CodeVariants> self = variants.lock())
      self->addAndSay(kernel, facts);
  });
}

bool CodeVariants::isMade(uint32_t kernel, const abi::LaunchFacts& facts) {
  return kernels_[kernel].known.with([&](Known& known) {
    return known.made.size() >= mostVariants ||
           std::ranges::any_of(
               known.made, [&](const abi::LaunchFacts& made) { return device::hold(made, facts); });
  });
}

bool CodeVariants::isPrepared(const device::LaunchKernel& launch) const {
  return !description(launch.kernel).isFirstVersion ||
         kernels_[launch.kernel].lastSeen.load(std::memory_order_relaxed) ==
             markOf(usefulFacts(launch));
}

void CodeVariants::prepare(const device::LaunchKernel& launch) {
  if (isPrepared(launch))
    return;
  const abi::LaunchFacts facts = usefulFacts(launch);
  KernelState& kernel = kernels_[launch.kernel];
  kernel.lastSeen.store(markOf(facts), std::memory_order_relaxed);
  const bool isNew = kernel.known.with([&](Known& known) {
    if (known.seen.size() >= mostSeen || std::ranges::find(known.seen, facts) != known.seen.end())
      return false;
    known.seen.push_back(facts);
    return true;
  });
  if (!isNew || !areWanted() || isMade(launch.kernel, facts))
    return;
  if (isNow()) {
    addAndSay(launch.kernel, facts);
    return;
  }
  if (!addFromCache(launch.kernel, facts))
    addFromCache(launch.kernel, {});
}

bool CodeVariants::addFromCache(uint32_t kernel, const abi::LaunchFacts& facts) {
  const Result<bool> found = add(kernel, facts, /*onlyCached=*/true);
  if (!found.ok() || !found.value())
    return false;
  log::info(sentence("the kernel '", description(kernel).name, "' has code from the cache",
                     device::describe(facts)));
  return true;
}

Result<bool> CodeVariants::add(uint32_t kernel, const abi::LaunchFacts& facts, bool onlyCached) {
  const compiler::Options options = {.onlyKernel = description(kernel).name, .facts = facts};
  const CompileSteps steps(options, binary_->options, device_->caps().target);
  QUERN_ASSIGN(const BuildOutcome outcome,
               onlyCached ? steps.findGenerated(*binary_) : steps.generate(*binary_));
  if (!outcome.binary) {
    if (onlyCached)
      return false;
    return Status::error(CL_BUILD_PROGRAM_FAILURE, outcome.log);
  }
  QUERN_ASSIGN(Ref<device::Executable> better, device_->load(outcome.binary->image));
  QUERN_TRY(executable_->addVariant(kernel, std::move(better)));
  kernels_[kernel].known.with([&](Known& known) { known.made.push_back(facts); });
  return true;
}

void CodeVariants::addAndSay(uint32_t kernel, const abi::LaunchFacts& wanted) {
  if (isMade(kernel, wanted))
    return;
  const bool isLast = kernels_[kernel].known.with(
      [](Known& known) { return known.made.size() + 1 == mostVariants; });
  const abi::LaunchFacts facts = isLast ? abi::LaunchFacts() : wanted;
  const std::string& name = description(kernel).name;
  const Result<bool> added = add(kernel, facts, /*onlyCached=*/false);
  log::info(
      added.ok()
          ? sentence("the kernel '", name, "' has been compiled again", device::describe(facts))
          : sentence("the kernel '", name, "' goes on with its first code:", " compiling it again",
                     device::describe(facts), " failed: ", added.status().sentence()));
}

} // namespace quern::runtime
