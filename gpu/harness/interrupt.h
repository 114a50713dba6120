// Ctrl-C as a question that a long command asks between two cells, so that
// what is finished is on the disk when it stops.
//
//   InterruptGuard guard;
//   for (const Work& work : all) {
//     if (Interrupted()) break;
//     ...
//   }
//
// The first SIGINT or SIGTERM raises the flag; the second one ends the process
// as usual, for whoever cannot wait for the cell at hand.
#ifndef TILEBOUND_GPU_HARNESS_INTERRUPT_H_
#define TILEBOUND_GPU_HARNESS_INTERRUPT_H_

#include <csignal>

namespace tilebound::gpu {

// Whether a guarded signal has come since the guard was made. From any thread.
bool Interrupted();

class InterruptGuard {
 public:
  InterruptGuard();
  // Gives the signals back to whoever had them.
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  struct sigaction interrupt_before_;
  struct sigaction terminate_before_;
};

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_HARNESS_INTERRUPT_H_
