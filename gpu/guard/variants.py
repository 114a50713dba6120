"""Tells from a kernel's mangled name which variant it is.

The variant's enumerators are template arguments of the kernel, so the name
holds their numbers; gpu/kernels/variant.h says what the numbers mean.
"""

import re


class Names:
    """Enumerators of the enumerations of variant.h."""

    def __init__(self, header):
        self._enums = {}
        for name, body in re.findall(r"enum class (\w+)[^{]*\{([^}]*)\}",
                                     header):
            self._enums[name] = [word[1:].lower()
                                 for word in re.findall(r"\bk[A-Z]\w*", body)]

    def variant(self, mangled):
        """{"TileKind": "sgemm64", ...}; empty for a kernel that has none."""
        found = {}
        # An argument is L, the enumeration's name, E, the number, E.
        for start in re.finditer(r"LN(?:S\w*?_)+(\d+)", mangled):
            end = start.end() + int(start.group(1))
            name = mangled[start.end():end]
            number = re.match(r"E(\d+)E", mangled[end:])
            if name in self._enums and number:
                found[name] = self._enums[name][int(number.group(1))]
        return found


def plain(mangled):
    """The name without the hash of the file's path that the compiler puts into
    names of an anonymous namespace."""
    return re.sub(r"\d+_GLOBAL__N__[0-9a-f]{8}_\d+_\w+?_cu_[0-9a-f]{8}",
                  "_anonymous_", mangled)
