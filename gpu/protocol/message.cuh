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
  // Index of the urgent tile for which the tile in hand was given up.
  uint32_t given_up_for;
  // Thread 0's own, which no other thread reads: looks until the next one that
  // counts, last generation that was handled, background tiles finished, and in
  // block 0 the setter's schedule. Not in registers, because every thread of
  // every block would have to hold them.
  struct Own {
    uint32_t countdown;
    uint32_t seen;
    uint32_t tiles;
  } own;
  uint32_t schedule[4];
};

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_PROTOCOL_MESSAGE_CUH_
