// What thread 0 tells the other threads of its block, through shared memory.
//
// The snapshot rule: thread 0 writes a word, all threads pass a barrier, each
// reads the word into a register, and branches on the register; the word is not
// written again before one more barrier. A branch on the live word can split
// the block across two barriers, which corrupts a whole tile in silence.
#ifndef TILEBOUND_GPU_PROTOCOL_MESSAGE_CUH_
#define TILEBOUND_GPU_PROTOCOL_MESSAGE_CUH_

#include <cstdint>

namespace tilebound::gpu {

struct Message {
  uint64_t ticket;
  // Whether the flag has moved: at the boundary; and at sites inside a tile, by
  // turns where a look rides on the barrier of every chunk.
  uint32_t moved;
  uint32_t changed[2];
  // The claim that thread 0 won, and for which event.
  uint32_t claim;
  uint32_t event;
  // Where the outputs of the tile in hand go: its own index, or, once it was
  // given up, that of the urgent tile for which it was, marked.
  uint32_t where;
  // Thread 0 of block 0: when the run is over (protocol/setter.cuh).
  uint32_t deadline;
};

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_PROTOCOL_MESSAGE_CUH_
