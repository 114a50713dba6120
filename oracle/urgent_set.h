// Which urgent tiles of which events had something done to them: one bit each.
//
//   UrgentSet ended(sets, header.cell().urgent_tiles());
//   if (!ended.Insert(event, tile)) ...   // was there already
//
// Room for an event is made when its first tile comes.
#ifndef TILEBOUND_ORACLE_URGENT_SET_H_
#define TILEBOUND_ORACLE_URGENT_SET_H_

#include <bit>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "oracle/finding.h"
#include "oracle/set_table.h"

namespace tilebound::oracle {

class UrgentSet {
 public:
  using Key = std::pair<uint64_t, uint32_t>;

  UrgentSet(const SetTable& sets, uint32_t tiles)
      : sets_(sets), words_((tiles + 63) / 64), bits_(sets.events().size()) {}

  // Notes urgent tile `tile` (less than tiles) of an event.
  void Insert(const SetTable::Event& event, uint32_t tile) {
    uint64_t& word = Words(sets_.IndexOf(event))[tile / 64];
    const uint64_t bit = uint64_t{1} << (tile % 64);
    if (word & bit) Again({event.generation, tile});
    word |= bit;
  }

  bool Contains(size_t event, uint32_t tile) const {
    return !bits_[event].empty() &&
           ((bits_[event][tile / 64] >> (tile % 64)) & 1);
  }
  uint64_t CountOf(size_t event) const {
    uint64_t count = 0;
    for (const uint64_t word : bits_[event]) count += std::popcount(word);
    return count;
  }

  void Absorb(UrgentSet& other) {
    again_count_ += other.again_count_;
    for (const Key& key : other.again_) KeepAgain(key);
    for (size_t e = 0; e < bits_.size(); ++e) {
      if (other.bits_[e].empty()) continue;
      uint64_t* words = Words(e);
      for (size_t w = 0; w < words_; ++w) {
        for (uint64_t both = words[w] & other.bits_[e][w]; both != 0;
             both &= both - 1) {
          Again({sets_.events()[e].generation,
                 static_cast<uint32_t>(w * 64 + std::countr_zero(both))});
        }
        words[w] |= other.bits_[e][w];
      }
    }
  }

  // Insertions of what was there already, and the first such keys.
  uint64_t again_count() const { return again_count_; }
  const std::set<Key>& again() const { return again_; }

 private:
  uint64_t* Words(size_t event) {
    bits_[event].resize(words_);
    return bits_[event].data();
  }
  void Again(Key key) {
    ++again_count_;
    KeepAgain(key);
  }
  void KeepAgain(Key key) {
    again_.insert(key);
    if (again_.size() > FindingLog::kKept)
      again_.erase(std::prev(again_.end()));
  }

  const SetTable& sets_;
  const size_t words_;
  std::vector<std::vector<uint64_t>> bits_;
  uint64_t again_count_ = 0;
  std::set<Key> again_;
};

}  // namespace tilebound::oracle

#endif  // TILEBOUND_ORACLE_URGENT_SET_H_
