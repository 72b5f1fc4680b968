#include "runtime/semaphore.h"

#include <algorithm>

#include "base/sentence.h"
#include "runtime/sync_file.h"

namespace quern::runtime {

namespace {

/// The program gives -1 for work that has ended.
bool isSyncFileOrNone(int file) {
  return file == -1 || isSyncFile(file);
}

Status checkSyncFile(int file) {
  if (isSyncFileOrNone(file))
    return {};
  return Status::error(CL_INVALID_PROPERTY, sentence("file descriptor ", file, " is no sync file"));
}

} // namespace

Result<Ref<Semaphore>> Semaphore::create(Context& context, Creation creation) {
  const std::optional<Imported> imported = creation.imported;
  const bool isOpaque = imported && imported->type == CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR;
  Ref<SharedPayload> shared;
  Ref<device::Semaphore> onDevice;
  if (imported && !isOpaque)
    QUERN_TRY(checkSyncFile(imported->file));
  if (creation.exportable == CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR) {
    QUERN_ASSIGN(shared, SharedPayload::create());
  }
  if (isOpaque && SharedPayload::isExported(imported->file)) {
    shared = makeRef<SharedPayload>(FileDescriptor(imported->file));
  } else if (isOpaque) {
    // One of another interface is that of the device.
    QUERN_ASSIGN(onDevice, creation.devices.front()->backend().importSemaphore(imported->file));
    close(imported->file);
  }
  auto made = makeRef<Semaphore>(Ref<Context>(&context), std::move(creation), std::move(shared),
                                 std::move(onDevice));
  if (imported && !isOpaque)
    made->signals_.import(FileDescriptor(imported->file));
  return made;
}

Semaphore::Semaphore(Ref<Context> context, Creation creation, Ref<SharedPayload> shared,
                     Ref<device::Semaphore> onDevice)
    : Object(ObjectKind::Semaphore), context_(std::move(context)), creation_(std::move(creation)),
      shared_(std::move(shared)), onDevice_(std::move(onDevice)) {}

bool Semaphore::isSignaled() const {
  if (shared_)
    return shared_->isSignaled();
  if (!onDevice_)
    return signals_.isSignaled();
  return last_.with(
      [](const Last& last) { return last.isSignal && last.signal->status() == CL_COMPLETE; });
}

bool Semaphore::isFor(const Device& device) const {
  return std::ranges::any_of(creation_.devices,
                             [&](const Ref<Device>& own) { return own.get() == &device; });
}

Result<FileDescriptor> Semaphore::exportHandle() {
  if (shared_)
    return shared_->duplicate();
  QUERN_TRY(signals_.consume());
  return FileDescriptor();
}

Status Semaphore::importAgain(int syncFile) {
  if (!isSyncFileOrNone(syncFile))
    return Status::error(CL_INVALID_VALUE,
                         sentence("file descriptor ", syncFile, " is no sync file"));
  signals_.import(FileDescriptor(syncFile));
  return {};
}

} // namespace quern::runtime
