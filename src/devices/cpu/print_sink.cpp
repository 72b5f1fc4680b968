#include "devices/cpu/print_sink.h"

#include <cstdio>

#include "device/printf.h"
#include "devices/cpu/faults.h"

namespace quern::cpu {

namespace {

constexpr size_t writeThreshold = 64 << 10;

/// Through stdio, so that the output keeps its place among what the program itself prints.
void writeOut(const std::string& text) {
  if (text.empty())
    return;
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

} // namespace

int32_t PrintSink::print(void* sink, const std::byte* record, uint64_t recordBytes) {
  const FaultFrame::Outside outside;
  std::string text;
  if (!device::formatPrintf({record, recordBytes}, text))
    return -1;
  auto& own = *static_cast<PrintSink*>(sink);
  auto pending = own.text_.lock();
  own.hasText_.store(true, std::memory_order_relaxed);
  pending->append(text);
  if (pending->size() >= writeThreshold) {
    writeOut(*pending);
    pending->clear();
  }
  return 0;
}

void PrintSink::writeText() {
  auto pending = text_.lock();
  hasText_.store(false, std::memory_order_relaxed);
  writeOut(*pending);
  pending->clear();
}

} // namespace quern::cpu
