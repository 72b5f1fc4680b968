// What a queue does between two waits, as a CUDA graph that is launched again when the same comes
// again.
#pragma once

#include "devices/cuda/driver_api.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace quern::bench::cuda {

struct GraphObject;
struct GraphExecObject;

/// The driver's functions for graphs, beyond those that Quern itself uses.
struct GraphApi {
  using Error = quern::cuda::Error;
  using Stream = quern::cuda::StreamHandle;

  Error (*beginCapture)(Stream stream, int mode) = nullptr;
  Error (*endCapture)(Stream stream, GraphObject** graph) = nullptr;
  Error (*instantiate)(GraphExecObject** executable, GraphObject* graph,
                       unsigned long long flags) = nullptr;
  Error (*launch)(GraphExecObject* executable, Stream stream) = nullptr;
  Error (*destroy)(GraphObject* graph) = nullptr;
  Error (*destroyExec)(GraphExecObject* executable) = nullptr;

  /// Of the system's driver. Null where it lacks one of them.
  static const GraphApi* load();
};

/// Not thread-safe.
class Replay {
public:
  using Error = GraphApi::Error;
  using Stream = GraphApi::Stream;

  struct Command {
    std::vector<std::byte> identity; ///< two commands of the same bytes do the same
    std::function<Error(Stream)> issue;
  };

  explicit Replay(const GraphApi& api) : api_(api) {}
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;
  ~Replay();

  /// Keeps a command until the next flush.
  void add(Command command) { commands_.push_back(std::move(command)); }

  /// Gives all commands that were kept to the stream: a single one as it is, more of them as a
  /// graph, which is made anew only if they differ from those of the last one.
  Error flush(Stream stream);

private:
  bool isKnown() const;
  Error capture(Stream stream);
  void forget();

  const GraphApi& api_;
  std::vector<Command> commands_;
  std::vector<std::vector<std::byte>> captured_; ///< the identities of what executable_ does
  GraphExecObject* executable_ = nullptr;
};

} // namespace quern::bench::cuda
