internal import JamCore
internal import JamEngine

/// A pad's loop that goes round.
struct RunningLoop: Equatable, Sendable {
  /// Of the press that started it.
  let number: UInt64
  let sample: SampleID
  let velocity: Velocity
  /// The beat at which it began; nil where the clock stood then.
  var beat: Beats?
  /// The pad's transposition that it sounds at, in semitones.
  var transpose: Float
  /// It went at another pitch for a while, and so round in another time.
  var isAstray = false
  /// Of a press that its client sounds itself.
  var own = OwnHit.none

  /// At its own pitch, and in octaves of it, whole rounds take whole beats.
  var isInTime: Bool { transpose.remainder(dividingBy: 12) == 0 }

  /// The beats of one round.
  /// - Parameter beats: of the whole sound, by its settings; it may last ½, 2 or 4 times as many.
  func round(of start: VoiceStart, beats: Double, bpm: Double) -> Double {
    let whole = Double(start.sample.frameCount)
    let measured = whole / 48_000 * bpm / 60
    guard beats > 0, measured > 0 else { return 0 }
    var lasting = beats
    while lasting < measured * 0.75 { lasting *= 2 }
    while lasting > measured * 1.5 { lasting /= 2 }
    return lasting * (whole - Double(start.startFrame)) / whole / Double(start.rate)
  }
}
