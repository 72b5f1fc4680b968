#pragma once

#include <mutex>
#include <span>
#include <vector>

#include "base/ref.h"
#include "runtime/build_threads.h"
#include "runtime/callback_thread.h"
#include "runtime/compiler_processes.h"
#include "runtime/descriptor_watch.h"

namespace quern::runtime {

class Device;

/// What the driver shares within one process: root devices, threads and the processes that compile
/// for it, all made on first use. Never destroyed: commands may still run while the process exits.
/// After fork() the child starts with a new one, because no thread of the parent exists there;
/// handles of the parent's objects, but for the platform's, are rejected in the child.
class Process {
public:
  static Process& current();

  /// Root devices in the order of the option QUERN_DEVICES; enumerates the backends on the first
  /// call. Starts no thread.
  std::span<const Ref<Device>> devices();
  CallbackThread& callbacks() { return callbacks_; }
  BuildThreads& builds() { return builds_; }
  /// For work that nobody waits for.
  BuildThreads& specialisations() { return specialisations_; }
  CompilerProcesses& compilers() { return compilers_; }
  DescriptorWatch& descriptors() { return descriptors_; }

private:
  Process() = default;
  void enumerate();

  std::once_flag enumerated_;
  std::vector<Ref<Device>> devices_;
  CallbackThread callbacks_;
  BuildThreads builds_;
  CompilerProcesses compilers_;
  DescriptorWatch descriptors_;
  BuildThreads specialisations_{{.most = 1, .name = "quern-specialisation", .niceness = 5}};
};

} // namespace quern::runtime
