#pragma once

#include <CL/cl.h>

/// Sync files of Linux (linux/sync_file.h): descriptors of work that another driver will end.
namespace quern::runtime {

bool isSyncFile(int file);

/// CL_COMPLETE when the work has ended, CL_SUBMITTED when it has not, or a negative code when it
/// has failed.
cl_int statusOfSyncFile(int file);

} // namespace quern::runtime
