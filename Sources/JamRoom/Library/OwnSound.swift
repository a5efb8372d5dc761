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
  /// The player who brought it along; empty where nobody is known.
  var author = ""
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
    author = listed.author
  }

  func kept(in room: PlayerName, by author: String) -> KeptSound? {
    guard let hash = sound.memory?.hash, let category = PadCategory(rawValue: category) else { return nil }
    return KeptSound(hash, name: name, category: category, room: room.text, author: author)
  }

  public var duration: Frames { sound.view.duration }

  /// A pad's description with this sound.
  var description: KitPad { KitPad(name: name, category: category, duration: duration) }
}

/// A place for a sound in the making: the pad it was ordered for, while that is the player's.
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
  /// The command that asked for it, for a refusal.
  let command: Command
}

/// A player's part: its place in the room, and the number of a command from its time there.
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
