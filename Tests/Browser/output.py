"""The end of a browser's output: a PulseAudio of a test's own, whose null sink is recorded with the time at which it plays.

A null sink plays by CLOCK_MONOTONIC, and its monitor hands on what it renders, at most a block before it plays that.
The recorder asks for blocks of 2 ms, so a moment that is found in the recording is right to some 2 ms.
"""

import array
import fcntl
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading
import time

RATE = 48_000
# Without these there is no output that can be recorded.
PROGRAMS = ("pulseaudio", "pactl", "parec")
MISSING = next((name for name in PROGRAMS if shutil.which(name) is None), None)
# Milliseconds of a block that is recorded.
BLOCK = 2


class Output:
    """What a browser plays to, with `environment` as the browser's, and what comes out of it.

    - beyond: a second device that plays so many milliseconds later than the browser can know, as Bluetooth does.
    """

    def __init__(self, beyond=0):
        self._folder = pathlib.Path(tempfile.mkdtemp(prefix="bandshell-output-"))
        socket = self._folder / "native"
        self.environment = {**os.environ, "HOME": str(self._folder), "XDG_RUNTIME_DIR": str(self._folder),
                            "XDG_CONFIG_HOME": str(self._folder), "PULSE_RUNTIME_PATH": str(self._folder),
                            "PULSE_STATE_PATH": str(self._folder), "PULSE_SERVER": f"unix:{socket}", "PULSE_COOKIE": "/dev/null"}
        words = ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--disable-shm=yes", "--log-target=stderr",
                 "-L", f"module-native-protocol-unix auth-anonymous=1 socket={socket}",
                 "-L", f"module-null-sink sink_name=ear rate={RATE} format=s16le channels=2",
                 "-L", f"module-null-sink sink_name=near rate={RATE} format=s16le channels=2"]
        self._daemon = subprocess.Popen(words, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        self._recorder = None
        self._parts, self._arrivals = [], []
        try:
            self._wait_for_daemon()
            self.control("set-default-sink", "near" if beyond else "ear")
            if beyond:
                self.control("load-module", "module-loopback", "source=near.monitor", "sink=ear", f"latency_msec={beyond}",
                             "adjust_time=0", "source_dont_move=true", "sink_dont_move=true")
            self._record()
        except BaseException:
            self.close()
            raise

    def control(self, *words):
        return subprocess.run(["pactl", *words], env=self.environment, check=True, capture_output=True, text=True, timeout=10).stdout

    def _wait_for_daemon(self):
        for _ in range(100):
            if self._daemon.poll() is not None:
                raise RuntimeError(f"pulseaudio ended with {self._daemon.returncode}")
            try:
                return self.control("info")
            except subprocess.CalledProcessError:
                time.sleep(0.1)
        raise RuntimeError("pulseaudio does not answer")

    def _record(self):
        self._recorder = subprocess.Popen(
            ["parec", "--raw", "--device=ear.monitor", f"--rate={RATE}", "--format=s16le", "--channels=2", f"--latency-msec={BLOCK}",
             f"--process-time-msec={BLOCK}"],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        # A reader that is held up for some seconds loses nothing.
        fcntl.fcntl(self._recorder.stdout, fcntl.F_SETPIPE_SZ, 1 << 20)
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self):
        descriptor, frames, rest = self._recorder.stdout.fileno(), 0, b""
        while data := os.read(descriptor, 65_536):
            now = time.monotonic()
            data = rest + data
            whole = len(data) // 4 * 4
            data, rest = data[:whole], data[whole:]
            frames += whole // 4
            self._parts.append(data)
            # The last frame that is here, and when it came.
            self._arrivals.append((frames, now))

    def forget(self):
        """What was recorded so far counts no longer."""
        self._first = len(self._parts)

    _first = 0

    def onsets(self, level=1_000, rest=0.15):
        """The moments of CLOCK_MONOTONIC at which sound began to leave the output after silence.

        What came soonest tells when the sink plays it: all else was held up on its way here."""
        parts, arrivals = self._parts[self._first:], self._arrivals[self._first:]
        count = min(len(parts), len(arrivals))
        base = self._arrivals[self._first - 1][0] if self._first else 0
        # A sink that was held up goes on from now: so each stretch of 2 s has a clock of its own.
        found, last = [], -1.0
        frame = base
        for index in range(count):
            samples = array.array("h", parts[index])
            left, right = samples[0::2], samples[1::2]
            if max(map(abs, right), default=0) >= level:
                stretch = arrivals[max(0, index - 500):index + 500]
                zero = min(at - frames / RATE for frames, at in stretch)
                for offset, value in enumerate(right):
                    if abs(value) >= level:
                        at = zero + (frame + offset) / RATE
                        if at - last > rest:
                            found.append(at)
                        last = at
            frame += len(right)
        return found

    def close(self):
        for process in (self._recorder, self._daemon):
            if process is not None and process.poll() is None:
                process.terminate()
                process.wait(10)
        shutil.rmtree(self._folder, ignore_errors=True)
