#include "node/node.h"

#include <ctime>
#include <unistd.h>

#include "base/config.h"
#include "base/log.h"
#include "base/sentence.h"
#include "cluster/patience.h"
#include "device/backends.h"
#include "node/commands.h"

namespace quern::node {

namespace {

constexpr int program = 0;
/// A node without work looks this often for some.
constexpr cluster::Patience::Microseconds longestPause{500};
/// Numbers of root devices; the driver's own begin above them.
constexpr uint64_t firstDevice = 1;

uint64_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

std::string hostName() {
  char name[256] = {};
  gethostname(name, sizeof(name) - 1);
  return name;
}

/// The devices that QUERN_DEVICES names, but for those of other nodes.
std::vector<Ref<device::Device>> localDevices() {
  std::vector<Ref<device::Device>> devices;
  std::string_view names = config().get(Option::Devices);
  if (names == "remote")
    names = optionRows()[static_cast<size_t>(Option::Devices)].defaultValue;
  while (!names.empty()) {
    const size_t comma = names.find(',');
    const std::string_view name = names.substr(0, comma);
    names = comma == names.npos ? std::string_view() : names.substr(comma + 1);
    for (const device::Backend& backend : device::backends())
      if (backend.name == name && name != "remote")
        for (Ref<device::Device>& device : backend.enumerate())
          devices.push_back(std::move(device));
  }
  return devices;
}

} // namespace

Node::Node(cluster::Link& link, std::string secret)
    : link_(link), driver_(link, program), connection_{link, driver_, printed_},
      secret_(std::move(secret)) {
  printed_.replaceStandardOutput();
  link_.setHandler([this](int from, std::span<const std::byte> message) { handle(from, message); });
}

void Node::serve() {
  cluster::Patience patience(longestPause);
  while (!hasEnded_)
    if (link_.look()) {
      driver_.flush();
      patience.renew();
    } else {
      patience.wait();
    }
}

template <typename Record> bool Node::on(Record&) {
  return false;
}

void Node::handle(int from, std::span<const std::byte> message) {
  const auto hear = [this]<typename Record>(Record& record) {
    // Who is not trusted may introduce himself, and may go.
    constexpr bool isForAll =
        std::is_same_v<Record, cluster::Hello> || std::is_same_v<Record, cluster::Bye>;
    return (isTrusted_ || isForAll) && on(record);
  };
  const bool isGood =
      from == program ? cluster::forEachRecord(message, hear) : onPeer(from, message);
  if (!isGood)
    log::warning(sentence("node ", link_.rank(), " drops what process ", from,
                          " says: it makes no sense, or comes from a stranger"));
}

bool Node::onPeer(int from, std::span<const std::byte> message) {
  return cluster::forEachRecord(message, [&]<typename Record>(Record& record) {
    if constexpr (std::is_same_v<Record, cluster::Pull>) {
      if (isTrusted_)
        answer(record, from, connection_, objects_);
      return isTrusted_;
    } else {
      return false;
    }
  });
}

template <typename Answer> void Node::reply(uint64_t call, const Answer& answer) {
  FieldWriter out;
  out(answer);
  driver_.add(cluster::Reply{.call = call, .answer = out.take()});
}

void Node::fail(uint64_t call, const Status& status) {
  driver_.add(cluster::Reply{.call = call, .code = status.code(), .sentence = status.sentence()});
}

void Node::failUnknown(uint64_t call) {
  fail(call, Status::error(CL_INVALID_VALUE, "the node has no such object"));
}

/// Memory at a certain address is the host's: what works elsewhere has none.
cluster::DeviceEntry Node::entryOf(uint64_t number, const device::Device& device) const {
  cluster::DeviceEntry entry = {number, device.caps()};
  const bool hasSvm = entry.caps.hostUnifiedMemory && entry.caps.svm != 0 && !addresses_.empty();
  entry.caps.svm = hasSvm ? CL_DEVICE_SVM_COARSE_GRAIN_BUFFER : 0;
  return entry;
}

Ref<device::AddressLease> Node::takeAddresses(const cluster::Allocate& allocate) const {
  for (const std::unique_ptr<device::AddressRange>& range : addresses_)
    if (Ref<device::AddressLease> lease = range->takeAt(allocate.address, allocate.bytes))
      return lease;
  return nullptr;
}

bool Node::on(cluster::Hello& hello) {
  if (hello.secret != secret_ || hello.version != cluster::protocolVersion) {
    fail(hello.call,
         Status::error(CL_DEVICE_NOT_AVAILABLE, hello.secret != secret_
                                                    ? "the node belongs to another job"
                                                    : "the node is of another version of Quern"));
    return false;
  }
  isTrusted_ = true;
  cluster::Greeting greeting = {.host = hostName()};
  for (const cluster::Addresses& wanted : hello.addresses)
    if (auto range = device::AddressRange::reserve({wanted.begin, wanted.end})) {
      greeting.addresses.push_back(wanted);
      addresses_.push_back(std::move(range));
    }
  for (Ref<device::Device>& device : localDevices()) {
    const uint64_t number = firstDevice + greeting.devices.size();
    greeting.devices.push_back(entryOf(number, *device));
    objects_.devices.emplace(number, std::move(device));
  }
  reply(hello.call, greeting);
  return true;
}

bool Node::on(cluster::Allocate& allocate) {
  const Ref<device::Device>* const device = find(objects_.devices, allocate.device);
  if (!device) {
    failUnknown(allocate.call);
    return true;
  }
  Ref<device::AddressLease> place = takeAddresses(allocate);
  if (allocate.address != 0 && !place) {
    fail(allocate.call,
         Status::error(CL_MEM_OBJECT_ALLOCATION_FAILURE,
                       sentence("the node has no free addresses for ", allocate.bytes,
                                " bytes where shared virtual memory must be")));
    return true;
  }
  Result<Ref<device::Allocation>> memory = (*device)->allocate(
      {.bytes = allocate.bytes, .shared = place.get() != nullptr, .place = std::move(place)});
  if (!memory.ok()) {
    fail(allocate.call, memory.status());
    return true;
  }
  reply(allocate.call, (*memory.value()).address());
  objects_.allocations[allocate.allocation] = {std::move(*memory), *device};
  return true;
}

bool Node::on(cluster::CreateImage& create) {
  const Ref<device::Device>* const device = find(objects_.devices, create.device);
  const Objects::Memory* const memory = find(objects_.allocations, create.allocation);
  if (!device || !memory) {
    failUnknown(create.call);
    return true;
  }
  Result<Ref<device::Image>> image =
      (*device)->createImage({create.description, memory->allocation, create.offset});
  if (!image.ok()) {
    fail(create.call, image.status());
    return true;
  }
  reply(create.call, (*image.value()).handle());
  objects_.images[create.image] = std::move(*image);
  return true;
}

bool Node::on(cluster::Load& load) {
  const Ref<device::Device>* const device = find(objects_.devices, load.device);
  if (!device) {
    failUnknown(load.call);
    return true;
  }
  Result<abi::ProgramImage> image = abi::decodeProgramImage(load.image);
  Result<Ref<device::Executable>> loaded =
      image.ok() ? (*device)->load(image.value())
                 : Result<Ref<device::Executable>>(image.takeStatus());
  if (!loaded.ok()) {
    fail(load.call, loaded.status());
    return true;
  }
  std::vector<device::KernelLimits> limits;
  const auto count = static_cast<uint32_t>(image.value().kernels.size());
  for (uint32_t kernel = 0; kernel < count; ++kernel)
    limits.push_back((*loaded.value()).limits(kernel));
  reply(load.call, limits);
  objects_.kernelCounts[load.executable] = count;
  objects_.executables[load.executable] = std::move(*loaded);
  return true;
}

bool Node::on(cluster::CreateQueue& create) {
  const Ref<device::Device>* const device = find(objects_.devices, create.device);
  if (!device) {
    failUnknown(create.call);
    return true;
  }
  Result<Ref<device::Queue>> queue =
      (*device)->createQueue({.profiling = create.profiling, .priority = create.priority});
  if (!queue.ok()) {
    fail(create.call, queue.status());
    return true;
  }
  objects_.queues[create.queue] = makeRef<NodeQueue>(connection_, *device, std::move(*queue));
  reply(create.call, uint8_t{0});
  return true;
}

bool Node::on(cluster::CheckLaunch& check) {
  const Ref<device::Executable>* const executable = find(objects_.executables, check.executable);
  if (!executable || check.kernel >= objects_.kernelCounts[check.executable]) {
    failUnknown(check.call);
    return true;
  }
  const Status status =
      (*executable)->checkLaunch(check.kernel, check.range, check.localArgumentBytes);
  if (status.ok())
    reply(check.call, uint8_t{0});
  else
    fail(check.call, status);
  return true;
}

bool Node::on(cluster::SuggestLocalSize& suggest) {
  const Ref<device::Executable>* const executable = find(objects_.executables, suggest.executable);
  if (!executable || suggest.kernel >= objects_.kernelCounts[suggest.executable])
    failUnknown(suggest.call);
  else
    reply(suggest.call,
          (*executable)->suggestLocalSize(suggest.kernel, suggest.range, suggest.mayBeNonUniform));
  return true;
}

bool Node::on(cluster::Partition& partition) {
  const Ref<device::Device>* const device = find(objects_.devices, partition.device);
  if (!device) {
    failUnknown(partition.call);
    return true;
  }
  Result<std::vector<Ref<device::Device>>> parts = (*device)->partition(partition.request);
  if (!parts.ok()) {
    fail(partition.call, parts.status());
    return true;
  }
  std::vector<cluster::DeviceEntry> entries;
  for (Ref<device::Device>& part : *parts) {
    const uint64_t number = partition.firstPart + entries.size();
    entries.push_back(entryOf(number, *part));
    objects_.devices.insert_or_assign(number, std::move(part));
  }
  reply(partition.call, entries);
  return true;
}

bool Node::on(cluster::AddSpecialisation& add) {
  const Ref<device::Executable>* const executable = find(objects_.executables, add.executable);
  const Ref<device::Executable>* const better = find(objects_.executables, add.specialisation);
  if (!executable || !better || add.kernel >= objects_.kernelCounts[add.executable]) {
    failUnknown(add.call);
    return true;
  }
  const Status status =
      (*executable)
          ->addSpecialisation(add.kernel, *better,
                              add.isAdoptedAtOnce ? device::Adoption::AtOnce
                                                  : device::Adoption::UnlessSlower);
  if (status.ok())
    reply(add.call, uint8_t{0});
  else
    fail(add.call, status);
  return true;
}

bool Node::on(cluster::Store& store) {
  const Ref<device::Device>* const device = find(objects_.devices, store.device);
  if (!device) {
    failUnknown(store.call);
    return true;
  }
  (*device)->store(store.address, store.data);
  reply(store.call, uint8_t{0});
  return true;
}

bool Node::on(cluster::SetHotnessTrigger& set) {
  const Ref<device::Executable>* const executable = find(objects_.executables, set.executable);
  if (!executable || set.kernel >= objects_.kernelCounts[set.executable])
    return false;
  (*executable)
      ->setHotnessTrigger(
          set.kernel, set.nanoseconds,
          [this, number = set.executable, kernel = set.kernel](const device::LaunchKernel& launch) {
            // A specialisation counts its kernels for itself.
            cluster::Launch record = cluster::recordOf(launch, number);
            record.kernel = kernel;
            driver_.send(cluster::Hot{std::move(record)});
          });
  return true;
}

bool Node::on(cluster::Free& free) {
  objects_.free(free.object);
  return true;
}

bool Node::on(cluster::Ping& ping) {
  driver_.add(cluster::Pong{ping.time, now()});
  return true;
}

bool Node::on(cluster::PeerGone& gone) {
  const bool isPeer = gone.rank > program && gone.rank < link_.size() && gone.rank != link_.rank();
  if (isPeer)
    link_.giveUp(gone.rank);
  return isPeer;
}

bool Node::on(cluster::Bye& bye) {
  if (bye.leavesJob)
    link_.leave();
  hasEnded_ = true;
  return true;
}

bool Node::on(cluster::Submit& submit) {
  const Ref<NodeQueue>* const found = find(objects_.queues, submit.queue);
  if (!found)
    return false;
  const uint64_t number = submit.command;
  if (std::unique_ptr<NodeCommand> command = makeCommand(std::move(submit), objects_))
    (*found)->add(std::move(command));
  else
    driver_.add(cluster::Finished{.command = number, .status = CL_INVALID_VALUE});
  return true;
}

} // namespace quern::node
