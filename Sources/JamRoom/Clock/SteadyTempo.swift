internal import JamCore

/// The last tempo that held for a moment. Sounds follow it: a glide does not make them anew.
struct SteadyTempo: Equatable, Sendable {
  /// The time that a tempo has to stand.
  static let patience = Frames.milliseconds(250)

  /// Beats per minute.
  private(set) var bpm: Double
  /// The tempo as seen last, and since when.
  private var seen: Double
  private var since = Frames.zero
  /// The clock's revision when it was looked at last, and whether there was another since it stood.
  private var revision: UInt64 = 0
  private var hasMoved = false

  init(_ tempo: Tempo) {
    bpm = tempo.beatsPerMinute
    seen = bpm
  }

  /// - Parameter revision: of the clock; nil where an outside clock moves it all the time.
  /// - Returns: whether another tempo has stood for long enough, or the same one after beats moved.
  mutating func look(at tempo: Tempo, _ revision: UInt64?, _ now: Frames) -> Bool {
    if let revision, revision != self.revision {
      // The room's first clock has moved nothing.
      hasMoved = self.revision > 0
      (self.revision, since) = (revision, now)
    }
    if tempo.beatsPerMinute != seen { (seen, since) = (tempo.beatsPerMinute, now) }
    guard seen != bpm || hasMoved, now - since >= SteadyTempo.patience else { return false }
    bpm = seen
    hasMoved = false
    return true
  }
}

extension Clock {
  /// - Returns: whether another tempo has stood for a moment, or the same one after beats moved.
  mutating func look(at frame: Frames) -> Bool {
    steady.look(at: view.tempo(at: view.beat(at: frame)), outside.source == nil ? revision : nil, frame)
  }

  /// The tempo as it is, whatever it was a moment ago: nobody has heard anything yet.
  mutating func settle() { steady = SteadyTempo(map.settledTempo) }
}
