#include "devices/cpu/print_sink.h"

#include <cstdio>

#include "device/printf.h"

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
  std::string text;
  if (!device::formatPrintf({record, recordBytes}, text))
    return -1;
  auto pending = static_cast<PrintSink*>(sink)->text_.lock();
  pending->append(text);
  if (pending->size() >= writeThreshold) {
    writeOut(*pending);
    pending->clear();
  }
  return 0;
}

void PrintSink::flush() {
  auto pending = text_.lock();
  writeOut(*pending);
  pending->clear();
}

} // namespace quern::cpu
