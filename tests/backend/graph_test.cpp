// Work that is given once and run many times (device/graph.h), on every backend alike.
#include <mutex>
#include <random>
#include <thread>

#include "backend_test.h"

namespace quern::test {
namespace {

/// Cells of one allocation, between which a graph copies, and which it fills. Each piece of work
/// starts after the earlier ones that touch what it touches, and only after these.
class Cells {
public:
  Cells(device::Allocation& memory, size_t count) : memory_(memory), count_(count) {}

  /// Makes random work, `count` pieces of it.
  void makeWork(size_t count, uint32_t seed) {
    std::minstd_rand random(seed);
    for (size_t i = 0; i < count; ++i) {
      const size_t from = random() % count_, to = random() % count_;
      add(from, to, static_cast<uint8_t>(random()));
    }
  }
  /// Lets fills write other values.
  void change(uint8_t by) {
    for (Piece& piece : pieces_)
      if (auto* const fill = std::get_if<device::Fill>(piece.work.get())) {
        auto changed = std::make_unique<device::Work>(*fill);
        std::get<device::Fill>(*changed).pattern[0] = std::byte(piece.value += by);
        retired_.push_back(std::exchange(piece.work, std::move(changed)));
      }
  }

  std::vector<device::Graph::Node> nodes() const {
    std::vector<device::Graph::Node> nodes;
    for (const Piece& piece : pieces_)
      nodes.push_back({piece.work.get(), nullptr});
    return nodes;
  }
  std::shared_ptr<const device::GraphOrder> order() const {
    return std::make_shared<const device::GraphOrder>(order_);
  }

  /// What a run makes of what the cells hold.
  void run(std::vector<uint8_t>& values) const {
    for (const Piece& piece : pieces_)
      values[piece.to] = piece.isCopy ? values[piece.from] : piece.value;
  }
  uint64_t bytesOfCell() const { return memory_.bytes() / count_; }

private:
  struct Piece {
    size_t from, to;
    bool isCopy;
    uint8_t value;
    std::unique_ptr<device::Work> work;
  };

  device::Place place(size_t cell) const {
    return {.allocation = &memory_, .offset = cell * bytesOfCell()};
  }
  void add(size_t from, size_t to, uint8_t value) {
    const bool isCopy = from != to;
    auto work = std::make_unique<device::Work>();
    if (isCopy)
      *work = device::Copy{.source = place(from), .destination = place(to), .bytes = bytesOfCell()};
    else
      *work = device::Fill{.destination = place(to),
                           .pattern = {std::byte(value)},
                           .patternBytes = 1,
                           .bytes = bytesOfCell()};
    std::vector<uint32_t> after;
    for (uint32_t i = 0; i < pieces_.size(); ++i) {
      const Piece& earlier = pieces_[i];
      if (earlier.to == from || earlier.to == to || (earlier.isCopy && earlier.from == to))
        after.push_back(i);
    }
    order_.push_back(std::move(after));
    pieces_.push_back({from, to, isCopy, value, std::move(work)});
  }

  device::Allocation& memory_;
  const size_t count_;
  std::vector<Piece> pieces_;
  std::vector<std::unique_ptr<device::Work>> retired_;
  device::GraphOrder order_;
};

template <typename Backend> class GraphTest : public DeviceTest {
protected:
  GraphTest() : DeviceTest(Backend::enumerate) {}

  Ref<device::Graph> make(const Cells& cells, std::shared_ptr<const device::GraphOrder> order,
                          const device::Graph* earlier = nullptr) {
    auto graph = device->createGraph(cells.nodes(), std::move(order), earlier);
    EXPECT_TRUE(graph.ok()) << graph.status().sentence();
    return *graph;
  }
  /// The first and the last byte of each cell.
  void expectCells(const Ref<device::Allocation>& memory, const std::vector<uint8_t>& expected,
                   uint64_t bytesOfCell) {
    const auto bytes = values<uint8_t>(memory);
    for (size_t cell = 0; cell < expected.size(); ++cell) {
      ASSERT_EQ(expected[cell], bytes[cell * bytesOfCell]) << cell;
      ASSERT_EQ(expected[cell], bytes[(cell + 1) * bytesOfCell - 1]) << cell;
    }
  }
};

TYPED_TEST_SUITE(GraphTest, Backends);

TYPED_TEST(GraphTest, RunsInItsOrderAgainAndAgain) {
  // Small cells, which one thread does alone, and such that several share.
  for (const uint64_t bytes : {16u, 1u << 20}) {
    const auto memory = this->allocate(16 * bytes);
    Cells cells(*memory, 16);
    ASSERT_EQ(CL_COMPLETE, this->run(device::Fill{.destination = {.allocation = memory.get()},
                                                  .bytes = memory->bytes()}));
    cells.makeWork(bytes == 16 ? 500 : 60, 7);
    const auto graph = this->make(cells, cells.order());
    std::vector<uint8_t> expected(16, 0);
    for (int round = 0; round < 40; ++round) {
      ASSERT_EQ(CL_COMPLETE, this->run(device::RunGraph{graph}));
      cells.run(expected);
      this->expectCells(memory, expected, bytes);
    }
  }
}

TYPED_TEST(GraphTest, ALaterGraphDoesOtherWorkAndTheEarlierOneStillItsOwn) {
  const auto memory = this->allocate(8 * 64);
  Cells cells(*memory, 8);
  ASSERT_EQ(CL_COMPLETE, this->run(device::Fill{.destination = {.allocation = memory.get()},
                                                .bytes = memory->bytes()}));
  cells.makeWork(100, 3);
  const auto order = cells.order();
  const auto first = this->make(cells, order);
  Cells firstCells(*memory, 8);
  firstCells.makeWork(100, 3);
  Ref<device::Graph> latest = first;
  std::vector<uint8_t> expected(8, 0);
  for (int round = 0; round < 10; ++round) {
    cells.change(1);
    latest = this->make(cells, order, latest.get());
    ASSERT_EQ(CL_COMPLETE, this->run(device::RunGraph{latest}));
    cells.run(expected);
    this->expectCells(memory, expected, 64);
    ASSERT_EQ(CL_COMPLETE, this->run(device::RunGraph{first}));
    firstCells.run(expected);
    this->expectCells(memory, expected, 64);
  }
}

TYPED_TEST(GraphTest, AnEmptyOneEnds) {
  const auto graph =
      this->device->createGraph({}, std::make_shared<const device::GraphOrder>(), nullptr);
  ASSERT_TRUE(graph.ok());
  EXPECT_EQ(CL_COMPLETE, this->run(device::RunGraph{graph.value()}));
}

// At once only what writes to no shared memory, or by atomics: CommandBufferStress has such
// kernels.
TYPED_TEST(GraphTest, SeveralThreadsMayRunOneInTurn) {
  const auto memory = this->allocate(64 * 4096);
  std::vector<device::Work> work;
  std::vector<device::Graph::Node> nodes;
  for (uint64_t cell = 0; cell < 64; ++cell)
    work.push_back(device::Fill{.destination = {.allocation = memory.get(), .offset = cell * 4096},
                                .pattern = {std::byte(cell)},
                                .patternBytes = 1,
                                .bytes = 4096});
  for (const device::Work& one : work)
    nodes.push_back({&one, nullptr});
  const auto graph = this->device->createGraph(
      nodes, std::make_shared<const device::GraphOrder>(work.size()), nullptr);
  ASSERT_TRUE(graph.ok());
  std::mutex turn;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        const std::scoped_lock lock(turn);
        EXPECT_EQ(CL_COMPLETE, this->run(device::RunGraph{graph.value()}));
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  const auto bytes = this->template values<uint8_t>(memory);
  for (size_t i = 0; i < bytes.size(); ++i)
    ASSERT_EQ(i / 4096, bytes[i]);
}

} // namespace
} // namespace quern::test
