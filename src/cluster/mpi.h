#pragma once

/// The part of MPI that Quern uses, declared here so that none is needed to build: it is opened at
/// run time. Values and layouts are those of the binary interface that MPICH and the
/// implementations derived from it share, with the sessions of MPI 4.0.
namespace quern::cluster::mpi {

using Comm = int;
using Datatype = int;
using ErrorHandler = int;
using Group = int;
using Info = int;
using Request = int;
using Session = int;

inline constexpr int success = 0;
inline constexpr int errorInStatus = 17;
inline constexpr int undefined = -32766;
inline constexpr int anySource = -2;
inline constexpr Datatype byte = 0x4c00010d;
inline constexpr ErrorHandler errorsReturn = 0x54000001;
inline constexpr Info infoNull = 0x1c000000;
inline constexpr Request requestNull = 0x2c000000;
inline constexpr int tagUpperBound = 0x64400001;

struct Status {
  int countLow;
  int countHighAndCancelled;
  int source;
  int tag;
  int error;
};

#define QUERN_MPI_FUNCTIONS(F)                                                                     \
  F(cancel, "MPI_Cancel", (Request * request))                                                     \
  F(commCreateFromGroup, "MPI_Comm_create_from_group",                                             \
    (Group group, const char* tag, Info info, ErrorHandler handler, Comm* comm))                   \
  F(commDisconnect, "MPI_Comm_disconnect", (Comm * comm))                                          \
  F(commGetAttr, "MPI_Comm_get_attr", (Comm comm, int key, void* value, int* found))               \
  F(commRank, "MPI_Comm_rank", (Comm comm, int* rank))                                             \
  F(commSize, "MPI_Comm_size", (Comm comm, int* size))                                             \
  F(getCount, "MPI_Get_count", (const Status* status, Datatype type, int* count))                  \
  F(groupFree, "MPI_Group_free", (Group * group))                                                  \
  F(groupFromSession, "MPI_Group_from_session_pset",                                               \
    (Session session, const char* name, Group* group))                                             \
  F(groupSize, "MPI_Group_size", (Group group, int* size))                                         \
  F(infoCreate, "MPI_Info_create", (Info * info))                                                  \
  F(infoFree, "MPI_Info_free", (Info * info))                                                      \
  F(infoSet, "MPI_Info_set", (Info info, const char* key, const char* value))                      \
  F(irecv, "MPI_Irecv",                                                                            \
    (void* buffer, int count, Datatype type, int source, int tag, Comm comm, Request* request))    \
  F(isend, "MPI_Isend",                                                                            \
    (const void* buffer, int count, Datatype type, int target, int tag, Comm comm,                 \
     Request* request))                                                                            \
  F(requestFree, "MPI_Request_free", (Request * request))                                          \
  F(sessionFinalize, "MPI_Session_finalize", (Session * session))                                  \
  F(sessionInit, "MPI_Session_init", (Info info, ErrorHandler handler, Session * session))         \
  F(testsome, "MPI_Testsome",                                                                      \
    (int count, Request* requests, int* completed, int* indices, Status* statuses))

struct Api {
#define QUERN_MPI_DECLARE(name, symbol, parameters) int(*name) parameters = nullptr;
  QUERN_MPI_FUNCTIONS(QUERN_MPI_DECLARE)
#undef QUERN_MPI_DECLARE

  /// The functions of the system's MPI; null where it has none, or one without sessions.
  /// Thread-safe.
  static const Api* load();
};

} // namespace quern::cluster::mpi
