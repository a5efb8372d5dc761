internal import JamCore

/// The tempo that held last for a moment: what sounds follow, which are not made anew for each tempo of a glide.
struct SteadyTempo: Equatable, Sendable {
  /// How long a tempo has to stand.
  static let patience = Frames.milliseconds(250)

  /// Beats per minute.
  private(set) var bpm: Double
  /// As it was seen last, and from when on.
  private var seen: Double
  private var since = Frames.zero

  init(_ tempo: Tempo) {
    bpm = tempo.beatsPerMinute
    seen = bpm
  }

  /// - Returns: whether another tempo has stood for long enough.
  mutating func look(at tempo: Tempo, _ now: Frames) -> Bool {
    if tempo.beatsPerMinute != seen { (seen, since) = (tempo.beatsPerMinute, now) }
    guard seen != bpm, now - since >= SteadyTempo.patience else { return false }
    bpm = seen
    return true
  }
}

extension Clock {
  /// - Returns: whether another tempo has stood for a moment.
  mutating func look(at frame: Frames) -> Bool {
    steady.look(at: view.tempo(at: view.beat(at: frame)), frame)
  }

  /// The tempo as it is, whatever it was a moment ago: nobody has heard anything yet.
  mutating func settle() { steady = SteadyTempo(map.settledTempo) }
}
