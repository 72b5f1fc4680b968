#include "runtime/specialisations.h"

#include <algorithm>

#include "base/config.h"
#include "base/log.h"
#include "base/sentence.h"
#include "device/launch_facts.h"
#include "runtime/compile_steps.h"
#include "runtime/process.h"
#include "trace/trace.h"

namespace quern::runtime {

namespace {

/// What a kernel takes before it is compiled again: a small part of what that will probably take.
constexpr uint64_t leastNanoseconds = 1'000'000, mostNanoseconds = 20'000'000;
constexpr uint64_t nanosecondsPerIrByte = 200;

/// Part of the caches that the stores of a launch may fill: the rest holds what it reads.
constexpr uint64_t cachesOverStores = 2;

/// What a launch stores at least when that better goes past the caches of `caps`.
uint64_t streamBytes(const device::Caps& caps) {
  const uint64_t wanted = config().number(Option::StreamBytes);
  return wanted != 0 ? wanted : std::max<uint64_t>(1, caps.globalCacheBytes / cachesOverStores);
}

} // namespace

bool Specialisations::areWanted() {
  return config().get(Option::Variants) != "off";
}

Specialisations::Specialisations(Ref<device::Device> device,
                                 std::shared_ptr<const ProgramBinary> binary,
                                 Ref<device::Executable> executable)
    : device_(std::move(device)), binary_(std::move(binary)), executable_(std::move(executable)),
      streamBytes_(streamBytes(device_->caps())), choices_(binary_->image.kernels.size()) {}

void Specialisations::start() {
  const uint64_t share =
      std::clamp(binary_->ir.size() * nanosecondsPerIrByte, leastNanoseconds, mostNanoseconds);
  for (uint32_t kernel = 0; kernel < choices_.size(); ++kernel)
    if (description(kernel).isFirstVersion && areWanted() && !specialisationsAreWantedNow())
      setTrigger(kernel, share, share);
}

void Specialisations::setTrigger(uint32_t kernel, uint64_t nanoseconds, uint64_t more) {
  executable_->setHotnessTrigger(
      kernel, nanoseconds,
      [specialisations = weak_from_this(), nanoseconds, more](const device::LaunchKernel& launch) {
        const std::shared_ptr<Specialisations> self = specialisations.lock();
        if (!self)
          return;
        // Values of arguments may be others in the next launch (prepare).
        self->addLater(launch.kernel, withoutConstants(self->usefulFacts(launch)));
        // Launches with other facts may deserve a specialisation of their own.
        self->setTrigger(launch.kernel, nanoseconds + more, more);
      });
}

void Specialisations::addLater(uint32_t kernel, const abi::LaunchFacts& facts) {
  Process::current().specialisations().post([specialisations = weak_from_this(), kernel, facts] {
    // The program may be gone by now.
    if (const std::shared_ptr<Specialisations> self = specialisations.lock())
      self->addAndSay(kernel, facts);
  });
}

void Specialisations::prepare(const device::LaunchKernel& launch) {
  const uint32_t kernel = launch.kernel;
  SpecialisationChoice& choice = choices_[kernel];
  if (!description(kernel).isFirstVersion ||
      choice.isSettled(launch.facts, description(kernel), streamBytes_))
    return;
  const abi::LaunchFacts facts = usefulFacts(launch);
  const SpecialisationChoice::Wanted wanted = choice.consider(facts);
  if (!areWanted())
    return;
  const abi::LaunchFacts any = withoutConstants(facts);
  const abi::LaunchFacts better = wanted.withConstants ? facts : any;
  if (specialisationsAreWantedNow()) {
    if (wanted.isNew && !choice.isMade(better))
      addAndSay(kernel, better);
    return;
  }
  if (wanted.isNew) {
    if (facts.constantCount != 0 && !choice.isMade(facts))
      addFromCache(kernel, facts);
    if (!choice.isMade(any) && !addFromCache(kernel, any))
      addFromCache(kernel, {});
  }
  if (wanted.withConstants && !choice.isMade(better))
    addLater(kernel, better);
  else if (choice.lacksStreaming(any))
    addLater(kernel, any);
}

bool Specialisations::addFromCache(uint32_t kernel, const abi::LaunchFacts& facts) {
  trace::Scope scope("variant", "look for a variant");
  const Result<bool> found = add(kernel, facts, /*onlyCached=*/true);
  if (!found.ok() || !found.value())
    return false;
  scope.setDetail(sentence(description(kernel).name, device::describe(facts)));
  log::info(sentence("the kernel '", description(kernel).name, "' has code from the cache",
                     device::describe(facts)));
  return true;
}

Result<bool> Specialisations::add(uint32_t kernel, const abi::LaunchFacts& facts, bool onlyCached) {
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
  QUERN_TRY(executable_->addSpecialisation(kernel, std::move(better)));
  choices_[kernel].noteMade(facts);
  return true;
}

void Specialisations::addAndSay(uint32_t kernel, const abi::LaunchFacts& wanted) {
  if (choices_[kernel].isMade(wanted))
    return;
  const abi::LaunchFacts facts = choices_[kernel].within(wanted);
  const std::string& name = description(kernel).name;
  const trace::Scope scope("variant", "make a variant",
                           trace::isOn() ? sentence(name, device::describe(facts)) : std::string());
  const Result<bool> added = add(kernel, facts, /*onlyCached=*/false);
  if (added.ok())
    log::info(sentence("the kernel '", name, "' has been compiled again", device::describe(facts)));
  else
    log::warning(sentence("the kernel '", name,
                          "' goes on with its baseline code:", " compiling it again",
                          device::describe(facts), " failed: ", added.status().sentence()));
}

} // namespace quern::runtime
