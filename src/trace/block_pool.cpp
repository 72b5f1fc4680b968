#include "trace/block_pool.h"

#include <new>
#include <utility>

#include <sys/mman.h>

namespace quern::trace {

namespace {

constexpr size_t mostBytes = 128 << 20, mostBlocks = mostBytes / Block::size;
constexpr size_t hugePage = 2 << 20;

} // namespace

static_assert(sizeof(Block) == Block::size);

BlockPool::BlockPool() {
  void* const start = mmap(nullptr, mostBytes + hugePage, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED)
    return;
  const auto aligned = (reinterpret_cast<uintptr_t>(start) + hugePage - 1) & ~(hugePage - 1);
  auto* const first = reinterpret_cast<Block*>(aligned);
  madvise(first, mostBytes, MADV_HUGEPAGE);
  *memory_.lock() = {.next = first, .end = first + mostBlocks};
}

Block* BlockPool::take() {
  return memory_.with([](Memory& memory) -> Block* {
    if (memory.free)
      return std::exchange(memory.free, memory.free->next);
    return memory.next == memory.end ? nullptr : new (memory.next++) Block;
  });
}

Block* BlockPool::takeAnyway() {
  if (Block* const block = take())
    return block;
  void* const memory =
      mmap(nullptr, sizeof(Block), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  return new (memory) Block;
}

void BlockPool::giveBack(Block* block) {
  block->state.store(Block::State::Empty, std::memory_order_relaxed);
  memory_.with([&](Memory& memory) { block->next = std::exchange(memory.free, block); });
}

} // namespace quern::trace
