public import JamRealtime

/// The lines that a `KitStore`'s work stands in.
extension BackgroundPool.Line {
  /// Reading kits and sounds that somebody waits for.
  static func reading(for owner: String) -> Self { Self("reading", of: owner) }
  /// Decoding what people brought along.
  static func decoding(for owner: String) -> Self { Self("decoding", of: owner) }
  /// Encoding sounds for pages that play them.
  static func encoding(for owner: String) -> Self { Self("encoding", of: owner) }
  static func stretching(for owner: String) -> Self { Self("stretching", of: owner) }
  /// Rendering or cutting of past bars.
  static func grabbing(for owner: String) -> Self { Self("grabbing", of: owner) }
  /// Replays a whole take, in an own pool. Takes left at the server's end are made on request.
  public static func making(for owner: String) -> Self { Self("making", of: owner) }
  /// Writing files. Of one owner they are written in order.
  static func keeping(_ what: String) -> Self { Self("keeping", of: what) }

  /// The work that is done even though the server ends.
  static let kept: Set = ["keeping"]

  /// Large work does not run on all cores at once: making the longest sound takes some 150 MiB, a
  /// stretched one 300 MiB.
  static let atOnce = ["reading": 2, "decoding": 1, "grabbing": 1, "stretching": 2, "encoding": 1]
}
