// Independent pieces of work on a few threads.
#ifndef TILEBOUND_MODEL_PARALLEL_H_
#define TILEBOUND_MODEL_PARALLEL_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace tilebound::model {

// Calls work(i) for every i below `count`, each once, on up to `threads`
// threads. Results belong into slot i of something, so that they do not depend
// on the order.
template <typename Work>
void ParallelFor(size_t count, uint32_t threads, Work work) {
  std::atomic<size_t> next{0};
  const auto run = [&] {
    for (size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::thread> helpers;
  for (uint32_t t = 1; t < threads && t < count; ++t) helpers.emplace_back(run);
  run();
  for (std::thread& helper : helpers) helper.join();
}

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_PARALLEL_H_
