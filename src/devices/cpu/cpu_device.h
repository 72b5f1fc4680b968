#pragma once

#include "device/device.h"
#include "devices/cpu/graph.h"
#include "devices/cpu/image.h"
#include "devices/cpu/machine.h"

namespace quern::cpu {

/// The CPUs of the machine that the process may use, or the part of them that a sub-device is made
/// of.
class CpuDevice final : public device::Device {
public:
  /// Takes over one handle of `team`.
  CpuDevice(Machine& machine, Team& team, device::Caps caps)
      : Device(std::move(caps)), machine_(machine), team_(team) {}
  ~CpuDevice() override { machine_.pool.dropHandle(team_); }

  Result<std::vector<Ref<device::Device>>>
  partition(const device::PartitionRequest& request) override;
  Result<Ref<device::Allocation>> allocate(const device::AllocationRequest& request) override {
    return cpu::allocate(request, machine_.memory);
  }
  Result<Ref<device::Image>> createImage(const device::ImageRequest& request) override {
    return cpu::createImage(request);
  }
  Result<Ref<device::Executable>> load(const abi::ProgramImage& image) override {
    return Executable::load(image, machine_.groupLimits);
  }
  Result<Ref<device::Queue>> createQueue(const device::QueueRequest& request) override;
  Result<Ref<device::Graph>> createGraph(std::vector<device::Graph::Node> work,
                                         std::shared_ptr<const device::GraphOrder> order,
                                         const device::Graph* earlier) override {
    return Ref<device::Graph>(
        makeRef<Graph>(std::move(work), std::move(order), static_cast<const Graph*>(earlier)));
  }
  bool help() override { return machine_.pool.help(team_); }
  uint64_t timestamp() const override { return now(); }

private:
  Ref<device::Device> makeSubDevice(std::vector<uint32_t> units, bool bound);

  Machine& machine_;
  Team& team_;
};

} // namespace quern::cpu
