#include "runtime/process.h"

#include <atomic>
#include <string_view>

#include <pthread.h>

#include "base/config.h"
#include "base/log.h"
#include "base/sentence.h"
#include "device/backends.h"
#include "runtime/device.h"
#include "runtime/platform.h"
#include "trace/trace.h"

namespace quern::runtime {

namespace {

std::atomic<Process*> instance{nullptr};

/// Runs in the child of fork(), whose only thread is the one that forked: nothing of the parent's
/// state can be trusted, since other threads may have been in the middle of changing it. It is left
/// behind, not freed.
void startAnew() {
  if (!instance.exchange(nullptr, std::memory_order_relaxed))
    return;
  detail::processGeneration.fetch_add(1, std::memory_order_relaxed);
  Platform::get().header()->process = processGeneration();
}

const device::Backend* findBackend(std::string_view name) {
  for (const device::Backend& backend : device::backends())
    if (backend.name == name)
      return &backend;
  return nullptr;
}

} // namespace

Process& Process::current() {
  Process* process = instance.load(std::memory_order_acquire);
  if (process) [[likely]]
    return *process;
  [[maybe_unused]] static const int registered = pthread_atfork(nullptr, nullptr, startAnew);
  auto* made = new Process();
  if (instance.compare_exchange_strong(process, made, std::memory_order_acq_rel))
    return *made;
  delete made;
  return *process;
}

std::span<const Ref<Device>> Process::devices() {
  std::call_once(enumerated_, [this] { enumerate(); });
  return devices_;
}

void Process::enumerate() {
  trace::begin();
  std::vector<device::NamedDevice> devices;
  std::string_view names = config().get(Option::Devices);
  while (!names.empty()) {
    const size_t comma = names.find(',');
    const std::string_view name = names.substr(0, comma);
    names = comma == names.npos ? std::string_view() : names.substr(comma + 1);
    const device::Backend* backend = findBackend(name);
    if (!backend) {
      log::warning(sentence("QUERN_DEVICES names \"", name, "\", which is not a backend"));
      continue;
    }
    for (Ref<device::Device>& device : backend->enumerate())
      devices.push_back({backend->name, std::move(device)});
  }
  const auto offer = [this](Ref<device::Device> device) {
    devices_.push_back(
        makeRef<Device>(std::move(device), nullptr, std::vector<cl_device_partition_property>()));
  };
  // It comes first: most programs take the first device.
  if (const std::string& which = config().get(Option::Unite); which != "off") {
    Result<Ref<device::Device>> united = device::unite(which, devices);
    if (united.ok())
      offer(*std::move(united));
    else
      log::error(united.status().sentence());
  }
  for (device::NamedDevice& named : devices)
    offer(std::move(named.device));
}

} // namespace quern::runtime
