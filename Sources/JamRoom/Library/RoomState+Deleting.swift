internal import JamCore
internal import JamKit

/// Hosts delete what others saved: what everybody may fill, somebody must be able to empty.
extension RoomState {
  mutating func deleteKit(_ kit: String, by id: PlayerID, _ command: Command) throws(Refusal) {
    try roster.requireHost(id, for: .deleteKit)
    guard library.kits.contains(where: { $0.id == kit }), !library.goneKits.contains(kit) else {
      throw .noSuchKit(kit)
    }
    guard kit != library.firstKit.kit.id else { throw .firstKitStays(kit) }
    outbox.append(.deleteKit(kit, for: id))
  }

  /// It was deleted, from this room or another. Its place stays empty: those of the others are known by number.
  mutating func kitGone(_ kit: String) {
    guard library.kits.contains(where: { $0.id == kit }), library.goneKits.insert(kit).inserted else { return }
    outbox.append(.tell(.kitGone(kit), .everybody))
  }

  mutating func kitNotDeleted(_ kit: String, for id: PlayerID, reason: Refusal) {
    guard roster.here(id) != nil else { return }
    outbox.append(.tell(.refused(.deleteKit(kit), reason), .player(id)))
  }

  mutating func deleteSample(_ text: String, by id: PlayerID) throws(Refusal) {
    try roster.requireHost(id, for: .deleteSound)
    let wanted = library.broughtAlong(text) ?? SampleID(text)
    guard case .own(let hash)? = wanted, let sample = wanted else {
      throw .notBroughtAlong(text)
    }
    // By a name, that name; by the id, all of its names.
    let isByName = library.broughtAlong(text) != nil
    let names = library.samples(of: "own").filter { $0.id == sample && (!isByName || $0.name == text) }.map(\.name)
    guard !names.isEmpty else { throw .soundNotListed(text) }
    for name in Set(names).sorted() {
      library.ownSounds.removeAll { $0.id == sample && $0.name == name }
      library.keptSounds?.removeAll { $0.id == sample && $0.name == name }
      outbox.append(.forgetSound(hash: hash, name: name))
      outbox.append(.tell(.sampleGone(id: sample, name: name), .everybody))
    }
  }
}
