// SHA-256 by OpenSSL, in the form that file hashes and fingerprints use.
#ifndef TILEBOUND_DATA_SCHEMA_SHA256_H_
#define TILEBOUND_DATA_SCHEMA_SHA256_H_

#include <string>

#include "absl/strings/string_view.h"

namespace tilebound {

// 64 lower-case hex digits.
std::string Sha256Hex(absl::string_view bytes);

}  // namespace tilebound

#endif  // TILEBOUND_DATA_SCHEMA_SHA256_H_
