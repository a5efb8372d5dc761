"""Sound as tests look at it: levels, onsets, both channels. Standard library only."""

import array
import math
import struct
import subprocess


class Sound:
    def __init__(self, left, right, rate=48_000):
        self.left, self.right, self.rate = left, right, rate

    @classmethod
    def from_wav(cls, data: bytes) -> "Sound":
        assert data[:4] == b"RIFF" and data[8:12] == b"WAVE", "no WAV file"
        at, form, body = 12, None, b""
        while at + 8 <= len(data):
            name, size = data[at:at + 4], struct.unpack("<I", data[at + 4:at + 8])[0]
            if name == b"fmt ":
                form = struct.unpack("<HHIIHH", data[at + 8:at + 24])
            elif name == b"data":
                body = data[at + 8:at + 8 + size]
            at += 8 + size + size % 2
        kind, channels, rate, _, _, bits = form
        if bits == 24:
            # The three bytes become the upper three of an int32.
            wide = bytearray(len(body) // 3 * 4)
            for i in range(3):
                wide[i + 1::4] = body[i::3]
            values, scale = array.array("i", bytes(wide)), 2.0**31
        elif bits == 32 and kind == 3:
            values, scale = array.array("f", body), 1.0
        elif bits == 16:
            values, scale = array.array("h", body), 2.0**15
        else:
            raise AssertionError(f"unexpected WAV format {form}")
        sound = cls(values[0::channels], values[1 % channels::channels], rate)
        sound.scale = scale
        return sound

    @classmethod
    def from_file(cls, path) -> "Sound":
        with open(path, "rb") as file:
            return cls.from_wav(file.read())

    @classmethod
    def decoded(cls, path) -> "Sound":
        """Any file that ffmpeg reads."""
        result = subprocess.run(
            ["ffmpeg", "-v", "error", "-i", str(path), "-f", "s16le", "-ac", "2", "-ar", "48000", "-"],
            capture_output=True, timeout=60)
        assert result.returncode == 0, result.stderr.decode()
        return cls.from_s16(result.stdout)

    @classmethod
    def from_s16(cls, data: bytes) -> "Sound":
        values = array.array("h", data[:len(data) // 4 * 4])
        sound = cls(values[0::2], values[1::2])
        sound.scale = 2.0**15
        return sound

    scale = 1.0

    @property
    def seconds(self) -> float:
        return len(self.left) / self.rate

    def peak(self, channel="left") -> float:
        """dBFS; −inf for silence."""
        values = getattr(self, channel)
        top = max((abs(v) for v in values), default=0) / self.scale
        return 20 * math.log10(top) if top else -math.inf

    def onsets(self, threshold=-40.0, rest=0.12, is_excerpt=False):
        """Seconds at which sound begins after at least `rest` seconds below `threshold` dBFS.

        An excerpt may begin within a sound, which does not begin there.
        """
        limit = 10 ** (threshold / 20) * self.scale
        found, quiet = [], 0 if is_excerpt else rest * self.rate
        for i, (left, right) in enumerate(zip(self.left, self.right)):
            if abs(left) > limit or abs(right) > limit:
                if quiet >= rest * self.rate:
                    found.append(i / self.rate)
                quiet = 0
            else:
                quiet += 1
        return found

    def place(self, onset, seconds=0.06):
        """Where the short sound that begins about `onset` lies: the centre of its energy, in seconds.

        Between like sounds these are as far apart as the sounds, to a few samples, whatever a codec smears ahead of them.
        """
        first, last = max(0, int((onset - 0.01) * self.rate)), int((onset + seconds) * self.rate)
        energy = [left * left + right * right for left, right in zip(self.left[first:last], self.right[first:last])]
        return (first + sum(i * e for i, e in enumerate(energy)) / sum(energy)) / self.rate


def rhythm(onsets):
    """Seconds between onsets."""
    return [b - a for a, b in zip(onsets, onsets[1:])]


def ogg_seconds(path) -> float:
    """The position up to which an Ogg Opus file reaches: the last page's granule (RFC 3533 §6, RFC 7845 §4)."""
    data = path.read_bytes()
    page = data.rfind(b"OggS", 0, max(0, len(data) - 14 + 4))
    return struct.unpack_from("<q", data, page + 6)[0] / 48_000 if page >= 0 else 0.0
