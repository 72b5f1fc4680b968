#include "runtime/external_memory.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <optional>

#include <linux/dma-buf.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/sentence.h"

namespace quern::runtime {

namespace {

namespace fs = std::filesystem;

/// Ends an access that never began, which every driver of dma-bufs accepts and nothing else does.
bool isDmaBuf(int file) {
  const dma_buf_sync sync = {.flags = DMA_BUF_SYNC_END | DMA_BUF_SYNC_READ};
  return ioctl(file, DMA_BUF_IOCTL_SYNC, &sync) == 0;
}

/// How many bytes there are, where the descriptor says so.
std::optional<uint64_t> sizeOf(int file) {
  struct stat status = {};
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode))
    return static_cast<uint64_t>(status.st_size);
  const off_t end = lseek(file, 0, SEEK_END);
  return end > 0 ? std::optional(static_cast<uint64_t>(end)) : std::nullopt;
}

Status setAccess(int file, uint64_t beginOrEnd) {
  const dma_buf_sync sync = {.flags = beginOrEnd | DMA_BUF_SYNC_RW};
  int result = 0;
  do
    result = ioctl(file, DMA_BUF_IOCTL_SYNC, &sync);
  while (result != 0 && (errno == EINTR || errno == EAGAIN));
  if (result != 0)
    return Status::error(CL_OUT_OF_RESOURCES, "the driver of a dma-buf refused access to it",
                         errno);
  return {};
}

} // namespace

bool ExternalMemory::hasDmaBufs() {
  static const bool found = [] {
    std::error_code error;
    return fs::exists("/dev/udmabuf", error) || fs::exists("/dev/dma_heap", error) ||
           fs::exists("/dev/dri", error);
  }();
  return found;
}

Result<Ref<ExternalMemory>> ExternalMemory::import(Request request) {
  FileDescriptor own(fcntl(request.file, F_DUPFD_CLOEXEC, 0));
  // The conformance suite wants this code where there is no descriptor at all.
  if (!own)
    return Status::error(CL_INVALID_VALUE,
                         sentence("file descriptor ", request.file, " is not open"), errno);
  if (request.kind == Kind::DmaBuf && !isDmaBuf(request.file))
    return Status::error(CL_INVALID_PROPERTY,
                         sentence("file descriptor ", request.file, " is no dma-buf"));
  if (const auto size = sizeOf(request.file); size && *size < request.bytes)
    return Status::error(request.tooLarge, sentence("the memory object needs ", request.bytes,
                                                    " bytes, but the memory of file descriptor ",
                                                    request.file, " has ", *size));
  void* const data =
      mmap(nullptr, request.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, request.file, 0);
  if (data != MAP_FAILED)
    return makeRef<ExternalMemory>(std::move(request), std::move(own),
                                   static_cast<std::byte*>(data), nullptr);
  if (errno == ENOMEM)
    return Status::error(CL_OUT_OF_RESOURCES,
                         sentence("the system cannot map ", request.bytes, " bytes"), errno);
  if (request.kind == Kind::OpaqueDescriptor && request.mayBeOnDevice) {
    device::Device& device = request.devices.front()->backend();
    QUERN_ASSIGN(Ref<device::Allocation> memory, device.importMemory(own.get(), request.bytes));
    return makeRef<ExternalMemory>(std::move(request), std::move(own), nullptr, std::move(memory));
  }
  return Status::error(
      CL_INVALID_PROPERTY,
      sentence("file descriptor ", request.file, " is of no memory that can be read and written"),
      errno);
}

ExternalMemory::ExternalMemory(Request request, FileDescriptor file, std::byte* data,
                               Ref<device::Allocation> onDevice)
    : kind_(request.kind), file_(std::move(file)), bytes_(request.bytes),
      devices_(std::move(request.devices)), data_(data), onDevice_(std::move(onDevice)) {}

ExternalMemory::~ExternalMemory() {
  if (data_)
    munmap(data_, bytes_);
}

bool ExternalMemory::isFor(const Device& device) const {
  return std::ranges::any_of(devices_,
                             [&](const Ref<Device>& own) { return own.get() == &device; });
}

Status ExternalMemory::beginAccess() const {
  return setAccess(file_.get(), DMA_BUF_SYNC_START);
}

Status ExternalMemory::endAccess() const {
  return setAccess(file_.get(), DMA_BUF_SYNC_END);
}

} // namespace quern::runtime
