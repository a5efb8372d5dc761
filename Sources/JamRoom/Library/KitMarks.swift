internal import JamCore

/// The room's notes on kits that were saved: who saved them here, and which of them are not listed
/// any more.
struct KitMarks: Equatable, Sendable, ExpressibleByArrayLiteral {
  private enum Absence {
    /// A host has deleted the kit. Its place in the list stays empty.
    case deleted
    /// A host took back all of who saved it. Players who have the kit keep it.
    case takenBack
  }

  private struct Mark: Equatable, Sendable {
    var absence: Absence?
    /// The player who saved it in this room, while the process lasts.
    var saver: PlayerName?
  }

  private var marks: [String: Mark] = [:]

  init() {}

  /// Kits that were deleted.
  init(arrayLiteral deleted: String...) {
    for kit in deleted { delete(kit) }
  }

  func isUnlisted(_ kit: String) -> Bool { marks[kit]?.absence != nil }
  func isDeleted(_ kit: String) -> Bool { marks[kit]?.absence == .deleted }

  /// - Returns: whether the kit was listed until now.
  @discardableResult
  mutating func delete(_ kit: String) -> Bool {
    defer { marks[kit, default: Mark()].absence = .deleted }
    return !isUnlisted(kit)
  }

  /// - Returns: whether that changed the list.
  mutating func setTakenBack(_ kit: String, _ isTaken: Bool) -> Bool {
    guard !isDeleted(kit), isUnlisted(kit) != isTaken else { return false }
    marks[kit, default: Mark()].absence = isTaken ? .takenBack : nil
    return true
  }

  mutating func note(_ kit: String, savedBy player: String) {
    marks[kit, default: Mark()].saver = PlayerName(player)
  }

  /// The listed kits that the player saved.
  func saved(by player: PlayerName) -> [String] {
    marks.filter { $0.value.saver == player && $0.value.absence == nil }.keys.sorted()
  }

  mutating func rename(_ old: PlayerName, to new: PlayerName) {
    for kit in marks.keys where marks[kit]?.saver == old { marks[kit]?.saver = new }
  }
}

extension Kit {
  /// The kit as lists tell it.
  func item(at index: Int) -> Event {
    .kitItem(index: index, id: id, name: name, category: category, description: description)
  }
}
