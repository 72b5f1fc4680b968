#include "runtime/compiler_processes.h"

#include <algorithm>
#include <thread>

#include "base/config.h"
#include "runtime/compiler_library.h"

namespace quern::runtime {

namespace {

/// Each takes some tens of megabytes that are its own.
constexpr size_t mostIdle = 4;

} // namespace

void CompilerProcesses::prepare(const compiler::Target& target) {
  if (!config().isOn(Option::CompilerProcess) || std::thread::hardware_concurrency() < 2 ||
      isPrepared_.exchange(true))
    return;
  // Why none can be started is told to who needs it.
  Result<std::unique_ptr<CompilerProcess>> process = start();
  if (!process.ok())
    return;
  process.value()->prepare(target);
  giveBack(*std::move(process));
}

void CompilerProcesses::endPrepared() {
  idle_.with(
      [](auto& idle) { std::erase_if(idle, [](const auto& own) { return !own->isReady(); }); });
}

Result<std::unique_ptr<CompilerProcess>> CompilerProcesses::take() {
  while (std::unique_ptr<CompilerProcess> process = takeIdle())
    if (!process->hasEnded() && process->waitUntilReady().ok())
      return process;
  QUERN_ASSIGN(std::unique_ptr<CompilerProcess> process, start());
  QUERN_TRY(process->waitUntilReady());
  return process;
}

Result<std::unique_ptr<CompilerProcess>> CompilerProcesses::start() {
  const CompilerLibrary& library = CompilerLibrary::get();
  QUERN_TRY(library.checkUnchanged());
  return CompilerProcess::start(library.processPath());
}

std::unique_ptr<CompilerProcess> CompilerProcesses::takeIdle() {
  return idle_.with([niceness = currentNiceness()](auto& idle) {
    const auto found =
        std::ranges::find(idle, niceness, [](const auto& process) { return process->niceness(); });
    if (found == idle.end())
      return std::unique_ptr<CompilerProcess>();
    std::unique_ptr<CompilerProcess> process = std::move(*found);
    idle.erase(found);
    return process;
  });
}

void CompilerProcesses::giveBack(std::unique_ptr<CompilerProcess> process) {
  idle_.with([&](auto& idle) {
    idle.push_back(std::move(process));
    if (idle.size() > mostIdle)
      idle.erase(idle.begin());
  });
}

} // namespace quern::runtime
