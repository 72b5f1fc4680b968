#include "runtime/specialisations.h"

#include <algorithm>
#include <chrono>
#include <optional>

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

/// What versions of a kernel run before there is another one: some of these take longer to compile
/// than there is to gain, and a process that ends soon should not compile for nobody.
constexpr uint64_t leastBeforeAlternative = 100'000'000, compilesBeforeAlternative = 4;
/// So much longer they run before one that is unlikely to be faster.
constexpr uint64_t longerBeforeUnlikely = 8;

/// The target for which all that can run in packets of `width` does; 1 for none, 0 for `target`.
compiler::Target withPackets(compiler::Target target, uint32_t width) {
  if (width != 0)
    target.description += width == 1 ? ";packets=off" : sentence(";packets=", width);
  return target;
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
        self->addLater(launch.kernel, withoutConstants(self->usefulFacts(launch)), nanoseconds);
        // Launches with other facts may deserve a specialisation of their own.
        self->setTrigger(launch.kernel, nanoseconds + more, more);
      });
}

void Specialisations::addLater(uint32_t kernel, const abi::LaunchFacts& facts,
                               uint64_t nanoseconds) {
  Process::current().specialisations().post(
      [specialisations = weak_from_this(), kernel, facts, nanoseconds] {
        // The program may be gone by now.
        if (const std::shared_ptr<Specialisations> self = specialisations.lock())
          self->addAndSay(kernel, facts, nanoseconds);
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
    if (!facts.constants.empty() && !choice.isMade(facts))
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
  const Result<Ref<device::Executable>> found = add(kernel, facts, 0, /*onlyCached=*/true);
  if (!found.ok() || !found.value())
    return false;
  scope.setDetail(sentence(description(kernel).name, device::describe(facts)));
  log::info(sentence("the kernel '", description(kernel).name, "' has code from the cache",
                     device::describe(facts)));
  return true;
}

Result<Ref<device::Executable>> Specialisations::add(uint32_t kernel, const abi::LaunchFacts& facts,
                                                     uint32_t width, bool onlyCached) {
  const compiler::Options options = {.onlyKernel = description(kernel).name, .facts = facts};
  const compiler::Target target = withPackets(device_->caps().target, width);
  const CompileSteps steps(options, binary_->options, target);
  const auto start = std::chrono::steady_clock::now();
  QUERN_ASSIGN(const BuildOutcome outcome,
               onlyCached ? steps.findGenerated(*binary_) : steps.generate(*binary_));
  if (!outcome.binary) {
    if (onlyCached)
      return Ref<device::Executable>();
    return Status::error(CL_BUILD_PROGRAM_FAILURE, outcome.log);
  }
  const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - start;
  QUERN_ASSIGN(Ref<device::Executable> better, device_->load(outcome.binary->image));
  if (width == 0) {
    const abi::KernelDescription& made = outcome.binary->image.kernels.front();
    const std::vector<uint32_t>& widths = made.comparedWidths;
    if (!widths.empty())
      noteAlternatives({kernel,
                        facts,
                        WidthSearch(widths, made.likelyWidths),
                        std::max(leastBeforeAlternative,
                                 compilesBeforeAlternative * static_cast<uint64_t>(took.count())),
                        {{widths.front(), better}}});
  }
  QUERN_TRY(executable_->addSpecialisation(
      kernel, better,
      specialisationsAreWantedNow() ? device::Adoption::AtOnce : device::Adoption::UnlessSlower));
  if (width == 0)
    choices_[kernel].noteMade(facts);
  return better;
}

void Specialisations::noteAlternatives(Alternatives alternatives) {
  if (specialisationsAreWantedNow())
    return;
  awaitAlternative(alternatives_.with([&](auto& all) {
    all.push_back(std::move(alternatives));
    return all.size() - 1;
  }));
}

uint64_t Specialisations::Alternatives::wait(uint32_t running) const {
  return search.isNextUnlikely(running) ? longerBeforeUnlikely * nanoseconds : nanoseconds;
}

void Specialisations::awaitAlternative(size_t index) {
  const Alternatives alternatives = alternatives_.with([&](auto& all) { return all[index]; });
  // The fastest runs, whichever that is.
  for (const auto& [width, code] : alternatives.versions)
    code->setHotnessTrigger(
        0, alternatives.wait(width),
        [specialisations = weak_from_this(), index, running = width,
         asked = alternatives.search.asked().size()](const device::LaunchKernel&) {
          Process::current().specialisations().post([specialisations, index, running, asked] {
            if (const std::shared_ptr<Specialisations> self = specialisations.lock())
              self->addAlternative(index, running, asked);
          });
        });
}

void Specialisations::noteTimeOfBaseline(uint32_t kernel, const abi::LaunchFacts& facts,
                                         uint64_t nanoseconds) {
  struct Next {
    size_t index;
    std::vector<uint32_t> asked;
  };
  const auto next = alternatives_.with([&](auto& all) -> std::optional<Next> {
    auto found = all.end();
    for (auto each = all.begin(); each != all.end(); ++each)
      if (each->kernel == kernel && device::hold(each->facts, facts) &&
          (found == all.end() || device::areMore(each->facts, found->facts)))
        found = each;
    if (found == all.end())
      return std::nullopt;
    found->ofBaseline += nanoseconds;
    const std::vector<uint32_t>& asked = found->search.asked();
    if (found->ofBaseline < found->wait(asked.front()))
      return std::nullopt;
    return Next{static_cast<size_t>(found - all.begin()), asked};
  });
  if (next)
    addAlternative(next->index, next->asked.front(), next->asked.size());
}

void Specialisations::addAlternative(size_t index, uint32_t running, size_t asked) {
  uint32_t width = 0;
  const Alternatives alternatives = alternatives_.with([&](auto& all) {
    if (all[index].search.asked().size() == asked)
      width = all[index].search.next(running);
    if (width != 0)
      all[index].ofBaseline = 0;
    return all[index];
  });
  if (width == 0)
    return;
  const std::string what =
      sentence(width == 1 ? std::string("without packets") : sentence("in packets of ", width),
               device::describe(alternatives.facts));
  const std::string& name = description(alternatives.kernel).name;
  const trace::Scope scope("variant", "make a variant",
                           trace::isOn() ? sentence(name, " ", what) : std::string());
  Result<Ref<device::Executable>> version =
      add(alternatives.kernel, alternatives.facts, width, /*onlyCached=*/false);
  if (!version.ok()) {
    log::warning(sentence("the kernel '", name, "' cannot be measured ", what, ": ",
                          version.status().sentence()));
    return;
  }
  log::info(sentence("the kernel '", name, "' is measured ", what));
  alternatives_.with(
      [&](auto& all) { all[index].versions.push_back({width, std::move(version.value())}); });
  awaitAlternative(index);
}

void Specialisations::addAndSay(uint32_t kernel, const abi::LaunchFacts& wanted,
                                uint64_t nanoseconds) {
  if (choices_[kernel].isMade(wanted))
    return noteTimeOfBaseline(kernel, wanted, nanoseconds);
  const abi::LaunchFacts facts = choices_[kernel].within(wanted);
  const std::string& name = description(kernel).name;
  const trace::Scope scope("variant", "make a variant",
                           trace::isOn() ? sentence(name, device::describe(facts)) : std::string());
  const Result<Ref<device::Executable>> added = add(kernel, facts, 0, /*onlyCached=*/false);
  if (added.ok())
    log::info(sentence("the kernel '", name, "' has been compiled again", device::describe(facts)));
  else
    log::warning(sentence("the kernel '", name,
                          "' goes on with its baseline code:", " compiling it again",
                          device::describe(facts), " failed: ", added.status().sentence()));
}

} // namespace quern::runtime
