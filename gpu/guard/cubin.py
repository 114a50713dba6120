"""Reads the machine code of each kernel out of a cubin, which is an ELF file."""

import struct


def machine_code(path):
    """{kernel: bytes of its .text section}."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:5] != b"\x7fELF\x02":
        raise ValueError(f"{path}: not a 64-bit ELF file")
    (sections_at,) = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)

    def section(i):
        # Name, offset and size of section i.
        at = sections_at + i * size
        (name,) = struct.unpack_from("<I", data, at)
        offset, length = struct.unpack_from("<QQ", data, at + 0x18)
        return name, offset, length

    _, strings, _ = section(names)
    code = {}
    for i in range(count):
        name, offset, length = section(i)
        start = strings + name
        text = data[start:data.index(b"\0", start)].decode()
        if text.startswith(".text."):
            code[text[len(".text."):]] = data[offset:offset + length]
    return code
