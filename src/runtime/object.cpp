#include "runtime/object.h"

namespace quern::runtime {

namespace {
std::atomic<const void*> table{nullptr};
std::atomic<void*> data{nullptr};
} // namespace

namespace detail {
std::atomic<uint32_t> processGeneration{0};
}

void setDispatchTable(const void* newTable) {
  table.store(newTable, std::memory_order_relaxed);
}

const void* dispatchTable() {
  return table.load(std::memory_order_relaxed);
}

void setLoaderData(void* newData) {
  data.store(newData, std::memory_order_relaxed);
}

void* loaderData() {
  return data.load(std::memory_order_relaxed);
}

} // namespace quern::runtime
