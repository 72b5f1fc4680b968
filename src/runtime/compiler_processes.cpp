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
  if (!config().isOn(Option::CompilerProcess) || std::thread::hardware_concurrency() < 2)
    return;
  const bool isFirst = idle_.with([](Idle& idle) {
    if (idle.preparation != Preparation::NotBegun)
      return false;
    idle.preparation = Preparation::Begun;
    return true;
  });
  if (!isFirst)
    return;
  // Why none can be started is told to who needs it.
  Result<std::unique_ptr<CompilerProcess>> process = start();
  if (!process.ok())
    return;
  process.value()->prepare(target);
  idle_.with([&](Idle& idle) {
    if (idle.preparation == Preparation::Begun)
      idle.processes.push_back(*std::move(process));
  });
}

void CompilerProcesses::endPrepared() {
  idle_.with([](Idle& idle) {
    idle.preparation = Preparation::Unwanted;
    std::erase_if(idle.processes, [](const auto& process) { return !process->isReady(); });
  });
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
  return idle_.with([niceness = currentNiceness()](Idle& idle) {
    const auto found = std::ranges::find(idle.processes, niceness,
                                         [](const auto& each) { return each->niceness(); });
    if (found == idle.processes.end())
      return std::unique_ptr<CompilerProcess>();
    std::unique_ptr<CompilerProcess> process = std::move(*found);
    idle.processes.erase(found);
    return process;
  });
}

void CompilerProcesses::giveBack(std::unique_ptr<CompilerProcess> process) {
  idle_.with([&](Idle& idle) {
    idle.processes.push_back(std::move(process));
    if (idle.processes.size() > mostIdle)
      idle.processes.erase(idle.processes.begin());
  });
}

} // namespace quern::runtime
