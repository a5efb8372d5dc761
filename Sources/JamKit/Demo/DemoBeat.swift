public import JamCore

/// The beat that is used to judge and to hear a kit: four bars that an ordinary player would play
/// on it.
///
/// The beat follows from the kit alone, by the categories, names and modes of its pads. Kick on one
/// and three, snare and clap on two and four, hats on eighths with accents, an open hat at the end
/// of a bar, percussion between, toms in the last bar, and bass, chord, lead and voice sparsely. A
/// kit without any of these gets its other sounds one after the other.
/// Thread: any; not real-time safe. The same kit gives the same beat on every machine.
public struct DemoBeat: Hashable, Sendable {
  public static let bars = 4
  /// Steps of each bar, in four-four time.
  public static let stepsPerBar = 16
  public static let steps = bars * stepsPerBar
  /// The tempo, in bpm, of a kit that states none.
  public static let usualTempo: Float = 120

  /// One hit of a pad.
  public struct Hit: Hashable, Sendable {
    public let pad: Pad
    /// 0 ..< `DemoBeat.steps`.
    public let step: Int
    public let velocity: Velocity
    /// Steps until the pad is released, at least 1; nil where its mode plays a sound to its end.
    public let held: Int?
  }

  /// In bpm: the kit's own, or `usualTempo`.
  public let tempo: Float
  /// In playing order; hits of one step by pad.
  public let hits: [Hit]

  /// The duration of a whole beat, rounded to a frame.
  public var duration: Frames { frame(ofStep: Self.steps) }

  /// The frame on which a step begins, counted from the first one, at 48 kHz.
  public func frame(ofStep step: Int) -> Frames {
    Frames(Int64(saturating: (Double(step) * 15 * Double(Frames.perSecond) / Double(tempo)).rounded()))
  }

  /// - Parameter tempo: in bpm, above 0; nil is the kit's.
  public init(of kit: Kit, tempo: Float? = nil) {
    self.tempo = tempo ?? kit.bpm ?? Self.usualTempo
    var score = DemoScore(kit)
    score.addParts(DemoCast(kit))
    hits = score.hits.sorted { ($0.step, $0.pad) < ($1.step, $1.pad) }
  }
}
