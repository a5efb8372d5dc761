import JamCore
import JamRoom
import JamStore

/// Which uses count: of one player and one item one in ten minutes, and of all players from one address eight. So nobody makes
/// a thing of his own the most used by using it again and again, nor by calling himself by many names.
///
/// Time is passed in, in seconds from any moment on.
/// Thread: one at a time.
struct UseCounter {
  private struct Use: Hashable {
    var item: Catalogue.UsedItem
    var saver: String
  }

  /// By player, when it counted last.
  private var counted: [Use: [PlayerName: Double]] = [:]
  /// What counted and is not written yet.
  private(set) var waiting: [Catalogue.UsedItem: Int] = [:]
  private let mostRemembered: Int

  static let window = 600.0
  static let mostNames = 8

  init(mostRemembered: Int = 16_384) { self.mostRemembered = mostRemembered }

  /// - Returns: whether it counts.
  @discardableResult
  mutating func note(_ use: LibraryUse, at now: Double) -> Bool {
    let item = Catalogue.UsedItem(kind: use.kind, id: use.id)
    let key = Use(item: item, saver: use.saver)
    var players = counted[key] ?? [:]
    if let last = players[use.player], now < last + UseCounter.window { return false }
    players = players.filter { now < $0.value + UseCounter.window }
    guard players.count < UseCounter.mostNames else { return false }
    if counted[key] == nil { makeRoom(at: now) }
    players[use.player] = now
    counted[key] = players
    waiting[item, default: 0] += 1
    return true
  }

  /// What counted since it was taken last.
  mutating func take() -> [Catalogue.UsedItem: Int] {
    defer { waiting = [:] }
    return waiting
  }

  /// It could not be written: it is tried again with what comes next.
  mutating func putBack(_ uses: [Catalogue.UsedItem: Int]) {
    // A disk that takes nothing for days fills no memory.
    guard waiting.count + uses.count <= mostRemembered else { return }
    waiting.merge(uses) { $0 + $1 }
  }

  private mutating func makeRoom(at now: Double) {
    guard counted.count >= mostRemembered else { return }
    counted = counted.filter { $0.value.values.contains { now < $0 + UseCounter.window } }
    guard counted.count >= mostRemembered else { return }
    // More at once than is remembered: whoever brings that about counts again sooner.
    counted.removeAll(keepingCapacity: true)
  }
}
