#include "gpu/harness/interrupt.h"

#include <atomic>

namespace tilebound::gpu {
namespace {

std::atomic<bool> interrupted{false};

// A handler may touch lock-free atomics and little else.
static_assert(std::atomic<bool>::is_always_lock_free);

void Raise(int) { interrupted.store(true, std::memory_order_relaxed); }

}  // namespace

bool Interrupted() { return interrupted.load(std::memory_order_relaxed); }

InterruptGuard::InterruptGuard() {
  interrupted.store(false, std::memory_order_relaxed);
  struct sigaction action = {};
  action.sa_handler = Raise;
  sigemptyset(&action.sa_mask);
  // SA_RESETHAND: the second signal finds the default action.
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigaction(SIGINT, &action, &interrupt_before_);
  sigaction(SIGTERM, &action, &terminate_before_);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &interrupt_before_, nullptr);
  sigaction(SIGTERM, &terminate_before_, nullptr);
}

}  // namespace tilebound::gpu
