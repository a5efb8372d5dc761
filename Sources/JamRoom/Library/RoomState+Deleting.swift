internal import JamCore
internal import JamKit

/// Hosts delete what others saved: what everybody may fill, somebody must be able to empty.
extension RoomState {
  func checkDeleteKit(_ kit: String, by id: PlayerID) throws(Refusal) {
    try roster.requireHost(id, for: .deleteKit)
    guard library.kits.contains(where: { $0.id == kit }), !library.goneKits.contains(kit) else {
      throw .noSuchKit(kit)
    }
    guard kit != library.firstKit.kit.id else { throw .firstKitStays(kit) }
  }

  mutating func deleteKit(_ kit: String, by id: PlayerID) { outbox.append(.deleteKit(kit, for: id)) }

  /// It was deleted, from this room or another. Its place stays empty: those of the others are known by number.
  mutating func kitGone(_ kit: String) {
    guard library.kits.contains(where: { $0.id == kit }), library.goneKits.insert(kit).inserted else { return }
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
      library.ownSounds.removeAll { $0.id == sample && $0.name == name }
      library.keptSounds?.removeAll { $0.id == sample && $0.name == name }
      outbox.append(.forgetSound(hash: hash, name: name))
      outbox.append(.tell(.sampleGone(id: sample, name: name), .everybody))
    }
  }

  /// By a name, that name; by the id, all of its names.
  private func names(meantBy text: String) -> Set<String> {
    let (sample, isByName) = (library.sampleID(of: text), library.broughtAlong(text) != nil)
    return Set(library.broughtAlong.filter { $0.id == sample && (!isByName || $0.name == text) }.map(\.name))
  }
}
