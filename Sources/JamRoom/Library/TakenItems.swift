internal import JamCore

/// Kits and sounds of the server's library that a host takes back with all of a player.
public struct TakenItems: Equatable, Sendable {
  /// Their ids.
  var kits: [String] = []
  var sounds: [ListedSound] = []

  var isEmpty: Bool { kits.isEmpty && sounds.isEmpty }

  mutating func rename(_ old: PlayerName, to new: PlayerName) {
    for index in sounds.indices where sounds[index].author == old.text {
      sounds[index].author = new.text
    }
  }
}

extension Library {
  /// All that the player saved here and that is listed.
  func items(savedBy player: PlayerName) -> TakenItems {
    TakenItems(
      kits: kitMarks.saved(by: player).filter { $0 != firstKit.kit.id },
      sounds: broughtAlong.filter { $0.author == player.text })
  }

  /// Those of the items that are still listed as that player's.
  func listed(_ items: TakenItems) -> TakenItems {
    TakenItems(
      kits: items.kits.filter { !kitMarks.isUnlisted($0) },
      sounds: items.sounds.filter { broughtAlong.contains($0) })
  }

  /// The sounds that are in no folder, and would be gone with the list.
  func unkept(_ items: TakenItems) -> [OwnSound] {
    guard keptSounds == nil else { return [] }
    return ownSounds.filter { items.sounds.contains(ListedSound($0)) }
  }

  /// A host took back all of who saved the kit, in any room, or brought that back.
  /// - Returns: the news; nil where that changes nothing.
  mutating func list(kit: String, asTaken isTaken: Bool) -> Event? {
    guard let index = kits.firstIndex(where: { $0.id == kit }), kitMarks.setTakenBack(kit, isTaken)
    else { return nil }
    return isTaken ? .kitGone(kit) : kits[index].item(at: index)
  }

  /// - Returns: the news.
  mutating func unlist(_ sample: SampleID, _ name: String) -> Event {
    ownSounds.removeAll { $0.id == sample && $0.name == name }
    keptSounds?.removeAll { $0.id == sample && $0.name == name }
    return .sampleGone(id: sample, name: name)
  }

  /// Lists a sound that was taken back. One that lies in no folder has to be in memory before.
  /// - Returns: the news; nil where it is not here, or was brought again meanwhile.
  mutating func listAgain(_ sound: ListedSound) -> Event? {
    if keptSounds != nil {
      guard !broughtAlong.contains(where: { $0.id == sound.id && $0.name == sound.name }) else {
        return nil
      }
      keptSounds?.append(sound)
    } else if !ownSounds.contains(where: { $0.id == sound.id && $0.name == sound.name }) {
      return nil
    }
    return .sampleItem(id: sound.id, name: sound.name, category: sound.category)
  }

  /// A player who brought sounds or saved kits has another name now.
  mutating func renameSaver(_ old: PlayerName, to new: PlayerName) {
    kitMarks.rename(old, to: new)
    for index in ownSounds.indices where ownSounds[index].author == old.text {
      ownSounds[index].author = new.text
    }
    guard keptSounds?.contains(where: { $0.author == old.text }) == true else { return }
    keptSounds = keptSounds?.map { listed in
      var sound = listed
      if sound.author == old.text { sound.author = new.text }
      return sound
    }
  }
}
