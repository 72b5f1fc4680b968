#include "devices/cpu/cpu_device.h"

#include "devices/cpu/caps.h"
#include "devices/cpu/enumerate.h"
#include "devices/cpu/partition.h"

namespace quern::cpu {

namespace {

/// A queue only names the team that its commands belong to and their rank: they may run in any
/// order, so there is nothing else to keep.
class CpuQueue final : public device::Queue {
public:
  CpuQueue(Pool& pool, Team& team, uint32_t rank)
      : Queue(/*keepsTheOrder=*/false), pool_(pool), team_(team), rank_(rank) {
    pool_.addHandle(team_);
  }
  ~CpuQueue() override { pool_.dropHandle(team_); }

  void submit(device::Command& command) override {
    command.rank = rank_;
    pool_.submit(team_, command);
  }
  bool append(device::Command& command, const device::Work& work) override {
    WorkSequence* const sequence = pool_.append(command, work);
    if (sequence && sequence->isWorthAThread())
      hasGrown_.store(true, std::memory_order_relaxed);
    return sequence;
  }
  void flush() override { pool_.flush(team_); }
  void tend() override {
    if (hasGrown_.load(std::memory_order_relaxed) && hasGrown_.exchange(false))
      pool_.grew(team_);
  }

private:
  Pool& pool_;
  Team& team_;
  const uint32_t rank_;
  /// Commands have got so much more to do that they are worth a thread.
  std::atomic<bool> hasGrown_{false};
};

uint32_t rankOf(cl_uint priority) {
  switch (priority) {
  case CL_QUEUE_PRIORITY_HIGH_KHR:
    return 0;
  case CL_QUEUE_PRIORITY_LOW_KHR:
    return Team::ranks - 1;
  default:
    return 1;
  }
}

} // namespace

Result<Ref<device::Queue>> CpuDevice::createQueue(const device::QueueRequest& request) {
  return Ref<device::Queue>(makeRef<CpuQueue>(machine_.pool, team_, rankOf(request.priority)));
}

Ref<device::Device> CpuDevice::makeSubDevice(std::vector<uint32_t> units, bool bound) {
  device::Caps caps = this->caps();
  caps.computeUnits = caps.maxSubDevices = static_cast<cl_uint>(units.size());
  caps.affinityDomains = affinityDomains(machine_.topology, units);
  const bool helpersAllowed = team_.helpersAllowed && !bound;
  Team& team = machine_.pool.makeTeam(std::move(units), helpersAllowed);
  return makeRef<CpuDevice>(machine_, team, std::move(caps));
}

Result<std::vector<Ref<device::Device>>>
CpuDevice::partition(const device::PartitionRequest& request) {
  QUERN_ASSIGN(Partition split, splitUnits(machine_.topology, team_.units, request));
  std::vector<Ref<device::Device>> devices;
  for (std::vector<uint32_t>& units : split.parts) {
    if (split.domain)
      for (uint32_t unit : units)
        machine_.pool.bind(unit, cpusOfGroup(machine_.topology.units[unit], *split.domain));
    devices.push_back(makeSubDevice(std::move(units), split.domain.has_value()));
  }
  return devices;
}

std::vector<Ref<device::Device>> enumerate() {
  Machine& shared = machine();
  std::vector<uint32_t> units(shared.topology.units.size());
  for (uint32_t i = 0; i < units.size(); ++i)
    units[i] = i;
  Team& team = shared.pool.makeTeam(std::move(units), true);
  return {makeRef<CpuDevice>(shared, team, makeCaps(shared))};
}

} // namespace quern::cpu
