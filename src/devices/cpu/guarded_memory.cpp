#include "devices/cpu/guarded_memory.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <set>
#include <span>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

#include "base/config.h"
#include "base/mutex_protected.h"
#include "base/pages.h"
#include "base/round_up.h"
#include "base/sentence.h"
#include "devices/cpu/known_memory.h"

namespace quern::cpu {

namespace {

constexpr std::byte untouched{0xfb};

class GuardedAllocation;
/// Never destroyed: memory may be freed while the process exits.
MutexProtected<std::set<GuardedAllocation*>>& guarded() {
  static auto* const instance = new MutexProtected<std::set<GuardedAllocation*>>();
  return *instance;
}

/// Ends as close to the page behind it as its alignment allows.
class GuardedAllocation final : public device::Allocation {
public:
  GuardedAllocation(std::span<std::byte> pages, std::byte* data, uint64_t bytes, Ledger& ledger)
      : Allocation(data, bytes), pages_(pages), ledger_(ledger) {
    std::ranges::fill(before(), untouched);
    std::ranges::fill(behind(), untouched);
    KnownMemory::get().add(address(), bytes);
    guarded().lock()->insert(this);
  }
  ~GuardedAllocation() override {
    guarded().lock()->erase(this);
    check("a command");
    KnownMemory::get().remove(address());
    munmap(pages_.data() - pageBytes, pages_.size() + 2 * pageBytes);
    ledger_.giveBack(bytes());
  }

  void check(std::string_view kernel) {
    const std::span<std::byte> zones[] = {before(), behind()};
    for (const std::span<std::byte> zone : zones) {
      const auto changed = std::ranges::find_if(zone, [](std::byte b) { return b != untouched; });
      if (changed == zone.end())
        continue;
      const std::string line =
          sentence("quern: error: ", kernel, " wrote ",
                   KnownMemory::get().describe(reinterpret_cast<uint64_t>(&*changed)), "\n");
      [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
      std::ranges::fill(zone, untouched);
    }
  }

private:
  std::span<std::byte> before() const {
    return pages_.first(static_cast<size_t>(hostPointer() - pages_.data()));
  }
  std::span<std::byte> behind() const {
    return pages_.subspan(static_cast<size_t>(hostPointer() + bytes() - pages_.data()));
  }

  const std::span<std::byte> pages_; ///< between the two that fault
  Ledger& ledger_;
};

} // namespace

bool guardsMemory() {
  static const bool isOn = config().isOn(Option::Guard);
  return isOn;
}

Result<Ref<device::Allocation>> allocateGuarded(uint64_t bytes, Ledger& ledger) {
  const uint64_t inside = roundUp(bytes, pageBytes);
  void* const all =
      mmap(nullptr, inside + 2 * pageBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  auto* const first = static_cast<std::byte*>(all) + pageBytes;
  if (all != MAP_FAILED && mprotect(first, inside, PROT_READ | PROT_WRITE) == 0)
    return Ref<device::Allocation>(makeRef<GuardedAllocation>(
        std::span(first, inside), first + inside - roundUp(bytes, allocationAlignment), bytes,
        ledger));
  const int error = errno;
  if (all != MAP_FAILED)
    munmap(all, inside + 2 * pageBytes);
  ledger.giveBack(bytes);
  return Status::error(
      CL_MEM_OBJECT_ALLOCATION_FAILURE,
      sentence("the system has no memory for a guarded allocation of ", bytes, " bytes"), error);
}

void checkGuards(std::string_view kernel) {
  if (!guardsMemory())
    return;
  const std::string name = sentence("the kernel '", kernel, "', or another that ran with it,");
  auto all = guarded().lock();
  for (GuardedAllocation* allocation : *all)
    allocation->check(name);
}

} // namespace quern::cpu
