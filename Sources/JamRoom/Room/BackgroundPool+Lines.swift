public import JamRealtime

/// The lines that a `KitStore`'s work stands in.
extension BackgroundPool.Line {
  /// Reading kits and sounds that somebody waits for.
  static func reading(for owner: String) -> Self { Self("reading", of: owner) }
  /// Decoding what people brought along.
  static func decoding(for owner: String) -> Self { Self("decoding", of: owner) }
  static func stretching(for owner: String) -> Self { Self("stretching", of: owner) }
  /// Rendering or cutting what was played.
  static func grabbing(for owner: String) -> Self { Self("grabbing", of: owner) }
  /// Having a whole take played again: in a pool of its own. What is left of it as the server ends is done when it is asked for.
  public static func making(for owner: String) -> Self { Self("making", of: owner) }
  /// Writing files. Of one owner they are written in order.
  static func keeping(_ what: String) -> Self { Self("keeping", of: what) }

  /// What is done even though the server ends.
  static let kept: Set = ["keeping"]

  /// What takes much memory is not done by every core at once: the longest sound takes some 150 MiB while it is made,
  /// a stretched one 300 MiB.
  static let atOnce = ["reading": 2, "decoding": 1, "grabbing": 1, "stretching": 2]
}
