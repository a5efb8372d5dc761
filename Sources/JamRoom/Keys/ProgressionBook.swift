internal import JamCore

/// The progressions saved by a room's people, in that order. Names are unique, in any case.
struct ProgressionBook: Equatable, Sendable {
  private(set) var saved: [SavedProgression] = []

  static let most = 64

  init(_ saved: [SavedProgression] = []) {
    for progression in saved.prefix(ProgressionBook.most) where named(progression.name) == nil {
      self.saved.append(progression)
    }
  }

  func named(_ name: String) -> SavedProgression? { place(of: name).map { saved[$0] } }

  private func place(of name: String) -> Int? {
    saved.firstIndex { $0.name.lowercased() == name.lowercased() }
  }

  /// Another of the same name is replaced.
  mutating func put(_ progression: SavedProgression) {
    if let place = place(of: progression.name) {
      saved[place] = progression
    } else {
      saved.append(progression)
    }
  }

  mutating func remove(_ name: String) {
    if let place = place(of: name) { saved.remove(at: place) }
  }

  /// Somebody goes on under another name.
  mutating func rename(_ old: PlayerName, to new: PlayerName) {
    for index in saved.indices where saved[index].player == old { saved[index].player = new }
  }
}
