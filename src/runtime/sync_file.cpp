#include "runtime/sync_file.h"

#include <linux/sync_file.h>
#include <sys/ioctl.h>

namespace quern::runtime {

namespace {

/// Asks for no list of the fences, only for what they are together.
bool ask(int file, sync_file_info& info) {
  info = {};
  return ioctl(file, SYNC_IOC_FILE_INFO, &info) == 0;
}

} // namespace

bool isSyncFile(int file) {
  sync_file_info info;
  return ask(file, info);
}

cl_int statusOfSyncFile(int file) {
  sync_file_info info;
  if (!ask(file, info) || info.status < 0)
    return CL_OUT_OF_RESOURCES;
  return info.status == 1 ? CL_COMPLETE : CL_SUBMITTED;
}

} // namespace quern::runtime
