#include "data/trace/wire.h"

#include "data/trace/column_codec.h"

namespace tilebound {

bool WireReader::Next() {
  if (!ok_ || (rest_.empty() && unread_ == 0)) return false;
  ok_ = false;  // Until this field has turned out whole.
  uint64_t tag;
  if (!ConsumeVarint(rest_, tag) || tag >> 32 != 0 || tag >> 3 == 0) {
    return false;
  }
  field_ = static_cast<uint32_t>(tag >> 3);
  type_ = tag & 7;
  size_t fixed = 0;
  switch (type_) {
    case 0:
      if (!ConsumeVarint(rest_, number_)) return false;
      break;
    case 2:
      if (!ConsumeVarint(rest_, size_) || size_ > rest_.size() + unread_) {
        return false;
      }
      bytes_ = rest_.substr(0, size_);
      unread_ -= size_ - bytes_.size();
      rest_.remove_prefix(bytes_.size());
      break;
    case 1:
      fixed = 8;
      break;
    case 5:
      fixed = 4;
      break;
    default:
      return false;
  }
  if (fixed > rest_.size()) return false;
  rest_.remove_prefix(fixed);
  return ok_ = true;
}

}  // namespace tilebound
