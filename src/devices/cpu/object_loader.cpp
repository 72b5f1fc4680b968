#include "devices/cpu/object_loader.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <sys/mman.h>

#include "base/pages.h"
#include "base/round_up.h"
#include "devices/cpu/elf_object.h"
#include "devices/cpu/host_symbols.h"
#include "devices/cpu/perf_map.h"
#include "devices/cpu/relocation.h"

namespace quern::cpu {

namespace {

/// Everything must lie within reach of a signed 32-bit displacement.
constexpr uint64_t maxImageBytes = uint64_t(1) << 30;
/// A far jump to a host function: jmp *[rip + slot], padded to keep stubs aligned.
constexpr uint64_t stubBytes = 8;
constexpr uint64_t gotSlotBytes = 8;

/// Parts of the image by what may be done with them; each starts on a page.
enum Segment { Code, Constants, Variables, SegmentCount };

constexpr std::array<int, SegmentCount> protections = {PROT_READ | PROT_EXEC, PROT_READ,
                                                       PROT_READ | PROT_WRITE};

Segment segmentOf(const Elf64_Shdr& section) {
  if (section.sh_flags & SHF_EXECINSTR)
    return Code;
  return section.sh_flags & SHF_WRITE ? Variables : Constants;
}

/// A place in the image before its address is known.
struct Spot {
  Segment segment = Code;
  uint64_t offset = 0;
  bool loaded = false;
};

} // namespace

/// Lays an object out, maps it, resolves its symbols and relocates it. Used once.
class ObjectLoader {
public:
  ObjectLoader(const ElfObject& object, std::span<const std::byte> bytes)
      : object_(object), bytes_(bytes) {}

  Result<LoadedObject> run() {
    QUERN_TRY(layOut());
    QUERN_TRY(map());
    QUERN_TRY(resolveSymbols());
    QUERN_TRY(relocate());
    QUERN_TRY(protect());
    exportFunctions();
    registerWithDebugger();
    return std::move(loaded_);
  }

private:
  Result<Spot> reserve(Segment segment, uint64_t bytes, uint64_t alignment) {
    if (alignment > pageBytes || (alignment & (alignment - 1)) != 0)
      return invalidCode("an alignment of " + std::to_string(alignment) + " is not supported");
    if (bytes > maxImageBytes)
      return invalidCode("a section of " + std::to_string(bytes) +
                         " bytes is too large: the limit is " + std::to_string(maxImageBytes));
    uint64_t& end = segmentBytes_[segment];
    const Spot spot = {segment, roundUp(end, std::max<uint64_t>(alignment, 1)), true};
    end = spot.offset + bytes;
    if (end > maxImageBytes)
      return invalidCode("it is larger than " + std::to_string(maxImageBytes) + " bytes");
    return spot;
  }

  Status layOut() {
    sectionSpots_.resize(object_.sections().size());
    for (size_t i = 0; i < sectionSpots_.size(); ++i) {
      const Elf64_Shdr& section = object_.sections()[i];
      if (!(section.sh_flags & SHF_ALLOC))
        continue;
      if (section.sh_flags & SHF_TLS)
        return invalidCode("it has thread-local variables");
      if (section.sh_type == SHT_INIT_ARRAY || section.sh_type == SHT_FINI_ARRAY)
        return invalidCode("it has constructors or destructors");
      QUERN_ASSIGN(sectionSpots_[i],
                   reserve(segmentOf(section), section.sh_size, section.sh_addralign));
    }
    return layOutSymbols();
  }

  /// Reserves what symbols need beside the sections: common variables, a slot of the global offset
  /// table, a stub.
  Status layOutSymbols() {
    const size_t count = object_.symbols().size();
    std::vector<bool> inGot(count, false);
    for (size_t i = 0; i < object_.sections().size(); ++i)
      if (isLoadedRelocationTable(i))
        for (const Elf64_Rela& relocation : object_.relocations(i))
          if (needsGotSlot(ELF64_R_TYPE(relocation.r_info)) &&
              ELF64_R_SYM(relocation.r_info) < count)
            inGot[ELF64_R_SYM(relocation.r_info)] = true;
    QUERN_ASSIGN(got_, reserve(Constants, 0, gotSlotBytes));
    gotSlots_.resize(count);
    stubs_.resize(count);
    commons_.resize(count);
    for (size_t i = 1; i < count; ++i) {
      const Elf64_Sym& symbol = object_.symbols()[i];
      const bool external = symbol.st_shndx == SHN_UNDEF;
      if (symbol.st_shndx == SHN_COMMON) {
        QUERN_ASSIGN(commons_[i], reserve(Variables, symbol.st_size, symbol.st_value));
      }
      if (external || inGot[i]) {
        QUERN_ASSIGN(gotSlots_[i], reserve(Constants, gotSlotBytes, gotSlotBytes));
      }
      if (external) {
        QUERN_ASSIGN(stubs_[i], reserve(Code, stubBytes, stubBytes));
      }
    }
    return {};
  }

  Status map() {
    for (int i = 0; i < SegmentCount; ++i) {
      segmentStart_[i] = loaded_.bytes_;
      loaded_.bytes_ += roundUp(segmentBytes_[i], pageBytes);
    }
    // A program without kernels may have no contents; its symbols have addresses all the same.
    loaded_.bytes_ = std::max(loaded_.bytes_, pageBytes);
    void* const base =
        mmap(nullptr, loaded_.bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED)
      return Status::error(CL_OUT_OF_HOST_MEMORY, "there is no memory for " +
                                                      std::to_string(loaded_.bytes_) +
                                                      " bytes of machine code");
    loaded_.base_ = static_cast<std::byte*>(base);
    for (size_t i = 0; i < sectionSpots_.size(); ++i) {
      const std::span<const std::byte> contents = object_.contents(i);
      if (sectionSpots_[i].loaded && !contents.empty())
        std::memcpy(at(sectionSpots_[i]), contents.data(), contents.size());
    }
    return {};
  }

  std::byte* at(const Spot& spot) const {
    return loaded_.base_ + segmentStart_[spot.segment] + spot.offset;
  }
  uint64_t addressOf(const Spot& spot) const { return reinterpret_cast<uint64_t>(at(spot)); }

  bool isLoadedRelocationTable(size_t section) const {
    const Elf64_Shdr& header = object_.sections()[section];
    return header.sh_type == SHT_RELA && sectionSpots_[header.sh_info].loaded;
  }

  Status resolveSymbols() {
    addresses_.resize(object_.symbols().size());
    known_.resize(addresses_.size());
    for (size_t i = 1; i < addresses_.size(); ++i) {
      QUERN_TRY(resolve(i));
      if (gotSlots_[i].loaded)
        std::memcpy(at(gotSlots_[i]), &addresses_[i], sizeof(uint64_t));
      if (stubs_[i].loaded)
        writeStub(i);
    }
    return {};
  }

  Status resolve(size_t index) {
    const Elf64_Sym& symbol = object_.symbols()[index];
    known_[index] = true;
    switch (symbol.st_shndx) {
    case SHN_UNDEF:
      return resolveExternal(index);
    case SHN_ABS:
      addresses_[index] = symbol.st_value;
      return {};
    case SHN_COMMON:
      addresses_[index] = addressOf(commons_[index]);
      return {};
    }
    if (symbol.st_shndx >= sectionSpots_.size())
      return invalidCode("a symbol lies in a section that does not exist");
    const Spot& section = sectionSpots_[symbol.st_shndx];
    known_[index] = section.loaded; // others belong to debug information
    if (!section.loaded)
      return {};
    if (symbol.st_value > object_.sections()[symbol.st_shndx].sh_size)
      return invalidCode("a symbol lies outside its section");
    addresses_[index] = addressOf(section) + symbol.st_value;
    return {};
  }

  Status resolveExternal(size_t index) {
    const Elf64_Sym& symbol = object_.symbols()[index];
    const std::string_view name = object_.symbolName(symbol);
    addresses_[index] = name == "_GLOBAL_OFFSET_TABLE_" ? addressOf(got_) : hostSymbol(name);
    if (addresses_[index] == 0 && ELF64_ST_BIND(symbol.st_info) != STB_WEAK)
      return invalidCode("it refers to the symbol '" + std::string(name) +
                         "', which does not exist");
    return {};
  }

  void writeStub(size_t index) {
    const uint64_t next = addressOf(stubs_[index]) + 6;
    const auto displacement = static_cast<int32_t>(addressOf(gotSlots_[index]) - next);
    std::byte code[stubBytes] = {std::byte(0xff), std::byte(0x25), {}, {}, {}, {},
                                 std::byte(0xcc), std::byte(0xcc)};
    std::memcpy(code + 2, &displacement, sizeof(displacement));
    std::memcpy(at(stubs_[index]), code, stubBytes);
  }

  Status relocate() {
    for (size_t i = 0; i < object_.sections().size(); ++i) {
      if (object_.sections()[i].sh_type == SHT_REL &&
          object_.sections()[i].sh_info < sectionSpots_.size() &&
          sectionSpots_[object_.sections()[i].sh_info].loaded)
        return invalidCode("it has relocations without addends");
      if (isLoadedRelocationTable(i))
        QUERN_TRY(relocateSection(i));
    }
    return {};
  }

  Status relocateSection(size_t table) {
    const size_t target = object_.sections()[table].sh_info;
    const Elf64_Shdr& section = object_.sections()[target];
    for (const Elf64_Rela& relocation : object_.relocations(table)) {
      const size_t index = ELF64_R_SYM(relocation.r_info);
      if (relocation.r_offset >= section.sh_size)
        return invalidCode("a relocation lies outside its section");
      if (index != 0 && !known_[index])
        return invalidCode("a relocation refers to a section that is not loaded");
      std::byte* const field = at(sectionSpots_[target]) + relocation.r_offset;
      const RelocationValues values = valuesFor(index, relocation.r_addend, field);
      QUERN_TRY(applyRelocation(ELF64_R_TYPE(relocation.r_info), values, field,
                                section.sh_size - relocation.r_offset));
    }
    return {};
  }

  RelocationValues valuesFor(size_t symbol, int64_t addend, const std::byte* field) const {
    RelocationValues values;
    values.addend = addend;
    values.place = reinterpret_cast<uint64_t>(field);
    values.got = addressOf(got_);
    if (symbol == 0)
      return values;
    values.symbol = addresses_[symbol];
    // The table itself is near although it is undefined; a missing weak function is a call to
    // nowhere that is not made.
    const bool isTable = values.symbol == values.got;
    values.branch = stubs_[symbol].loaded && !isTable ? addressOf(stubs_[symbol]) : values.symbol;
    values.gotSlot = gotSlots_[symbol].loaded ? addressOf(gotSlots_[symbol]) : 0;
    return values;
  }

  Status protect() {
    for (int i = 0; i < SegmentCount; ++i) {
      const uint64_t bytes = roundUp(segmentBytes_[i], pageBytes);
      if (bytes > 0 && mprotect(loaded_.base_ + segmentStart_[i], bytes, protections[i]) != 0)
        return Status::error(CL_OUT_OF_RESOURCES,
                             "the system does not let the process make memory executable", errno);
    }
    return {};
  }

  void exportFunctions() {
    for (size_t i = 1; i < addresses_.size(); ++i) {
      const Elf64_Sym& symbol = object_.symbols()[i];
      const bool inCode = symbol.st_shndx != SHN_UNDEF && symbol.st_shndx < sectionSpots_.size() &&
                          sectionSpots_[symbol.st_shndx].loaded &&
                          sectionSpots_[symbol.st_shndx].segment == Code;
      if (!inCode || ELF64_ST_TYPE(symbol.st_info) != STT_FUNC)
        continue;
      nameForPerf(addresses_[i], symbol.st_size, object_.symbolName(symbol));
      loaded_.functions_.push_back({std::string(object_.symbolName(symbol)),
                                    reinterpret_cast<const std::byte*>(addresses_[i])});
    }
    std::sort(loaded_.functions_.begin(), loaded_.functions_.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
  }

  void registerWithDebugger() {
    std::vector<SectionAddress> sections;
    bool hasDebugInfo = false;
    for (size_t i = 0; i < sectionSpots_.size(); ++i) {
      if (sectionSpots_[i].loaded)
        sections.push_back({i, addressOf(sectionSpots_[i])});
      hasDebugInfo |= object_.sectionName(i) == ".debug_info";
    }
    if (hasDebugInfo || namesFunctions())
      loaded_.debugger_ = GdbRegistration::add(bytes_, sections);
  }

  const ElfObject& object_;
  const std::span<const std::byte> bytes_;
  std::array<uint64_t, SegmentCount> segmentBytes_ = {};
  std::array<uint64_t, SegmentCount> segmentStart_ = {};
  std::vector<Spot> sectionSpots_;
  Spot got_;
  // By symbol index.
  std::vector<Spot> gotSlots_, stubs_, commons_;
  std::vector<uint64_t> addresses_;
  std::vector<bool> known_;
  LoadedObject loaded_;
};

Result<LoadedObject> LoadedObject::load(std::span<const std::byte> bytes) {
  QUERN_ASSIGN(const ElfObject object, ElfObject::parse(bytes));
  return ObjectLoader(object, bytes).run();
}

LoadedObject::LoadedObject(LoadedObject&& other) noexcept
    : base_(std::exchange(other.base_, nullptr)), bytes_(std::exchange(other.bytes_, 0)),
      functions_(std::move(other.functions_)), debugger_(std::move(other.debugger_)) {}

LoadedObject::~LoadedObject() {
  debugger_ = {}; // before its code is gone
  if (base_)
    munmap(base_, bytes_);
}

const std::byte* LoadedObject::function(std::string_view name) const {
  const auto found = std::lower_bound(
      functions_.begin(), functions_.end(), name,
      [](const Function& function, std::string_view key) { return function.name < key; });
  return found != functions_.end() && found->name == name ? found->address : nullptr;
}

} // namespace quern::cpu
