// recorded_steps: the steps of a simulation, recorded once and enqueued as one command.
//
// Shows: a command buffer (cl_khr_command_buffer) beside the same launches enqueued one by one, and
// launches whose arguments change between two enqueues of a command buffer
// (cl_khr_command_buffer_mutable_dispatch). The simulation is the heat in a rod, whose middle is
// heated a little in each step.
#include "command_buffer.h"

#include <algorithm>
#include <memory>

namespace {

constexpr size_t stepsOfRound = 100, rounds = 20;
constexpr float firstHeat = 1, lessEachRound = 0.95f;

class Rod {
public:
  Rod(const cl::Context& context, const cl::Device& device, size_t cells)
      : queue_(context, device), program_(gallery::buildProgram(context, device, "steps.cl")),
        cells_(cells),
        temperatures_{cl::Buffer(context, CL_MEM_READ_WRITE, cells * sizeof(float)),
                      cl::Buffer(context, CL_MEM_READ_WRITE, cells * sizeof(float))} {
    for (size_t i = 0; i < 2; ++i) {
      steps_[i] = cl::Kernel(program_, "step");
      steps_[i].setArg(0, temperatures_[i]);
      steps_[i].setArg(1, temperatures_[1 - i]);
    }
  }

  /// All rounds, each with less heat than the one before if `cools`.
  void oneByOne(bool cools) {
    start();
    for (size_t round = 0; round < rounds; ++round) {
      setHeat(heatOf(round, cools));
      for (size_t i = 0; i < stepsOfRound; ++i)
        queue_.enqueueNDRangeKernel(steps_[i % 2], cl::NullRange, cl::NDRange(cells_));
    }
    queue_.finish();
  }
  void recorded() {
    if (!recording_)
      recording_ = record(/*isMutable=*/false);
    start();
    for (size_t round = 0; round < rounds; ++round)
      recording_->enqueue();
    queue_.finish();
  }
  void changed() {
    if (!changing_)
      changing_ = record(/*isMutable=*/true);
    start();
    for (size_t round = 0; round < rounds; ++round) {
      changing_->change(launches_, 2, heatOf(round, true));
      changing_->enqueue();
    }
    queue_.finish();
  }

  std::vector<float> read() {
    std::vector<float> temperatures(cells_);
    queue_.enqueueReadBuffer(temperatures_[0], CL_TRUE, 0, cells_ * sizeof(float),
                             temperatures.data());
    return temperatures;
  }

  static std::vector<double> onTheHost(size_t cells, bool cools) {
    std::vector<double> now(cells, 0), next(cells);
    for (size_t step = 0; step < rounds * stepsOfRound; ++step) {
      for (size_t i = 0; i < cells; ++i)
        next[i] = now[i] +
                  0.25 * (now[i == 0 ? 0 : i - 1] - 2 * now[i] + now[std::min(i + 1, cells - 1)]);
      next[(cells - 1) / 2] += heatOf(step / stepsOfRound, cools);
      std::swap(now, next);
    }
    return now;
  }

private:
  static float heatOf(size_t round, bool cools) {
    float heat = firstHeat;
    for (size_t i = 0; cools && i < round; ++i)
      heat *= lessEachRound;
    return heat;
  }
  void setHeat(float heat) {
    for (cl::Kernel& step : steps_)
      step.setArg(2, heat);
  }
  void start() { queue_.enqueueFillBuffer(temperatures_[0], 0.0f, 0, cells_ * sizeof(float)); }

  /// The steps of a round.
  std::unique_ptr<CommandBuffer> record(bool isMutable) {
    auto buffer = std::make_unique<CommandBuffer>(queue_, isMutable);
    setHeat(firstHeat);
    for (size_t i = 0; i < stepsOfRound; ++i) {
      cl_mutable_command_khr launch = nullptr;
      buffer->launch(steps_[i % 2], cells_, isMutable ? &launch : nullptr);
      if (isMutable)
        launches_.push_back(launch);
    }
    buffer->finalize();
    return buffer;
  }

  cl::CommandQueue queue_;
  cl::Program program_;
  size_t cells_;
  cl::Buffer temperatures_[2];
  cl::Kernel steps_[2];
  std::unique_ptr<CommandBuffer> recording_, changing_;
  std::vector<cl_mutable_command_khr> launches_;
};

} // namespace

int main(int argc, char** argv) try {
  const gallery::CommandLine line(argc, argv, "Records the steps of a simulation.",
                                  {{"size", "1Ki", "cells of the rod", "256"}});
  const cl::Device device = gallery::chooseDevice(line);
  gallery::Report report(line, "recorded_steps", device.getInfo<CL_DEVICE_NAME>());
  const cl::Context context(device);
  const size_t cells = line.number("size");
  Rod rod(context, device, cells);

  const auto measure = [&](const char* name, bool cools, const std::function<void()>& run) {
    const double seconds = gallery::medianSeconds(line.number("repeat"), run);
    report.add(name, std::to_string(cells), seconds,
               gallery::rate(rounds * stepsOfRound / seconds, "step/s"),
               gallery::closeTo(rod.read(), Rod::onTheHost(cells, cools), 0.01));
  };
  measure("one by one", true, [&] { rod.oneByOne(true); });
  if (versionOf(device, "cl_khr_command_buffer") == 0) {
    report.skip("recorded", "the device has no command buffers");
    return report.exitCode();
  }
  measure("recorded", false, [&] { rod.recorded(); });
  if (versionOf(device, "cl_khr_command_buffer_mutable_dispatch") < CL_MAKE_VERSION(0, 9, 2))
    report.skip("recorded, changed", "the device's command buffers do not change");
  else
    measure("recorded, changed", true, [&] { rod.changed(); });
  return report.exitCode();
} catch (const std::exception& error) {
  return gallery::failure(error);
}
