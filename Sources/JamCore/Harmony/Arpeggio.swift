/// The orders in which an arpeggiator plays what is held.
public enum ArpeggioMode: String, SettingWord {
  /// No arpeggio. Notes that still come here, such as repeated notes, are played unchanged at each
  /// step.
  case off
  case up, down
  /// Up and down. The highest and lowest notes sound once, or twice.
  case upDown = "up-down"
  case upDownTwice = "up-down 2"
  /// From both ends to the middle, and from the middle to both ends.
  case converge, diverge
  /// In the order in which the keys were pressed.
  case played
  case random
  /// All notes at once.
  case chord
}

/// The notes of an arpeggiator, step by step. The arpeggio has no clock: its caller has one, and
/// asks for the notes of each step.
public struct Arpeggio: Hashable, Sendable {
  /// A key that is pressed, or that the latch or the pedal still holds.
  public struct Held: Hashable, Sendable {
    public var note: Int
    public var velocity: Velocity
  }

  public static let octaveRange = 1...4

  public var mode = ArpeggioMode.off
  public var octaves = 1
  /// Notes go on after their keys are released, until other keys are pressed.
  public var isLatched = false { didSet { forgetLifted() } }
  /// While the pedal is down, notes go on after their keys are released, and new keys add notes.
  public var isSustained = false { didSet { forgetLifted() } }
  /// The keys, in the order in which they were pressed.
  public private(set) var held: [Held] = []
  /// The notes of `held` whose keys are still under a finger.
  public private(set) var pressed: Set<Int> = []
  /// Counts the steps since the first key.
  public private(set) var step = 0

  public init() {}

  public var isEmpty: Bool { held.isEmpty }

  private var latches: Bool { isLatched && mode != .off }

  /// - Returns: whether the note is the first one. The steps then begin anew.
  public mutating func press(_ note: Int, _ velocity: Velocity) -> Bool {
    if pressed.isEmpty, latches, !isSustained { held = [] }
    let isFirst = held.isEmpty
    pressed.insert(note)
    held.removeAll { $0.note == note }
    held.append(Held(note: note, velocity: velocity))
    if isFirst { step = 0 }
    return isFirst
  }

  public mutating func release(_ note: Int) {
    pressed.remove(note)
    forgetLifted()
  }

  /// Ends a note that no finger held, such as a note of a progression's chord. The pedal does not
  /// hold such a note.
  public mutating func end(_ note: Int) {
    pressed.remove(note)
    if !latches { held.removeAll { $0.note == note } }
  }

  private mutating func forgetLifted() {
    if !latches, !isSustained { held.removeAll { !pressed.contains($0.note) } }
  }

  public mutating func releaseAll() {
    pressed = []
    held = []
  }

  /// The notes of the next step.
  /// - Parameter seed: gives each player different random choices.
  public mutating func next(seed: UInt64) -> [Held] {
    defer { step += 1 }
    let all = spread
    guard !all.isEmpty else { return [] }
    switch mode {
    case .off: return held
    case .chord: return octaves == 1 ? held : inOctave(step % octaves)
    case .random:
      let share = Double(Chance.value(seed &+ UInt64(step), .arpeggio) + 1) / 2
      return [all[min(all.count - 1, Int(saturating: share * Double(all.count)))]]
    case .up, .down, .upDown, .upDownTwice, .converge, .diverge, .played:
      let order = order(of: all)
      return [order[step % order.count]]
    }
  }

  private func inOctave(_ octave: Int) -> [Held] {
    held.compactMap { shifted($0, by: octave) }
  }

  private func shifted(_ key: Held, by octave: Int) -> Held? {
    let note = key.note + 12 * octave
    return note < Pad.keyCount ? Held(note: note, velocity: key.velocity) : nil
  }

  /// All notes through all octaves: for `played` in the order of the keys, otherwise from the
  /// lowest.
  private var spread: [Held] {
    let base = mode == .played ? held : held.sorted { $0.note < $1.note }
    return Range(from: 0, to: octaves).flatMap { octave in base.compactMap { shifted($0, by: octave) } }
  }

  private func order(of all: [Held]) -> [Held] {
    switch mode {
    case .down: return all.reversed()
    case .upDown: return all + all.dropFirst().dropLast().reversed()
    case .upDownTwice: return all + all.reversed()
    case .converge: return Arpeggio.outsideIn(all)
    case .diverge: return Arpeggio.outsideIn(all).reversed()
    case .off, .up, .played, .random, .chord: return all
    }
  }

  private static func outsideIn(_ all: [Held]) -> [Held] {
    var (low, high) = (0, all.count - 1)
    var order: [Held] = []
    while low <= high {
      order.append(all[low])
      if low < high { order.append(all[high]) }
      (low, high) = (low + 1, high - 1)
    }
    return order
  }
}
