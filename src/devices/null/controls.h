#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>

#include "base/mutex_protected.h"
#include "base/result.h"
#include "device/command.h"

namespace quern::null {

/// What can be made to fail.
enum class Operation { Allocate, Load, CreateQueue, Partition, Execute, Count };

/// How a test steers a null device: it can hold commands back and let them go one by one, and make
/// operations fail. Thread-safe.
class Controls {
public:
  /// The `after + 1`th operation of this kind from now on fails with `code`, a negative OpenCL
  /// error code; those behind it succeed.
  void fail(Operation operation, cl_int code, uint32_t after = 0);

  /// Commands submitted from now on wait.
  void hold();
  /// Commands that wait.
  size_t held();
  /// Runs up to `count` of the waiting commands, oldest first, on the calling thread.
  void release(size_t count);
  /// Runs all that wait, and from now on commands run as soon as they are submitted.
  void resume();

  /// Ends the operation with an error when it was told to.
  Status check(Operation operation);
  /// Takes a command. Runs it, and whatever it submits in turn, on the calling thread, unless
  /// another thread is already running commands or they are held back.
  void submit(device::Command& command);

private:
  struct Failure {
    cl_int code = 0; ///< 0: none
    uint32_t after = 0;
  };
  struct State {
    std::array<Failure, static_cast<size_t>(Operation::Count)> failures;
    device::Command* first = nullptr;
    device::Command* last = nullptr;
    size_t waiting = 0;
    size_t released = 0; ///< how many of those that wait may run although commands are held back
    bool holding = false;
    bool running = false; ///< a thread runs commands
  };

  void runReady();
  void execute(device::Command& command);

  MutexProtected<State> state_;
};

} // namespace quern::null
