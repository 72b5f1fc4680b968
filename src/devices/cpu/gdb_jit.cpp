#include "devices/cpu/gdb_jit.h"

#include <cstring>
#include <elf.h>
#include <mutex>

// Names, layouts and values are the debugger's. The symbols are protected: gdb finds them in our
// symbol table, and another library's of the same name cannot take their place.
extern "C" {

enum JitAction : uint32_t { JitNoAction, JitRegister, JitUnregister };

struct JitCodeEntry {
  JitCodeEntry* next;
  JitCodeEntry* previous;
  const std::byte* object;
  uint64_t bytes;
};

struct JitDescriptor {
  uint32_t version;
  uint32_t action;
  JitCodeEntry* relevant;
  JitCodeEntry* first;
};

__attribute__((visibility("protected"), used)) JitDescriptor __jit_debug_descriptor = {
    1, JitNoAction, nullptr, nullptr};

/// The debugger stops here and reads the descriptor.
__attribute__((visibility("protected"), used, noinline)) void __jit_debug_register_code() {
  __asm__ volatile("" ::: "memory");
}
}

namespace quern::cpu {

namespace {

/// Guards the descriptor and the list that starts in it.
std::mutex descriptorMutex;

void tell(JitAction action, JitCodeEntry& entry) {
  __jit_debug_descriptor.action = action;
  __jit_debug_descriptor.relevant = &entry;
  __jit_debug_register_code();
  __jit_debug_descriptor.action = JitNoAction;
  __jit_debug_descriptor.relevant = nullptr;
}

} // namespace

struct GdbRegistration::Entry {
  Bytes object;
  JitCodeEntry node = {};

  explicit Entry(Bytes bytes) : object(std::move(bytes)) {
    node.object = object.data();
    node.bytes = object.size();
    std::lock_guard lock(descriptorMutex);
    node.next = __jit_debug_descriptor.first;
    if (node.next)
      node.next->previous = &node;
    __jit_debug_descriptor.first = &node;
    tell(JitRegister, node);
  }
  ~Entry() {
    std::lock_guard lock(descriptorMutex);
    if (node.next)
      node.next->previous = node.previous;
    (node.previous ? node.previous->next : __jit_debug_descriptor.first) = node.next;
    tell(JitUnregister, node);
  }
};

GdbRegistration::GdbRegistration() = default;
GdbRegistration::GdbRegistration(GdbRegistration&&) noexcept = default;
GdbRegistration& GdbRegistration::operator=(GdbRegistration&&) noexcept = default;
GdbRegistration::~GdbRegistration() = default;

GdbRegistration GdbRegistration::add(std::span<const std::byte> object,
                                     std::span<const SectionAddress> sections) {
  // gdb relocates the debug sections itself, from the addresses in the section table.
  Bytes copy(object.begin(), object.end());
  Elf64_Ehdr header;
  std::memcpy(&header, copy.data(), sizeof(header));
  for (const SectionAddress& section : sections)
    std::memcpy(copy.data() + header.e_shoff + section.section * sizeof(Elf64_Shdr) +
                    offsetof(Elf64_Shdr, sh_addr),
                &section.address, sizeof(section.address));
  GdbRegistration registration;
  registration.entry_ = std::make_unique<Entry>(std::move(copy));
  return registration;
}

} // namespace quern::cpu
