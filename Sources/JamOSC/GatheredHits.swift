internal import JamCore

/// The hits and keys that a room plays by itself, gathered until they are told together.
///
/// An eye follows some 30 lights a second, and a full room plays thousands of hits. So each pad and
/// each key of a player is told once at most, with its latest hit. The ends of keys are gathered, too.
/// A client that is told all of it shows each key as it is now. It gets no end of a key that it was
/// not told of, and no beginning without its end.
/// A machine without I/O. Thread: the room thread.
final class GatheredHits {
  private enum Place: Hashable {
    case pad(PlayerName, Pad)
    case key(PlayerName, Int)
  }

  private struct Told {
    var place: Place
    /// The latest hit.
    var begin: Event?
    /// A key that was told earlier ended, before its latest hit, if there is one.
    var endsBefore = false
    /// The key ended after its latest hit.
    var endsAfter = false
  }

  @exclusivity(unchecked) private var told: [Told] = []
  @exclusivity(unchecked) private var index: [Place: Int] = [:]
  private var next = HostTime(nanoseconds: 0)

  /// Pads and keys, at most, of one interval: as many as sixteen pads of 64 players.
  static let mostPlaces = 1_024

  /// When the hits are told: at once after a quiet time, otherwise 30 times a second. Nil while
  /// there are none.
  var deadline: HostTime? { told.isEmpty ? nil : next }

  /// - Parameter event: a `hit`, `note` or `noteOff`.
  /// - Returns: false where there are too many.
  func add(_ event: Event) -> Bool {
    switch event {
    case .hit(let player, let pad, _, _, _):
      guard let i = find(.pad(player, pad)) else { return false }
      told[i].begin = event
    case .note(let player, let note, _, _, _):
      guard let i = find(.key(player, note)) else { return false }
      told[i].begin = event
      told[i].endsAfter = false
    case .noteOff(let player, let note):
      // An end that is not told would leave its key lit.
      guard let i = find(.key(player, note), isNeeded: true) else { return false }
      if told[i].begin == nil { told[i].endsBefore = true } else { told[i].endsAfter = true }
    default: return false
    }
    return true
  }

  private func find(_ place: Place, isNeeded: Bool = false) -> Int? {
    if let known = index[place] { return known }
    guard isNeeded || told.count < GatheredHits.mostPlaces else { return nil }
    index[place] = told.count
    told.append(Told(place: place))
    return told.count - 1
  }

  /// A key was just told at once, so what was gathered of it is old.
  func forget(_ note: Int, of player: PlayerName) {
    guard let i = index[.key(player, note)] else { return }
    told[i] = Told(place: told[i].place)
  }

  /// Takes everything, for telling it now.
  /// - Returns: the hits of pads, and the beginnings and ends of keys in their order.
  func take(at now: HostTime) -> (hits: [Event], keys: [Event]) {
    var hits: [Event] = []
    var keys: [Event] = []
    hits.reserveCapacity(told.count)
    for one in told {
      switch one.place {
      case .pad: if let begin = one.begin { hits.append(begin) }
      case .key(let player, let note):
        if one.endsBefore { keys.append(.noteOff(player: player, note: note)) }
        if let begin = one.begin { keys.append(begin) }
        if one.endsAfter { keys.append(.noteOff(player: player, note: note)) }
      }
    }
    told.removeAll(keepingCapacity: true)
    index.removeAll(keepingCapacity: true)
    next = TellPace.next(after: now)
    return (hits, keys)
  }
}
