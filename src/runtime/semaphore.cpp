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

Status checkImported(const Semaphore::Imported& imported) {
  const bool isOpaque = imported.type == CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR;
  if (isOpaque ? SharedPayload::isExported(imported.file) : isSyncFileOrNone(imported.file))
    return {};
  return Status::error(
      CL_INVALID_PROPERTY,
      sentence("file descriptor ", imported.file, " is no ",
               isOpaque ? "semaphore that was exported by a device of this kind" : "sync file"));
}

} // namespace

Result<Ref<Semaphore>> Semaphore::create(Context& context, Creation creation) {
  const std::optional<Imported> imported = creation.imported;
  if (imported)
    QUERN_TRY(checkImported(*imported));
  Ref<SharedPayload> shared;
  if (creation.exportable == CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR) {
    QUERN_ASSIGN(shared, SharedPayload::create());
  }
  if (imported && imported->type == CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR)
    shared = makeRef<SharedPayload>(FileDescriptor(imported->file));
  auto made = makeRef<Semaphore>(Ref<Context>(&context), std::move(creation), std::move(shared));
  if (imported && !made->shared_)
    made->signals_.import(FileDescriptor(imported->file));
  return made;
}

Semaphore::Semaphore(Ref<Context> context, Creation creation, Ref<SharedPayload> shared)
    : Object(ObjectKind::Semaphore), context_(std::move(context)), creation_(std::move(creation)),
      shared_(std::move(shared)) {}

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
