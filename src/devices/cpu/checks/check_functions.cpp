#include "devices/cpu/checks/check_functions.h"

#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <optional>
#include <sys/mman.h>

#include "base/config.h"
#include "base/log.h"
#include "base/pages.h"
#include "devices/cpu/checks/configured_checks.h"
#include "devices/cpu/checks/fault_reports.h"
#include "devices/cpu/checks/group_progress.h"
#include "devices/cpu/faults.h"
#include "devices/cpu/known_memory.h"

namespace quern::cpu {

namespace {

std::atomic<uint32_t> lastSerial{0};

/// Of pages that are asked for at once: large ones first, so that what lies close together is found
/// by one question.
constexpr uint64_t blockBytes[] = {512 * pageBytes, 16 * pageBytes, pageBytes};

/// Mapped pages around `address`, as many as one of `blockBytes`; none where it is in no such page.
abi::MemoryExtent mappedAround(uint64_t address) {
  unsigned char areResident[blockBytes[0] / pageBytes];
  for (const uint64_t bytes : blockBytes) {
    const uint64_t begin = address / bytes * bytes;
    if (mincore(reinterpret_cast<void*>(begin), bytes, areResident) == 0)
      return {begin, bytes};
  }
  return {};
}

/// What the calling thread's launch has asked for lately: kernels follow pointers into the same
/// memory again and again. What is released meanwhile is none that the launch may use.
class RecentMemory {
public:
  static RecentMemory& ofThread() {
    // Not among the thread's own variables, of which a library that is loaded late has few.
    static thread_local const auto recent = std::make_unique<RecentMemory>();
    return *recent;
  }

  void clear() { *this = {}; }
  std::optional<abi::LookedUpMemory> find(uint64_t address) const {
    for (const abi::LookedUpMemory& memory : memories_)
      if (address - memory.first < memory.length)
        return memory;
    return std::nullopt;
  }
  void add(const abi::LookedUpMemory& memory) { memories_[next_++ % memories_.size()] = memory; }

private:
  std::array<abi::LookedUpMemory, 4> memories_ = {};
  size_t next_ = 0;
};

/// Of the memory of the calling thread's work-groups; empty ones where there are none.
std::array<abi::MemoryExtent, 3> partsOfThread() {
  const abi::GroupScratch* scratch = GroupProgress::ofThread().scratch();
  if (!scratch)
    return {};
  const auto extent = [](const std::byte* begin, uint64_t bytes) {
    return abi::MemoryExtent{reinterpret_cast<uint64_t>(begin), bytes};
  };
  return {extent(scratch->local, scratch->localBytes),
          extent(scratch->context, scratch->contextBytes),
          extent(scratch->stackLow, static_cast<uint64_t>(scratch->stackHigh - scratch->stackLow))};
}

/// Kernels may use all memory of the process (CL_DEVICE_SVM_FINE_GRAIN_SYSTEM), of whose parts
/// nobody knows the size. What was released may be such memory again. `address` lies in no other.
std::optional<abi::LookedUpMemory> memoryOfProcess(uint64_t address) {
  const abi::MemoryExtent pages = mappedAround(address);
  if (pages.bytes == 0)
    return std::nullopt;
  auto [first, end] = KnownMemory::get().gapAround(address);
  for (const abi::MemoryExtent& part : partsOfThread())
    if (part.begin > address)
      end = std::min(end, part.begin);
    else
      first = std::max(first, part.begin + part.bytes);
  first = std::max(first, pages.begin);
  end = std::min(end, pages.begin + pages.bytes);
  return abi::LookedUpMemory{first, end - first, 0, UINT64_MAX};
}

/// What memory has `address`. Parts lie next to each other, so that what has it comes before what
/// ends there.
abi::MemoryExtent extentAt(uint64_t address) {
  // Kernels look at many pointers that end a list.
  if (address < pageBytes)
    return {};
  RecentMemory& recent = RecentMemory::ofThread();
  const auto found = [](const abi::LookedUpMemory& memory) {
    GroupProgress::ofThread().noteLookedUp(memory);
    return abi::MemoryExtent{memory.begin, memory.bytes};
  };
  if (const auto memory = recent.find(address))
    return found(*memory);
  const auto known = KnownMemory::get().find(address);
  if (known && address - known->begin < known->bytes) {
    recent.add({known->begin, known->bytes, known->begin, known->bytes});
    return found({known->begin, known->bytes, known->begin, known->bytes});
  }
  const std::array<abi::MemoryExtent, 3> parts = partsOfThread();
  for (const abi::MemoryExtent& part : parts)
    if (address - part.begin < part.bytes)
      return part;
  if (known)
    return *known;
  for (const abi::MemoryExtent& part : parts)
    if (part.begin != 0 && address - part.begin == part.bytes)
      return part;
  const auto memory = memoryOfProcess(address);
  if (!memory)
    return {};
  recent.add(*memory);
  return found(*memory);
}

extern "C" void quernCheckFault(const abi::CheckedLaunchInfo* launch, const char* site,
                                uint64_t value0, uint64_t value1, uint64_t, uint64_t globalX,
                                uint64_t globalY, uint64_t globalZ) {
  const FaultFrame::Outside outside;
  FoundFault fault = {.values = {value0, value1}, .global = {globalX, globalY, globalZ}};
  if (launch)
    fault.local = localIdOf(launch->launch, fault.global);
  const auto* state = launch ? static_cast<const CheckedLaunch*>(launch->state) : nullptr;
  FaultReports::get().add(site, fault, state);
}

extern "C" void quernCheckAccess(const abi::CheckedLaunchInfo* launch, const char* site,
                                 uint64_t address, uint64_t value, uint64_t bits, uint64_t globalX,
                                 uint64_t globalY, uint64_t globalZ) {
  const FaultFrame::Outside outside;
  constexpr uint64_t kind = abi::checkedLocal | abi::checkedWrite | abi::checkedAtomic;
  if ((bits & kind) == abi::checkedLocal && value != 0 &&
      GroupProgress::isKnownRead(address, bits & UINT32_MAX, static_cast<uint32_t>(value)))
    return;
  if (!launch)
    return;
  GroupProgress& progress = GroupProgress::ofThread();
  progress.access(progress.itemOf(*launch, {globalX, globalY, globalZ}), site, address, value,
                  bits);
}

extern "C" void quernCheckBarrier(const abi::CheckedLaunchInfo* launch, const char* site,
                                  uint64_t value0, uint64_t value1, uint64_t meeting,
                                  uint64_t globalX, uint64_t globalY, uint64_t globalZ) {
  const FaultFrame::Outside outside;
  if (!launch)
    return;
  GroupProgress& progress = GroupProgress::ofThread();
  const WorkItem item = progress.itemOf(*launch, {globalX, globalY, globalZ});
  switch (static_cast<abi::CheckedMeeting>(meeting)) {
  case abi::CheckedMeeting::End:
    return progress.reachEnd(item, value1);
  case abi::CheckedMeeting::Barrier:
    return progress.reachBarrier(item, site, value0);
  case abi::CheckedMeeting::Copy:
    return progress.reachCopy(item, site, value0, value1);
  case abi::CheckedMeeting::Wait:
    return progress.reachWait(item, site, value0);
  }
}

extern "C" uint64_t quernCheckBegin(uint64_t address) {
  const FaultFrame::Outside outside;
  return extentAt(address).begin;
}

extern "C" uint64_t quernCheckBytes(uint64_t address) {
  const FaultFrame::Outside outside;
  return extentAt(address).bytes;
}

extern "C" void quernCheckWritten(uint64_t address, uint64_t bytes) {
  const FaultFrame::Outside outside;
  if (!GroupProgress::ofThread().noteWritten(address, bytes))
    KnownMemory::get().noteWritten(address, bytes);
}

} // namespace

abi::CheckSet configuredChecks() {
  static const abi::CheckSet checks = [] {
    const std::string& text = config().get(Option::Check);
    const std::optional<abi::CheckSet> parsed = abi::parseChecks(text);
    if (!parsed)
      log::error("QUERN_CHECK is '" + text +
                 "', which is none of off, all and a list of memory, races, uninitialised, "
                 "barriers, arithmetic and arguments: nothing is checked");
    return parsed.value_or(abi::CheckSet());
  }();
  return checks;
}

uint64_t checkFunction(std::string_view name) {
  if (name == abi::checkFaultSymbol)
    return reinterpret_cast<uint64_t>(&quernCheckFault);
  if (name == abi::checkAccessSymbol)
    return reinterpret_cast<uint64_t>(&quernCheckAccess);
  if (name == abi::checkBarrierSymbol)
    return reinterpret_cast<uint64_t>(&quernCheckBarrier);
  if (name == abi::checkBeginSymbol)
    return reinterpret_cast<uint64_t>(&quernCheckBegin);
  if (name == abi::checkWrittenSymbol)
    return reinterpret_cast<uint64_t>(&quernCheckWritten);
  if (name == abi::checkBytesSymbol)
    return reinterpret_cast<uint64_t>(&quernCheckBytes);
  return 0;
}

CheckedLaunch::CheckedLaunch(const device::LaunchKernel& launch,
                             const abi::KernelDescription& description)
    : launch(launch), description(description), serial(++lastSerial),
      extents(description.arguments.size()), written(description.arguments.size()) {
  readTold();
  for (size_t i = 0; i < extents.size(); ++i) {
    const abi::KernelArgument& argument = description.arguments[i];
    uint64_t value = 0;
    std::memcpy(&value, launch.arguments.data() + argument.offset,
                std::min<size_t>(sizeof(value), argument.bytes));
    if (argument.kind == abi::ArgumentKind::Local)
      extents[i].bytes = value;
    else if (argument.kind != abi::ArgumentKind::Global &&
             argument.kind != abi::ArgumentKind::Constant)
      continue;
    else if (told_.size() > i && told_[i].bytes != 0)
      extents[i] = told_[i];
    // A pointer, or what a kernel has enqueued: all that follows.
    else if (const abi::MemoryExtent known = extentAt(value); value != 0)
      extents[i] = {value, known.begin + known.bytes - value};
  }
  if (configuredChecks().has(abi::Check::Uninitialised))
    for (size_t i = 0; i < extents.size(); ++i)
      written[i] = KnownMemory::get().writtenAt(extents[i].begin);
  if (configuredChecks().has(abi::Check::Arguments))
    checkAliases();
}

/// What the runtime has told of the launch; of one that a kernel has enqueued, nothing.
void CheckedLaunch::readTold() {
  const uint64_t offset = abi::checkedArgumentsOffset(description.argumentBlockBytes);
  abi::CheckedArguments told;
  if (launch.arguments.size() < offset + sizeof(told))
    return;
  std::memcpy(&told, launch.arguments.data() + offset, sizeof(told));
  told_.resize(told.extentCount);
  std::memcpy(told_.data(), launch.arguments.data() + offset + sizeof(told),
              told.extentCount * sizeof(abi::MemoryExtent));
  report_ = told.report;
  receiver_ = told.receiver;
}

void CheckedLaunch::report(const std::string& sentence) const {
  if (report_)
    report_(receiver_, sentence);
}

namespace {

/// Local arguments have no addresses here, and memory of their own.
bool overlap(const abi::MemoryExtent& a, const abi::MemoryExtent& b) {
  return a.begin != 0 && b.begin != 0 && a.begin < b.begin + b.bytes && b.begin < a.begin + a.bytes;
}

} // namespace

uint64_t CheckedLaunch::overlaps() const {
  uint64_t bits = 0;
  for (size_t i = 0; i < extents.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (overlap(extents[i], extents[j]))
        bits |= (i < abi::overlapBits ? uint64_t{1} << i : 0) |
                (j < abi::overlapBits ? uint64_t{1} << j : 0);
  return bits;
}

uint64_t CheckedLaunch::argumentsThat(bool abi::MemoryExtent::* property) const {
  uint64_t bits = 0;
  for (size_t i = 0; i < std::min<size_t>(extents.size(), abi::overlapBits); ++i)
    bits |= extents[i].*property ? uint64_t{1} << i : 0;
  return bits;
}

void CheckedLaunch::checkAliases() const {
  for (size_t i = 0; i < extents.size(); ++i)
    for (size_t j = 0; j < extents.size(); ++j) {
      const abi::MemoryExtent &own = extents[i], &other = extents[j];
      const auto qualifiers = [&](size_t index) {
        return description.arguments[index].typeQualifier;
      };
      const bool mayAlias = (qualifiers(i) & CL_KERNEL_ARG_TYPE_RESTRICT) == 0 ||
                            (qualifiers(i) & qualifiers(j) & CL_KERNEL_ARG_TYPE_CONST) != 0;
      if (i == j || mayAlias || !overlap(own, other))
        continue;
      const abi::CheckSite site = {.fault = abi::Fault::Aliasing,
                                   .object = abi::ObjectKind::Argument,
                                   .argument = static_cast<uint32_t>(i),
                                   .name = description.arguments[i].name};
      FaultReports::get().add(abi::encode(site).c_str(),
                              {.values = {j, 0}, .other = description.arguments[j].name}, this);
    }
}

CheckedThread::CheckedThread(abi::CheckedScratch& scratch) {
  RecentMemory::ofThread().clear();
  GroupProgress::ofThread().use(&scratch);
}

CheckedThread::~CheckedThread() {
  GroupProgress::ofThread().use(nullptr);
}

} // namespace quern::cpu
