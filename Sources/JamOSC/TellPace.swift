internal import JamCore

/// How often values, and hits that a room plays by itself, are told: 30 times a second. All
/// subscribers are told at the same moments, so that what is told together shares bundles, and the
/// room thread wakes once for all of them.
enum TellPace {
  static let nanoseconds: Int64 = 33_333_333

  /// The next moment for who was told now: the one that is nearest to a thirtieth of a second from
  /// now.
  static func next(after now: HostTime) -> HostTime {
    HostTime(
      nanoseconds: (now.nanoseconds + nanoseconds + nanoseconds / 2) / nanoseconds * nanoseconds)
  }
}
