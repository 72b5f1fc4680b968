#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fields.h"
#include "cluster/link.h"
#include "cluster/records.h"
#include "node/node.h"

/// quern-node: a node of a cluster, started by an MPI launcher beside the program that uses it.
/// `quern-node --program PROGRAM ARGUMENTS...` runs that program, for `quern run`.
namespace {

using quern::cluster::Link;

constexpr int notFound = 127, killedBySignal = 128;

int serve() {
  Link* const link = Link::join();
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

int waitFor(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
  }
  return status;
}

/// Waits for the node. A launcher would end the whole job when one of its processes is killed, so
/// that this one stays instead, with what connects it to the launcher, until the job ends.
int keep(pid_t node) {
  // MPICH's launcher may send it to all when a process is gone.
  std::signal(SIGUSR1, SIG_IGN);
  const int status = waitFor(node);
  if (WIFEXITED(status))
    return WEXITSTATUS(status);
  std::fprintf(stderr, "quern-node: process %d was ended by signal %d\n", static_cast<int>(node),
               WTERMSIG(status));
  while (true)
    pause();
}

/// Lets the nodes, which wait for a program that has not asked for any device, go home.
void dismissNodes() {
  Link* const link = Link::join();
  if (!link)
    return;
  quern::FieldWriter out;
  write(out, quern::cluster::Bye{.leavesJob = true});
  const quern::Bytes message = out.take();
  for (int rank = 1; rank < link->size(); ++rank)
    link->send(rank, message);
  link->leave();
}

int runProgram(char** command) {
  int joined[2];
  if (pipe(joined) != 0)
    return 1;
  const pid_t program = fork();
  if (program == 0) {
    close(joined[0]);
    setenv(quern::cluster::joinedVariable, std::to_string(joined[1]).c_str(), 1);
    execvp(*command, command);
    std::fprintf(stderr, "quern: %s cannot be run: %s\n", *command, std::strerror(errno));
    _exit(notFound);
  }
  close(joined[1]);
  const int status = waitFor(program);
  char mark = 0;
  const bool hasJoined = read(joined[0], &mark, 1) == 1;
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : killedBySignal + WTERMSIG(status);
  if (!hasJoined)
    dismissNodes();
  return code;
}

} // namespace

int main(int count, char** arguments) {
  if (count > 2 && std::strcmp(arguments[1], "--program") == 0)
    return runProgram(arguments + 2);
  const pid_t keeper = getpid();
  const pid_t node = fork();
  if (node > 0)
    return keep(node);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != keeper && node == 0)
    return 1;
  return serve();
}
