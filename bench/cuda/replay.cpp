#include "replay.h"

#include <algorithm>
#include <dlfcn.h>

namespace quern::bench::cuda {
namespace {

/// Other threads may go on to use the driver meanwhile.
constexpr int captureRelaxed = 2;

} // namespace

const GraphApi* GraphApi::load() {
  static const GraphApi api = [] {
    GraphApi found;
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
      return found;
    const auto take = [library](auto& function, const char* name) {
      function =
          reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    };
    take(found.beginCapture, "cuStreamBeginCapture_v2");
    take(found.endCapture, "cuStreamEndCapture");
    take(found.instantiate, "cuGraphInstantiateWithFlags");
    take(found.launch, "cuGraphLaunch");
    take(found.destroy, "cuGraphDestroy");
    take(found.destroyExec, "cuGraphExecDestroy");
    return found;
  }();
  const bool isWhole = api.beginCapture && api.endCapture && api.instantiate && api.launch &&
                       api.destroy && api.destroyExec;
  return isWhole ? &api : nullptr;
}

Replay::~Replay() {
  forget();
}

Replay::Error Replay::flush(Stream stream) {
  Error error = Error::Success;
  if (commands_.size() == 1) {
    error = commands_.front().issue(stream);
  } else if (!commands_.empty()) {
    if (!isKnown())
      error = capture(stream);
    if (error == Error::Success)
      error = api_.launch(executable_, stream);
  }
  commands_.clear();
  return error;
}

bool Replay::isKnown() const {
  return executable_ && std::equal(commands_.begin(), commands_.end(), captured_.begin(),
                                   captured_.end(), [](const Command& command, const auto& known) {
                                     return command.identity == known;
                                   });
}

Replay::Error Replay::capture(Stream stream) {
  forget();
  Error error = api_.beginCapture(stream, captureRelaxed);
  if (error != Error::Success)
    return error;
  for (const Command& command : commands_)
    if (error == Error::Success)
      error = command.issue(stream);
  GraphObject* graph = nullptr;
  const Error ended = api_.endCapture(stream, &graph);
  if (error == Error::Success)
    error = ended;
  if (error == Error::Success)
    error = api_.instantiate(&executable_, graph, 0);
  if (graph)
    api_.destroy(graph);
  if (error == Error::Success)
    for (Command& command : commands_)
      captured_.push_back(std::move(command.identity));
  return error;
}

void Replay::forget() {
  if (executable_)
    api_.destroyExec(executable_);
  executable_ = nullptr;
  captured_.clear();
}

} // namespace quern::bench::cuda
