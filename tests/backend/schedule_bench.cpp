// Costs of the CPU device's scheduler, without the runtime: run by hand, compared from change to
// change.
#include <benchmark/benchmark.h>

#include "loaded_kernel.h"

namespace quern::test {
namespace {

/// The least that a command can be: no locks of its own.
class BareCommand : public device::Command {
public:
  void started(uint64_t) override {}
  void finished(cl_int, uint64_t) override {
    if (next)
      queue->submit(*next);
    done.store(true);
    done.notify_all();
  }
  std::atomic<bool> done = false;
  BareCommand* next = nullptr;
  device::Queue* queue = nullptr;
};

struct Setup {
  Setup() {
    abi::ProgramImage image;
    image.code = readObject("kernels.o");
    image.kernels = {describe("nothing", 0), describe("uneven", 12)};
    executable = *device->load(image);
  }
  device::LaunchKernel empty() const { return {executable, 0, {}, {}}; }

  Ref<device::Device> device = cpu::enumerate().at(0);
  Ref<device::Queue> queue = *device->createQueue({});
  Ref<device::Executable> executable;
};

void waitFor(Setup& setup, BareCommand& command) {
  while (!command.done && setup.device->help()) {
  }
  setup.queue->flush();
  command.done.wait(false);
}

void launchAndWait(benchmark::State& state) {
  Setup setup;
  for (auto _ : state) {
    BareCommand command;
    command.ownWork = setup.empty();
    setup.queue->submit(command);
    waitFor(setup, command);
  }
}
BENCHMARK(launchAndWait);

void launchFlushAndWaitWithoutHelp(benchmark::State& state) {
  Setup setup;
  for (auto _ : state) {
    BareCommand command;
    command.ownWork = setup.empty();
    setup.queue->submit(command);
    setup.queue->flush();
    command.done.wait(false);
  }
}
BENCHMARK(launchFlushAndWaitWithoutHelp);

/// Time for each command of a chain in which each is submitted by the one before.
void chainOf2000(benchmark::State& state) {
  Setup setup;
  const bool flushed = state.range(0) != 0;
  for (auto _ : state) {
    state.PauseTiming();
    std::vector<BareCommand> commands(2000);
    for (size_t i = 0; i < commands.size(); ++i) {
      commands[i].ownWork = setup.empty();
      commands[i].queue = setup.queue.get();
      commands[i].next = i + 1 < commands.size() ? &commands[i + 1] : nullptr;
    }
    state.ResumeTiming();
    setup.queue->submit(commands[0]);
    if (flushed)
      setup.queue->flush();
    waitFor(setup, commands.back());
  }
  state.SetItemsProcessed(state.iterations() * 2000);
}
BENCHMARK(chainOf2000)->Arg(0)->Arg(1)->UseRealTime();

void independent2000(benchmark::State& state) {
  Setup setup;
  for (auto _ : state) {
    state.PauseTiming();
    std::vector<BareCommand> commands(2000);
    for (BareCommand& command : commands)
      command.ownWork = setup.empty();
    state.ResumeTiming();
    for (BareCommand& command : commands)
      setup.queue->submit(command);
    for (BareCommand& command : commands)
      waitFor(setup, command);
  }
  state.SetItemsProcessed(state.iterations() * 2000);
}
BENCHMARK(independent2000)->UseRealTime();

/// Work-groups of uneven cost: compare with the time of one thread (QUERN_THREADS=1).
void unevenGroups(benchmark::State& state) {
  Setup setup;
  const uint64_t groups = static_cast<uint64_t>(state.range(0));
  const auto out = *setup.device->allocate({.bytes = groups * 8});
  for (auto _ : state) {
    BareCommand command;
    command.ownWork = device::LaunchKernel{setup.executable,
                                           1,
                                           {.global = {groups, 1, 1}},
                                           Arguments().add(out->address()).add(uint32_t(20)).bytes};
    setup.queue->submit(command);
    waitFor(setup, command);
  }
}
BENCHMARK(unevenGroups)->Arg(16)->Arg(128)->Arg(1024)->UseRealTime();

} // namespace
} // namespace quern::test

BENCHMARK_MAIN();
