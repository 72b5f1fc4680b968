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
/// How many of them may rely on values of arguments; after how many launches in a row with the same
/// values they are made, and after how many changes never again.
constexpr size_t mostWithConstants = 2;
constexpr uint32_t enoughRepetitions = 8, mostChanges = 16;
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
  uint64_t mark = (x << bitsEach ^ y) << bitsEach ^ z;
  for (const abi::ConstantArgument& constant : facts.constantArguments())
    mark = (mark ^ static_cast<uint64_t>(constant.value) ^ constant.argument) * 0x9e3779b97f4a7c15;
  for (const bool fact : {facts.wholeGroups, facts.zeroOffset, facts.disjointMemory, true})
    mark = mark << 1 | uint64_t{fact};
  return mark;
}

abi::LaunchFacts withoutConstants(abi::LaunchFacts facts) {
  facts.constants = {};
  facts.constantCount = 0;
  return facts;
}

bool haveSameConstants(const abi::LaunchFacts& a, const abi::LaunchFacts& b) {
  return std::ranges::equal(a.constantArguments(), b.constantArguments());
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

/// Where nothing depends on where work-groups begin and end, their size is of no use; nor is an
/// offset that makes no difference.
abi::LaunchFacts CodeVariants::usefulFacts(const device::LaunchKernel& launch) const {
  abi::LaunchFacts facts = device::factsOf(launch, description(launch.kernel));
  if (kernels_[launch.kernel].ignoresConstants.load(std::memory_order_relaxed))
    facts = withoutConstants(facts);
  if (description(launch.kernel).flatDimensions != 0) {
    facts.localSize = {0, 0, 0};
    facts.wholeGroups = false;
  }
  if (!description(launch.kernel).seesOffset)
    facts.zeroOffset = false;
  return facts;
}

void CodeVariants::watch(uint32_t kernel, uint64_t nanoseconds) {
  executable_->watch(
      kernel, nanoseconds,
      [variants = weak_from_this(), nanoseconds](const device::LaunchKernel& launch) {
        const std::shared_ptr<CodeVariants> self = variants.lock();
        if (!self)
          return;
        // Values of arguments may be others in the next launch (prepare).
        self->addLater(launch.kernel, withoutConstants(self->usefulFacts(launch)));
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
           std::ranges::any_of(known.made, [&](const abi::LaunchFacts& made) {
             return device::hold(made, facts) && haveSameConstants(made, facts);
           });
  });
}

bool CodeVariants::isPrepared(const device::LaunchKernel& launch) const {
  return !description(launch.kernel).isFirstVersion ||
         kernels_[launch.kernel].settled.load(std::memory_order_relaxed) ==
             markOf(usefulFacts(launch));
}

CodeVariants::Worth CodeVariants::worthOfConstants(uint32_t kernel, const abi::LaunchFacts& facts) {
  KernelState& state = kernels_[kernel];
  return state.known.with([&](Known& known) {
    if (haveSameConstants(known.last, facts)) {
      ++known.repeated;
    } else {
      known.repeated = 1;
      ++known.changes;
    }
    known.last = facts;
    const auto withConstants = static_cast<size_t>(std::ranges::count_if(
        known.made, [](const auto& made) { return made.constantCount != 0; }));
    if (known.changes > mostChanges || withConstants >= mostWithConstants ||
        known.made.size() + 1 >= mostVariants) {
      state.ignoresConstants.store(true, std::memory_order_relaxed);
      return Worth::No;
    }
    if (isNow())
      return Worth::Yes;
    // A kernel that took long has a variant by now.
    const bool isLong = std::ranges::any_of(known.made, [&](const auto& made) {
      return made.constantCount == 0 && device::hold(made, facts);
    });
    if (!isLong)
      return Worth::No;
    return known.repeated >= enoughRepetitions ? Worth::Yes : Worth::NotYet;
  });
}

void CodeVariants::prepare(const device::LaunchKernel& launch) {
  if (isPrepared(launch))
    return;
  const abi::LaunchFacts facts = usefulFacts(launch);
  const uint32_t kernel = launch.kernel;
  KernelState& state = kernels_[kernel];
  const Worth worth = facts.constantCount != 0 ? worthOfConstants(kernel, facts) : Worth::No;
  state.settled.store(worth == Worth::NotYet ? 0 : markOf(facts), std::memory_order_relaxed);
  const bool isNew = state.known.with([&](Known& known) {
    if (known.seen.size() >= mostSeen || std::ranges::find(known.seen, facts) != known.seen.end())
      return false;
    known.seen.push_back(facts);
    return true;
  });
  if (!areWanted())
    return;
  const abi::LaunchFacts wanted = worth == Worth::Yes ? facts : withoutConstants(facts);
  if (isNow()) {
    if (isNew && !isMade(kernel, wanted))
      addAndSay(kernel, wanted);
    return;
  }
  if (isNew) {
    if (facts.constantCount != 0 && !isMade(kernel, facts))
      addFromCache(kernel, facts);
    if (const abi::LaunchFacts any = withoutConstants(facts); !isMade(kernel, any))
      if (!addFromCache(kernel, any))
        addFromCache(kernel, {});
  }
  if (worth == Worth::Yes && !isMade(kernel, wanted))
    addLater(kernel, wanted);
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
  // Now it may be worth it to rely on more.
  kernels_[kernel].settled.store(0, std::memory_order_relaxed);
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
