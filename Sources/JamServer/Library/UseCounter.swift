import JamCore
import JamRoom
import JamStore

/// Decides which uses of an item count. A player's use of an item counts once in ten minutes. From
/// one address, at most eight players count for an item in ten minutes. So nobody can make an item
/// the most used one by using it again and again, or by joining under many names.
///
/// Time is passed in, in seconds since any fixed moment.
/// Thread: any, but one at a time.
struct UseCounter {
  private struct Use: Hashable {
    var item: Catalogue.UsedItem
    var saver: String
  }

  /// When a use counted last, for each player.
  private var counted: [Use: [PlayerName: Double]] = [:]
  /// Uses that counted and are not written yet.
  private(set) var waiting: [Catalogue.UsedItem: Int] = [:]
  private let mostRemembered: Int

  static let window = 600.0
  static let mostNames = 8

  init(mostRemembered: Int = 16_384) { self.mostRemembered = mostRemembered }

  /// - Returns: whether the use counts.
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

  /// Returns the uses that counted since the last call.
  mutating func take() -> [Catalogue.UsedItem: Int] {
    defer { waiting = [:] }
    return waiting
  }

  /// Takes back uses that could not be written. They are written with the next ones.
  mutating func putBack(_ uses: [Catalogue.UsedItem: Int]) {
    // A disk that takes nothing for days must not fill the memory.
    guard waiting.count + uses.count <= mostRemembered else { return }
    waiting.merge(uses) { $0 + $1 }
  }

  private mutating func makeRoom(at now: Double) {
    guard counted.count >= mostRemembered else { return }
    counted = counted.filter { $0.value.values.contains { now < $0 + UseCounter.window } }
    guard counted.count >= mostRemembered else { return }
    // More uses within ten minutes than fit: all are forgotten, so a repeated use may count too
    // early.
    counted.removeAll(keepingCapacity: true)
  }
}
