#include "runtime/object.h"

namespace quern::runtime {

namespace {
std::atomic<const void*> table{nullptr};
}

void setDispatchTable(const void* newTable) { table.store(newTable, std::memory_order_relaxed); }

const void* dispatchTable() { return table.load(std::memory_order_relaxed); }

} // namespace quern::runtime
