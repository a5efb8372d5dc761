"""Waiting for what will be, in every test with a real server."""

import time


class Patient:
    """A test case that waits."""

    def wait_until(self, what, condition, seconds=30):
        """Until `condition()` is true; the time is a bound, not a measure."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if condition():
                return
            time.sleep(0.05)
        self.fail(f"not within {seconds} s: {what}")
