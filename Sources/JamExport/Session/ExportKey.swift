public import JamCore

/// A key from a frame on, as a key signature.
public struct ExportKey: Hashable, Sendable {
  /// Frames since the beginning of the session.
  public var frame: Int
  /// The number of sharps, −7…7; flats are negative.
  public var sharps: Int
  public var isMinor: Bool

  public init(frame: Int, sharps: Int, isMinor: Bool) {
    self.frame = frame
    self.sharps = sharps
    self.isMinor = isMinor
  }

  /// The major or the minor key on the first note of `key`, by the third of its scale: signatures
  /// know only these two. A key that would need more than seven signs is written as the one that
  /// sounds the same.
  public init(frame: Int, _ key: MusicalKey) {
    let steps = key.scale.steps
    let isMinor = steps.contains(3) && !steps.contains(4)
    let root = key.root.rawValue
    // The circle of fifths: C has no sharps, and each fifth has one more.
    let fifths = Array("FCGDAEB").firstIndex { $0 == root.first }.map { $0 - 1 } ?? 0
    let sign = root.hasSuffix("#") ? 7 : root.hasSuffix("b") ? -7 : 0
    var sharps = fifths + sign - (isMinor ? 3 : 0)
    if sharps > 7 { sharps -= 12 }
    if sharps < -7 { sharps += 12 }
    self.init(frame: frame, sharps: sharps, isMinor: isMinor)
  }
}
