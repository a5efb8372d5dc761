public import JamCore
internal import JamKit

/// A sound that somebody brought along: uploaded, recorded or grabbed.
///
/// Thread: any; immutable.
public struct OwnSound: Equatable, Sendable {
  public let id: SampleID
  /// The name that people gave it; a pad's sound can be chosen by it.
  public private(set) var name: String
  public private(set) var category: String
  let sound: PlayableSound
  let byteCount: Int

  init(_ sound: PlayableSound, hash: ContentHash, name: String, category: PadCategory) {
    id = .own("\(hash)")
    self.name = name
    self.category = category.rawValue
    self.sound = sound
    byteCount = sound.memory?.byteCount ?? 0
  }

  /// The same sound by the name that it has in a room.
  init(_ other: OwnSound, called listed: ListedSound) {
    self = other
    name = listed.name
    category = listed.category
  }

  func kept(in room: PlayerName, by author: String) -> KeptSound? {
    guard let hash = sound.memory?.hash, let category = PadCategory(rawValue: category) else { return nil }
    return KeptSound(hash, name: name, category: category, room: room.text, author: author)
  }

  public var duration: Frames { sound.view.duration }

  /// What is told of a pad that has it.
  var description: KitPad { KitPad(name: name, category: category, duration: duration) }
}

/// A place for a sound that is being made: the pad that it was asked for, unless it is somebody else's by then.
public struct SoundPlace: Equatable, Sendable {
  let player: PlayerID
  let token: String
  let pad: Pad
}

/// Bars that are to become a sound.
public struct GrabOrder: Sendable {
  let place: SoundPlace
  let range: Range<Frames>
  /// Nil is the room's mix.
  let player: GrabbedPlayer?
  let name: String
  /// What asked for it, for a refusal.
  let command: Command
}

/// Whose part it is: a place in the room, and the number of a command from the time when it was theirs.
struct GrabbedPlayer: Hashable, Sendable {
  let id: PlayerID
  let asOf: UInt64
}

/// Pads that are to become a kit.
public struct KitOrder: Sendable {
  let player: PlayerID
  let kit: SavedKit
  let command: Command
}
