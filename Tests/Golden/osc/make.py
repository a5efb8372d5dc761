"""Writes the golden OSC packets beside it, byte by byte from the OSC 1.0 text: no OSC library has a hand in them."""
import pathlib
import struct

here = pathlib.Path(__file__).parent


def pad(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % 4)


def text(value: str) -> bytes:
    return pad(value.encode() + b"\0")


def message(address: str, types: str = "", *arguments) -> bytes:
    out = text(address) + text("," + types)
    arguments = list(arguments)
    for kind in types:
        if kind in "TFNI":
            continue
        value = arguments.pop(0)
        if kind in "sS":
            out += text(value)
        elif kind == "b":
            out += pad(struct.pack(">i", len(value)) + value)
        elif kind == "c":
            out += struct.pack(">i", ord(value))
        elif kind == "m":
            out += bytes(value)
        else:
            out += struct.pack(">" + {"i": "i", "f": "f", "h": "q", "d": "d", "t": "Q"}[kind], value)
    return out


def bundle(timetag: int, *elements: bytes) -> bytes:
    out = b"#bundle\0" + struct.pack(">Q", timetag)
    for element in elements:
        out += struct.pack(">i", len(element)) + element
    return out


packets = {
    "hit": message("/pad/3", "f", 0.75),
    "hit-no-argument": message("/pad/16"),
    "hit-number-argument": message("/pad", "if", 5, 1.0),
    "release": message("/pad/3", "f", 0.0),
    "hello": message("/hello", "ssss", "Änna", "main", "", "t0k3n"),
    "pad-gain": message("/pad/12/gain", "f", -6.5),
    "signature": message("/signature", "ii", 7, 8),
    "chat": message("/chat", "s", "drop on three"),
    "player-hit": message("/player/anna/pad/4", "f", 0.5),
    "every-type": message(
        "/ping", "ifhdsSbtcmTFNI", -5, 1.5, -(1 << 40), 2.25, "text", "symbol", b"\x01\x02\x03\x04\x05",
        0xE8D4A510_80000000, "x", [0, 0x90, 60, 100]),
    "bundle": bundle(0xE8D4A510_40000000, message("/pad/1", "f", 1.0), message("/pad/2", "f", 0.5)),
    "bundle-numbered": bundle(1, message("/seq", "i", 42), message("/pad/1", "f", 1.0)),
    "bundle-nested": bundle(
        1, message("/tempo", "f", 128.0),
        bundle(0xE8D4A511_00000000, message("/pad/9", "f", 0.25), message("/stop"))),
    "beat-next": bundle(0xE8D4A512_80000000, message("/beat/next", "iif", 3, 4, 120.0)),
    "position": bundle(
        1, message("/position", "iiff", 2, 1, 0.5, 120.0), message("/position/bar", "i", 2),
        message("/position/beat", "i", 1), message("/position/phase", "f", 0.5)),
}
for name, data in packets.items():
    (here / f"{name}.osc").write_bytes(data)

# Two moments of a score: frame 0, and 1.5 seconds (frame 72,000).
score = b"".join(
    struct.pack(">i", len(b)) + b
    for b in [
        bundle(0, message("/player/anna/pad/1", "f", 1.0), message("/player/anna/tempo", "f", 90.0)),
        bundle((1 << 32) + (1 << 31), message("/player/ben/pad/2", "f", 0.5)),
    ])
(here / "two-moments.score").write_bytes(score)
