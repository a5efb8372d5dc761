internal import JamCore

/// Progressions with names of their own: whoever is in the room saves what it plays, and everybody there finds it.
extension RoomState {
  mutating func listProgressions() {
    let shipped = ShippedProgression.all.map { Event.progressionItem($0) }
    outbox.append(.tell(.together(shipped + library.progressions.saved.map { .savedProgression($0) }), .asker))
  }

  func checkSaveProgression(_ text: String, by id: PlayerID) throws(Refusal) {
    let name = text.withoutOuterSpaces
    guard ShownName.isValid(name, limits: limits) else {
      throw .badName(.progression, mostCharacters: limits.nameCharacters)
    }
    guard hands[id].progression.progression != nil else { throw .noProgression }
    // Whoever types those chords means them.
    guard (try? Progression(name: "", text: name)) == nil else { throw .progressionNameIsChords(name) }
    let isShipped = ShippedProgression.all.contains { $0.name.lowercased() == name.lowercased() }
    guard !isShipped else { throw .progressionNameTaken(name) }
    if let known = library.progressions.named(name) {
      guard known.player == roster[id].name else { throw .progressionNameTaken(name) }
    } else {
      guard library.progressions.saved.count < ProgressionBook.most else {
        throw .progressionsFull(most: ProgressionBook.most)
      }
    }
  }

  /// What the player's keys would play gets a name; a progression of its own of that name is replaced.
  mutating func saveProgression(_ text: String, by id: PlayerID) {
    guard let progression = hands[id].progression.progression else { return }
    let saved = SavedProgression(name: text.withoutOuterSpaces, text: progression.text, player: roster[id].name)
    library.progressions.put(saved)
    outbox.append(.tell(.savedProgression(saved), .everybody))
  }

  /// One's own, or as a host anybody's.
  func checkDeleteProgression(_ name: String, by id: PlayerID) throws(Refusal) {
    guard let known = library.progressions.named(name.withoutOuterSpaces) else { throw .noSuchProgression(name) }
    guard known.player == roster[id].name || roster.actsAsHost(id) else {
      throw .progressionOfOther(known.name, owner: known.player)
    }
  }

  mutating func deleteProgression(_ name: String) {
    guard let known = library.progressions.named(name.withoutOuterSpaces) else { return }
    library.progressions.remove(known.name)
    outbox.append(.tell(.progressionGone(known.name), .everybody))
  }
}
