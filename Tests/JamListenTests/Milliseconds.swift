import JamCore

/// That many milliseconds after an arbitrary moment.
func milliseconds(_ value: Double) -> HostTime { HostTime(nanoseconds: 1_000_000_000).advanced(byMilliseconds: value) }
