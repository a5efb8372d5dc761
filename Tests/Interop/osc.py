"""OSC packets by hand: what a library would not send."""

import struct


def string(text: str) -> bytes:
    data = text.encode() + b"\0"
    return data + b"\0" * (-len(data) % 4)


def message(address: str, *arguments) -> bytes:
    tags, data = ",", b""
    for value in arguments:
        if isinstance(value, bool):
            tags += "T" if value else "F"
        elif isinstance(value, float):
            tags, data = tags + "f", data + struct.pack(">f", value)
        elif isinstance(value, int):
            kind = "i" if -2**31 <= value < 2**31 else "h"
            tags, data = tags + kind, data + struct.pack(">i" if kind == "i" else ">q", value)
        else:
            tags, data = tags + "s", data + string(value)
    return string(address) + string(tags) + data


def bundle(*packets: bytes, tag: int = 1) -> bytes:
    return b"#bundle\0" + struct.pack(">Q", tag) + b"".join(struct.pack(">i", len(p)) + p for p in packets)


def timetag(moment: float) -> int:
    """NTP time of a moment of `time.time()`."""
    return int((moment + 2_208_988_800) * 2**32)


def score(*moments) -> bytes:
    """A SCORE: pairs of seconds and lists of messages."""
    result = b""
    for seconds, messages in moments:
        data = bundle(*messages, tag=int(seconds * 2**32))
        result += struct.pack(">i", len(data)) + data
    return result
