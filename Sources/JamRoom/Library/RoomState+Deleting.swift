internal import JamCore
internal import JamKit

/// Hosts delete what others saved: what everybody may fill, somebody must be able to empty.
extension RoomState {
  func checkDeleteKit(_ kit: String, by id: PlayerID) throws(Refusal) {
    try roster.requireHost(id, for: .deleteKit)
    // One that was taken back is in no list, but its files are there.
    guard !library.isUnknown(kit) else { throw .noSuchKit(kit) }
    guard kit != library.firstKit.kit.id else { throw .firstKitStays(kit) }
  }

  /// The kit was deleted, here or in another room. Its place stays empty: kits are known by number.
  mutating func kitGone(_ kit: String) {
    guard library.kits.contains(where: { $0.id == kit }), library.kitMarks.delete(kit) else { return }
    outbox.append(.tell(.kitGone(kit), .everybody))
  }

  mutating func kitNotDeleted(_ kit: String, for id: PlayerID, reason: Refusal) {
    guard roster.here(id) != nil else { return }
    outbox.append(.tell(.refused(.deleteKit(kit), reason), .player(id)))
  }

  func checkDeleteSample(_ text: String, by id: PlayerID) throws(Refusal) {
    try roster.requireHost(id, for: .deleteSound)
    guard case .own? = library.sampleID(of: text) else { throw .notBroughtAlong(text) }
    guard !names(meantBy: text).isEmpty else { throw .soundNotListed(text) }
  }

  mutating func deleteSample(_ text: String) {
    guard let sample = library.sampleID(of: text), case .own(let hash) = sample else { return }
    for name in names(meantBy: text).sorted() {
      outbox.append(.forgetSound(hash: hash, name: name))
      outbox.append(.tell(library.unlist(sample, name), .everybody))
    }
  }

  /// Takes kits and sounds from the lists, or puts them back.
  /// - Parameter unkept: those of the sounds that are in no folder.
  mutating func setTaken(_ items: TakenItems, _ unkept: [OwnSound], _ isTaken: Bool) {
    // A sound that somebody else has brought again since is that player's.
    let items = isTaken ? library.listed(items) : items
    guard !items.isEmpty else { return }
    var events = items.kits.compactMap { library.list(kit: $0, asTaken: isTaken) }
    for sound in items.sounds {
      if isTaken {
        events.append(library.unlist(sound.id, sound.name))
      } else {
        for own in unkept where own.id == sound.id && own.name == sound.name { _ = holdInMemory(own) }
        if let event = library.listAgain(sound) { events.append(event) }
      }
    }
    for event in events { outbox.append(.tell(event, .everybody)) }
    outbox.append(.setTaken(items, isTaken))
  }

  /// The names of kits and sounds that others than the player have on pads, in loops or in lanes.
  func played(_ items: TakenItems, besides player: PlayerName) -> [String] {
    guard !items.isEmpty else { return [] }
    let others = roster.occupied.filter { roster.holder(of: player) != $0 }
    var samples: Set<SampleID> = []
    var kits: Set<String> = []
    for id in others {
      let hands = hands[id]
      kits.insert(hands.kitID)
      samples.formUnion(hands.pads.lazy.map(\.sample))
      samples.formUnion(hits(of: id).lazy.map(\.voicing.sample))
    }
    for case .pad(_, let kit) in samples { kits.insert(kit) }
    let named = items.kits.filter(kits.contains).compactMap { id in
      library.kits.first { $0.id == id }?.name
    }
    return named + items.sounds.filter { samples.contains($0.id) }.map(\.name)
  }

  /// By a name, that name; by the id, all of its names.
  private func names(meantBy text: String) -> Set<String> {
    let (sample, isByName) = (library.sampleID(of: text), library.broughtAlong(text) != nil)
    return Set(library.broughtAlong.filter { $0.id == sample && (!isByName || $0.name == text) }.map(\.name))
  }
}
