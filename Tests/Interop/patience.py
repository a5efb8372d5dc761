"""Waiting for what will be, in every test with a real server."""

import time


class Patient:
    """A test case, or whoever acts in one, that waits."""

    def wait_until(self, what, condition, seconds=30):
        """Until `condition()` is true; the time is a bound, not a measure."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if condition():
                return
            time.sleep(0.05)
        raise AssertionError(f"not within {seconds} s: {what}")

    def still(self, what, look, times=4):
        """What `look()` gives once it has been the same for some looks.

        What comes from the server in pieces, or is laid out in some frames, is whole by then.
        """
        seen = []

        def same():
            seen.append(look())
            return len(seen) >= times and seen[-1] is not None and all(each == seen[-1] for each in seen[-times:])

        self.wait_until(f"{what} is as it stays", same)
        return seen[-1]
