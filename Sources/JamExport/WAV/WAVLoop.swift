/// The data that programs need about a sound with one tempo: the `acid` chunk.
public struct WAVLoop: Hashable, Sendable {
  /// Quarter notes in the whole file.
  public var beats: Int
  /// Quarter notes in a minute.
  public var beatsPerMinute: Double
  public var beatsPerBar: Int
  public var beatUnit: Int
  /// A sound that programs shall not stretch to their own tempo.
  public var isOneShot: Bool

  public init(beats: Int, beatsPerMinute: Double, beatsPerBar: Int = 4, beatUnit: Int = 4, isOneShot: Bool = false) {
    self.beats = beats
    self.beatsPerMinute = beatsPerMinute
    self.beatsPerBar = beatsPerBar
    self.beatUnit = beatUnit
    self.isOneShot = isOneShot
  }
}
