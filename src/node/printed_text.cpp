#include "node/printed_text.h"

#include <utility>

namespace quern::node {

void PrintedText::replaceStandardOutput() {
  std::fflush(stdout);
  stdout = fopencookie(this, "w", {.write = write});
}

ssize_t PrintedText::write(void* self, const char* text, size_t bytes) {
  auto& own = *static_cast<PrintedText*>(self);
  own.text_.lock()->append(text, bytes);
  own.hasText_.store(true, std::memory_order_release);
  return static_cast<ssize_t>(bytes);
}

std::string PrintedText::take() {
  if (!hasText_.load(std::memory_order_acquire))
    return {};
  auto text = text_.lock();
  hasText_.store(false, std::memory_order_relaxed);
  return std::exchange(*text, {});
}

} // namespace quern::node
