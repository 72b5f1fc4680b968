#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/bytes.h"
#include "base/fields.h"
#include "cluster/device_fields.h"
#include "device/command.h"
#include "device/device.h"

/// What the driver and the nodes say to each other: the functions of device/device.h and the work
/// of device/command.h as records, any number of them in a message. Objects have numbers, which
/// the driver gives. A record with a `call` gets a Reply.
namespace quern::cluster {

inline constexpr uint32_t protocolVersion = 7;

/// Bytes of the program's memory up to this many travel with the record.
inline constexpr uint64_t inlineBytes = 8 << 10;

struct DeviceEntry {
  uint64_t device = 0;
  device::Caps caps;
};
template <typename Archive, MaybeConst<DeviceEntry> T> void fields(Archive& archive, T& v) {
  archive(v.device, v.caps);
}

#define QUERN_RECORD_FIELDS(type, ...)                                                             \
  template <typename Archive, MaybeConst<type> T>                                                  \
  void fields([[maybe_unused]] Archive& archive, [[maybe_unused]] T& v) {                          \
    archive(__VA_ARGS__);                                                                          \
  }

struct Addresses {
  uint64_t begin = 0, end = 0;
};
QUERN_RECORD_FIELDS(Addresses, v.begin, v.end)

// From the driver to a node.

/// The first record. A node listens to nobody who does not know the secret of its job.
struct Hello {
  uint64_t call = 0;
  uint32_t version = protocolVersion;
  std::string secret;
  /// Addresses that the driver keeps free for shared virtual memory.
  std::vector<Addresses> addresses;
};
QUERN_RECORD_FIELDS(Hello, v.call, v.version, v.secret, v.addresses)

/// The answer to Hello.
struct Greeting {
  std::string host;
  std::vector<DeviceEntry> devices;
  /// Those of the Hello's that the node now keeps free, too.
  std::vector<Addresses> addresses;
};
QUERN_RECORD_FIELDS(Greeting, v.host, v.devices, v.addresses)

/// The answer is the address.
struct Allocate {
  uint64_t call = 0, device = 0, allocation = 0, bytes = 0;
  uint64_t address = 0; ///< of shared virtual memory; 0 for any
};
QUERN_RECORD_FIELDS(Allocate, v.call, v.device, v.allocation, v.bytes, v.address)

/// The answer is the handle.
struct CreateImage {
  uint64_t call = 0, device = 0, image = 0, allocation = 0, offset = 0;
  device::ImageDescription description;
};
QUERN_RECORD_FIELDS(CreateImage, v.call, v.device, v.image, v.allocation, v.offset, v.description)

/// The answer is the KernelLimits of each kernel.
struct Load {
  uint64_t call = 0, device = 0, executable = 0;
  Bytes image; ///< abi::encode
};
QUERN_RECORD_FIELDS(Load, v.call, v.device, v.executable, v.image)

struct CreateQueue {
  uint64_t call = 0, device = 0, queue = 0;
  bool profiling = false;
  cl_uint priority = 0;
};
QUERN_RECORD_FIELDS(CreateQueue, v.call, v.device, v.queue, v.profiling, v.priority)

struct CheckLaunch {
  uint64_t call = 0, executable = 0;
  uint32_t kernel = 0;
  device::NdRange range;
  uint64_t localArgumentBytes = 0;
};
QUERN_RECORD_FIELDS(CheckLaunch, v.call, v.executable, v.kernel, v.range, v.localArgumentBytes)

/// The answer is the local size.
struct SuggestLocalSize {
  uint64_t call = 0, executable = 0;
  uint32_t kernel = 0;
  device::NdRange range;
  bool mayBeNonUniform = false;
};
QUERN_RECORD_FIELDS(SuggestLocalSize, v.call, v.executable, v.kernel, v.range, v.mayBeNonUniform)

/// The answer is a DeviceEntry for each part, numbered from `firstPart` on.
struct Partition {
  uint64_t call = 0, device = 0, firstPart = 0;
  device::PartitionRequest request;
};
QUERN_RECORD_FIELDS(Partition, v.call, v.device, v.firstPart, v.request)

struct AddSpecialisation {
  uint64_t call = 0, executable = 0;
  uint32_t kernel = 0;
  uint64_t specialisation = 0;
  bool isAdoptedAtOnce = false; ///< device::Adoption
};
QUERN_RECORD_FIELDS(AddSpecialisation, v.call, v.executable, v.kernel, v.specialisation,
                    v.isAdoptedAtOnce)

/// As Device::store.
struct Store {
  uint64_t call = 0, device = 0, address = 0;
  Bytes data;
};
QUERN_RECORD_FIELDS(Store, v.call, v.device, v.address, v.data)

/// A Hot comes when it is reached.
struct SetHotnessTrigger {
  uint64_t executable = 0;
  uint32_t kernel = 0;
  uint64_t nanoseconds = 0;
};
QUERN_RECORD_FIELDS(SetHotnessTrigger, v.executable, v.kernel, v.nanoseconds)

/// The driver has no use for the object any more.
struct Free {
  uint64_t object = 0;
};
QUERN_RECORD_FIELDS(Free, v.object)

/// Asks for a Pong.
struct Ping {
  uint64_t time = 0;
};
QUERN_RECORD_FIELDS(Ping, v.time)

/// Another node of the job is gone.
struct PeerGone {
  int32_t rank = 0;
};
QUERN_RECORD_FIELDS(PeerGone, v.rank)

/// The program ends; so does the node, which leaves the job first where all nodes are there.
struct Bye {
  bool leavesJob = false;
};
QUERN_RECORD_FIELDS(Bye, v.leavesJob)

// From a node to the driver.

struct Reply {
  uint64_t call = 0;
  cl_int code = CL_SUCCESS;
  std::string sentence; ///< of an error
  Bytes answer;
};
QUERN_RECORD_FIELDS(Reply, v.call, v.code, v.sentence, v.answer)

/// Times in nanoseconds of the node's clock.
struct Finished {
  uint64_t command = 0;
  cl_int status = CL_COMPLETE;
  uint64_t started = 0, ended = 0;
  Bytes data; ///< of a Send without a tag
};
QUERN_RECORD_FIELDS(Finished, v.command, v.status, v.started, v.ended, v.data)

struct Launch {
  uint64_t executable = 0;
  uint32_t kernel = 0;
  device::NdRange range;
  Bytes arguments;
  abi::LaunchFacts facts;
  device::GroupRange groups;
};
QUERN_RECORD_FIELDS(Launch, v.executable, v.kernel, v.range, v.arguments, v.facts, v.groups)

inline Launch recordOf(const device::LaunchKernel& launch, uint64_t executable) {
  const std::byte* const first = launch.arguments.data();
  return {.executable = executable,
          .kernel = launch.kernel,
          .range = launch.range,
          .arguments = Bytes(first, first + launch.arguments.size()),
          .facts = launch.facts,
          .groups = launch.groups};
}

inline device::LaunchKernel launchOf(const Launch& record, Ref<device::Executable> executable) {
  return {.executable = std::move(executable),
          .kernel = record.kernel,
          .range = record.range,
          .arguments = record.arguments,
          .facts = record.facts,
          .groups = record.groups};
}

/// A launch whose kernel became hot.
struct Hot {
  Launch launch;
};
QUERN_RECORD_FIELDS(Hot, v.launch)

/// What kernels have printed.
struct Print {
  std::string text;
};
QUERN_RECORD_FIELDS(Print, v.text)

struct Pong {
  uint64_t time = 0;     ///< of the Ping
  uint64_t nodeTime = 0; ///< nanoseconds
};
QUERN_RECORD_FIELDS(Pong, v.time, v.nodeTime)

// From a node to another.

/// Asks for bytes of an allocation, as data with this tag.
struct Pull {
  int32_t tag = 0;
  uint64_t allocation = 0, offset = 0, bytes = 0;
};
QUERN_RECORD_FIELDS(Pull, v.tag, v.allocation, v.offset, v.bytes)

// Work.

/// A point in an allocation of the node.
struct Spot {
  uint64_t allocation = 0, offset = 0;
};
QUERN_RECORD_FIELDS(Spot, v.allocation, v.offset)

/// Rows of a box: region[0] bytes x region[1] rows x region[2] slices.
struct Box {
  Spot spot;
  uint64_t rowPitch = 0, slicePitch = 0;
  std::array<uint64_t, 3> region = {0, 1, 1};

  bool isRow() const { return region[1] == 1 && region[2] == 1; }
  uint64_t bytes() const { return region[0] * region[1] * region[2]; }
};
QUERN_RECORD_FIELDS(Box, v.spot, v.rowPitch, v.slicePitch, v.region)

struct DoNothing {};
template <typename Archive, MaybeConst<DoNothing> T> void fields(Archive&, T&) {}

/// Within the node; the boxes have one region.
struct CopyBox {
  Box source, destination;
};
QUERN_RECORD_FIELDS(CopyBox, v.source, v.destination)

/// A pattern of up to 128 bytes over the rows of a box.
struct FillBox {
  Box destination;
  Bytes pattern;
};
QUERN_RECORD_FIELDS(FillBox, v.destination, v.pattern)

/// Brings bytes of the program, row after row without gaps: `data`, or what comes with the tag.
struct Receive {
  Box destination;
  int32_t tag = 0;
  Bytes data;
};
QUERN_RECORD_FIELDS(Receive, v.destination, v.tag, v.data)

/// Sends bytes to the program likewise: with the tag or, where it is 0, in Finished.
struct Send {
  Box source;
  int32_t tag = 0;
};
QUERN_RECORD_FIELDS(Send, v.source, v.tag)

/// Gets bytes from an allocation of another node.
struct Fetch {
  int32_t node = 0;
  Spot source, destination;
  uint64_t bytes = 0;
};
QUERN_RECORD_FIELDS(Fetch, v.node, v.source, v.destination, v.bytes)

using WireWork = std::variant<DoNothing, Launch, CopyBox, FillBox, Receive, Send, Fetch>;

struct Submit {
  uint64_t queue = 0, command = 0;
  WireWork work;
};
template <size_t I = 0> void readAlternative(FieldReader& in, WireWork& work, uint8_t index) {
  if constexpr (I < std::variant_size_v<WireWork>) {
    if (index == I)
      in(work.emplace<I>());
    else
      readAlternative<I + 1>(in, work, index);
  } else {
    in.fail();
  }
}
template <typename Archive, MaybeConst<Submit> T> void fields(Archive& archive, T& v) {
  auto index = static_cast<uint8_t>(v.work.index());
  archive(v.queue, v.command, index);
  if constexpr (std::is_const_v<T>)
    std::visit([&](const auto& work) { archive(work); }, v.work);
  else
    readAlternative(archive, v.work, index);
}

#undef QUERN_RECORD_FIELDS

/// All kinds of records.
#define QUERN_RECORDS(R)                                                                           \
  R(Hello)                                                                                         \
  R(Allocate)                                                                                      \
  R(CreateImage)                                                                                   \
  R(Load)                                                                                          \
  R(CreateQueue)                                                                                   \
  R(CheckLaunch)                                                                                   \
  R(SuggestLocalSize)                                                                              \
  R(Partition)                                                                                     \
  R(AddSpecialisation)                                                                             \
  R(Store)                                                                                         \
  R(SetHotnessTrigger)                                                                             \
  R(Free)                                                                                          \
  R(Ping)                                                                                          \
  R(PeerGone)                                                                                      \
  R(Bye)                                                                                           \
  R(Submit)                                                                                        \
  R(Reply)                                                                                         \
  R(Finished)                                                                                      \
  R(Hot)                                                                                           \
  R(Print)                                                                                         \
  R(Pong)                                                                                          \
  R(Pull)

enum class RecordKind : uint8_t {
#define QUERN_RECORD_KIND(type) type,
  QUERN_RECORDS(QUERN_RECORD_KIND)
#undef QUERN_RECORD_KIND
};

#define QUERN_RECORD_KIND(type)                                                                    \
  constexpr RecordKind kindOf(const type&) {                                                       \
    return RecordKind::type;                                                                       \
  }
QUERN_RECORDS(QUERN_RECORD_KIND)
#undef QUERN_RECORD_KIND

template <typename Record> void write(FieldWriter& out, const Record& record) {
  out(kindOf(record), record);
}

/// Calls `receiver` with each record of `message`, which may be anything: false, and no more is
/// read, where it is damaged. `receiver` says whether to go on.
template <typename Receiver>
bool forEachRecord(std::span<const std::byte> message, Receiver&& receiver) {
  FieldReader in(message);
  const auto give = [&]<typename Record>(Record record) {
    in(record);
    return in.ok() && receiver(record);
  };
  while (!in.atEnd()) {
    RecordKind kind{};
    in(kind);
    bool goesOn = false;
    switch (kind) {
#define QUERN_RECORD_CASE(type)                                                                    \
  case RecordKind::type:                                                                           \
    goesOn = give(type());                                                                         \
    break;
      QUERN_RECORDS(QUERN_RECORD_CASE)
#undef QUERN_RECORD_CASE
    }
    if (!goesOn)
      return false;
  }
  return true;
}

} // namespace quern::cluster
