public import JamCore

/// A groove: drums, a bass and chords over one of the program's progressions, in a key.
///
/// The same roll of the same wishes gives the same groove on every machine.
/// Thread: any; not real-time safe.
public struct Groove: Hashable, Sendable {
  /// A sound of a hit.
  public enum Sound: Hashable, Sendable {
    /// The kit's pad of a category. `number` counts the pads of one category from 1.
    case drum(String, number: Int)
    /// A MIDI note.
    case note(Int)
  }

  public struct Hit: Hashable, Sendable {
    public var position: Beats
    public var velocity: Velocity
    /// Nil lets the sound ring out.
    public var length: Beats?
    public var sound: Sound
  }

  /// One part, over its own length.
  public struct Line: Hashable, Sendable {
    public var part: GroovePart
    /// The name of the progression, or of the drums' block.
    public var theme: String
    public var length: Beats
    /// By position.
    public var hits: [Hit]
    /// Ids of instruments for its notes, the best first; empty for drums.
    public var instruments: [String]
  }

  /// The wishes for a groove.
  public struct Wish: Hashable, Sendable {
    public var mood = GrooveMood.any
    public var key = MusicalKey()
    /// In steps, at least 1.
    public var stepsPerBar = 16
    /// In bpm, where the room's tempo stays; nil takes that of the style.
    public var bpm: Float?
    /// The lowest root of the bass, a MIDI note: C2.
    public var lowestBass = 36
    /// The progression to play, where others play one already.
    public var progression: String?
    /// The names of a progression and of drums that come no second time in a row.
    public var others: Set<String> = []

    public init() {}
  }

  /// In bpm: the usual tempo of its style.
  public let bpm: Float
  public let progression: String
  /// One for each part, in the order of `GroovePart`.
  public let lines: [Line]

  /// - Parameter roll: any number; another one gives another groove.
  public init(_ wish: Wish, roll: UInt64) {
    var dice = GrooveDice(roll)
    let shipped = Groove.progression(for: wish, &dice)
    let style = GrooveStyle.of(shipped.style)
    bpm = style.bpm
    progression = shipped.name
    let harmony = GrooveHarmony(
      shipped.progression, in: wish.key, stepsPerBar: max(1, wish.stepsPerBar),
      lowestBass: wish.lowestBass)
    let fresh = style.drums.filter { !wish.others.contains($0) }
    let drums = dice.choose(fresh.isEmpty ? style.drums : fresh)
    lines = [
      Groove.drums(drums ?? "", stepsPerBar: max(1, wish.stepsPerBar)),
      harmony.bass(
        GrooveFigure(dice.choose(style.bass) ?? "R"), theme: shipped.name,
        instruments: style.bassInstruments),
      harmony.chords(
        GrooveFigure(dice.choose(style.chords) ?? "X"), theme: shipped.name,
        instruments: dice.rotated(style.chordInstruments)),
    ]
  }

  // MARK: Choosing

  /// A tempo further from the style's usual one than this ratio sounds strange.
  private static let widest: Float = 1.2

  private static func progression(for wish: Wish, _ dice: inout GrooveDice) -> ShippedProgression {
    let all = ShippedProgression.all
    if let name = wish.progression, let known = all.first(where: { $0.name == name }) {
      return known
    }
    let inMood = all.filter { shipped in wish.mood.ofProgressions.map { $0 == shipped.mood } ?? true
    }
    let near = inMood.filter { shipped in
      guard let bpm = wish.bpm else { return true }
      return strangeness(of: bpm, for: shipped) <= widest
    }
    let nearest = wish.bpm.flatMap { bpm in
      inMood.min { strangeness(of: bpm, for: $0) < strangeness(of: bpm, for: $1) }
    }
    let fitting = near.isEmpty ? nearest.map { [$0] } ?? inMood : near
    let fresh = fitting.filter { !wish.others.contains($0.name) }
    // The table has progressions of every mood.
    return dice.choose(fresh.isEmpty ? fitting : fresh) ?? all[0]
  }

  /// The ratio of a tempo and the style's usual one, from 1 on.
  private static func strangeness(of bpm: Float, for shipped: ShippedProgression) -> Float {
    let usual = GrooveStyle.of(shipped.style).bpm
    return max(bpm, usual) / max(1, min(bpm, usual))
  }

  // MARK: Drums

  /// - Parameter name: of a ready-made block.
  private static func drums(_ name: String, stepsPerBar: Int) -> Line {
    let block = ReadyMadeBlocks.all.first { $0.name == name } ?? ReadyMadeBlocks.all[0]
    let usual = 16
    let step = block.length.microBeats / Int64(max(1, block.steps))
    let bars = max(1, block.steps / usual)
    var hits: [Hit] = []
    for bar in Range(from: 0, to: bars) {
      for hit in block.hits {
        guard case .category(let category, let number) = hit.sound else { continue }
        let place = Int(hit.position.microBeats / step) - bar * usual
        guard Range(from: 0, to: min(usual, stepsPerBar)).contains(place) else { continue }
        // A longer bar begins the figure anew.
        for at in stride(from: place, to: stepsPerBar, by: usual) {
          hits.append(
            Hit(
              position: Beats(microBeats: step) * (bar * stepsPerBar + at), velocity: hit.velocity,
              length: nil,
              sound: .drum(category, number: number)))
        }
      }
    }
    hits.sort { $0.position < $1.position }
    return Line(
      part: .drums, theme: block.name, length: Beats(microBeats: step) * (bars * stepsPerBar),
      hits: hits,
      instruments: [])
  }
}

extension Block {
  /// Its length in sixteenths.
  fileprivate var steps: Int { Int(length.microBeats / 250_000) }
}
