#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "base/mutex_protected.h"
#include "base/ref.h"
#include "base/result.h"
#include "device/device.h"
#include "runtime/program_binary.h"
#include "runtime/specialisation_choice.h"
#include "runtime/width_search.h"

namespace quern::runtime {

/// Better code for the kernels of a program that was compiled quickly at first
/// (compiler::Options::firstVersion). A kernel that has taken its share of time is compiled again,
/// for launches like those that took it, on a thread in the background; the device runs that code
/// from then on, where it is not slower (device::Executable::addSpecialisation). What an earlier
/// process made so is in the program cache and runs from the first launch on.
///
/// Where the compiler cannot tell which width of packets is best, a kernel that has run much longer
/// than it takes to compile is compiled for the others, too, and the device keeps the fastest.
///
/// Nothing here can fail a launch: without a specialisation the baseline code goes on running.
class Specialisations : public std::enable_shared_from_this<Specialisations> {
public:
  /// Whether programs are compiled quickly first (the option QUERN_VARIANTS).
  static bool areWanted();

  /// `binary`, loaded as `executable`, is an executable for `device`.
  Specialisations(Ref<device::Device> device, std::shared_ptr<const ProgramBinary> binary,
                  Ref<device::Executable> executable);
  /// Asks the device to say which kernels take long. Once, before the first launch.
  void start();

  /// Before `launch`, of the executable, is submitted. Looks for a specialisation in the cache the
  /// first time that a launch has these facts, and asks for one that relies on values of arguments
  /// when they have been the same in several launches of a kernel that is worth it; costs next to
  /// nothing later. Thread-safe.
  void prepare(const device::LaunchKernel& launch);

private:
  const abi::KernelDescription& description(uint32_t kernel) const {
    return binary_->image.kernels[kernel];
  }
  abi::LaunchFacts usefulFacts(const device::LaunchKernel& launch) const {
    return choices_[launch.kernel].usefulFacts(launch.facts, description(launch.kernel),
                                               streamBytes_);
  }
  /// Asks for a specialisation when the baseline code has taken so long, and for the next one when
  /// it has taken as long and `more` again.
  void setTrigger(uint32_t kernel, uint64_t nanoseconds, uint64_t more);
  /// addAndSay, in the background.
  void addLater(uint32_t kernel, const abi::LaunchFacts& facts, uint64_t nanoseconds = 0);
  /// Code for packets of `width` if it is not 0. Empty where there is none: in the cache, with
  /// `onlyCached`.
  Result<Ref<device::Executable>> add(uint32_t kernel, const abi::LaunchFacts& facts,
                                      uint32_t width, bool onlyCached);
  bool addFromCache(uint32_t kernel, const abi::LaunchFacts& facts);
  /// Where the baseline code has run such launches for so long.
  void addAndSay(uint32_t kernel, const abi::LaunchFacts& facts, uint64_t nanoseconds = 0);

  /// A specialisation, and versions of it in packets of other widths, for nobody can tell without
  /// measuring whether they are faster (abi::KernelDescription::comparedWidths).
  struct Alternatives {
    uint32_t kernel = 0;
    abi::LaunchFacts facts;
    WidthSearch search;
    uint64_t nanoseconds = 0; ///< that a version runs before the next likely one is made
    struct Version {
      uint32_t width = 0;
      Ref<device::Executable> code;
    };
    std::vector<Version> versions = {};
    uint64_t ofBaseline = 0; ///< nanoseconds of the baseline code since the last one was made

    /// Nanoseconds that the version in packets of `running` runs before the next one is made.
    uint64_t wait(uint32_t running) const;
  };
  void noteAlternatives(Alternatives alternatives);
  /// Asks for the next version of `alternatives_[index]` when one of those that there are has run
  /// long enough.
  void awaitAlternative(size_t index);
  /// The baseline code has run such launches for so long, though there is other code for them.
  /// Where it stays the faster one, its time counts for the next version.
  void noteTimeOfBaseline(uint32_t kernel, const abi::LaunchFacts& facts, uint64_t nanoseconds);
  /// Makes it, now that the one in packets of `running` has, unless more than `asked` have been
  /// asked for by now. The device compares it with the others.
  void addAlternative(size_t index, uint32_t running, size_t asked);

  const Ref<device::Device> device_;
  const std::shared_ptr<const ProgramBinary> binary_;
  const Ref<device::Executable> executable_;
  const uint64_t streamBytes_;
  std::vector<SpecialisationChoice> choices_; ///< one for each kernel
  MutexProtected<std::vector<Alternatives>> alternatives_;
};

} // namespace quern::runtime
