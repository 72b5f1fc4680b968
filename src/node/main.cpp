#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cluster/link.h"
#include "node/node.h"

/// quern-node: a node of a cluster, started by an MPI launcher beside the program that uses it.
namespace {

int serve() {
  quern::cluster::Link* const link = quern::cluster::Link::join();
  if (!link) {
    std::fprintf(stderr, "quern-node: an MPI launcher starts it beside a program, as in "
                         "mpirun -n 1 PROGRAM : -n 3 quern-node; this machine has no MPI, or there "
                         "is no such launcher\n");
    return 1;
  }
  if (link->rank() == 0) {
    std::fprintf(stderr, "quern-node: the first process of a job is the program's\n");
    return 1;
  }
  const char* const secret = std::getenv("QUERN_NODE_SECRET");
  auto* const node = new quern::node::Node(*link, secret ? secret : "");
  node->serve();
  // Devices and their threads end with the process.
  std::fflush(nullptr);
  _exit(0);
}

/// Waits for the node, so that a launcher, which would end the whole job when one of its processes
/// is killed, does not see it.
int keep(pid_t node) {
  // MPICH's launcher sends it to all when a process is gone.
  std::signal(SIGUSR1, SIG_IGN);
  int status = 0;
  while (waitpid(node, &status, 0) < 0) {
  }
  if (WIFEXITED(status))
    return WEXITSTATUS(status);
  std::fprintf(stderr, "quern-node: process %d was ended by signal %d\n", static_cast<int>(node),
               WTERMSIG(status));
  return 0;
}

} // namespace

int main() {
  const pid_t keeper = getpid();
  const pid_t node = fork();
  if (node > 0)
    return keep(node);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != keeper && node == 0)
    return 1;
  return serve();
}
