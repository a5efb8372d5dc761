/// The kinds of items in a server's library.
public enum LibraryKind: String, CaseIterable, Sendable {
  case kit, block, sound
}

/// A hit of a search: an item of the library, and how a player gets it.
public struct SearchItem: Hashable, Sendable {
  public var kind: LibraryKind
  /// The id that chooses the item: a kit's id, a sound's id such as `starter/3`, a ready-made
  /// block's name, or a `BlockID`.
  public var id: String
  public var name: String
  /// The kind of music, in the words of a ready-made block or of a kit's category.
  public var theme: String
  /// The kinds of sounds in it: for a sound one `PadCategory`, for a block those of all hits, for a
  /// kit those of all pads.
  public var category: String
  /// The tempo at which the item was saved, or for which it is meant; 0 where it has none.
  public var bpm: Float
  /// The author's name; empty where none is named.
  public var author: String
  /// How often the item was used.
  public var uses: Int
  /// A block's length; 0 for all other items.
  public var beats: Float

  public init(
    kind: LibraryKind, id: String, name: String, theme: String = "", category: String = "", bpm: Float = 0,
    author: String = "", uses: Int = 0, beats: Float = 0
  ) {
    self.kind = kind
    self.id = id
    self.name = name
    self.theme = theme
    self.category = category
    self.bpm = bpm
    self.author = author
    self.uses = uses
    self.beats = beats
  }

  /// The largest number of hits in an answer; these are the best ones.
  public static let most = 50
  /// The length of a search's words, in UTF-8.
  public static let mostBytes = 512
}

/// The id of a block that a player saved in any room: `room/owner/name`.
///
/// Thread: any.
public struct BlockID: Hashable, Sendable, CustomStringConvertible {
  public let room: PlayerName
  public let owner: PlayerName
  public let name: String

  public init(room: PlayerName, owner: PlayerName, name: String) {
    self.room = room
    self.owner = owner
    self.name = name
  }

  /// - Returns: nil unless `text` has three parts, and each part is a valid name of its kind.
  public init?(_ text: String) {
    guard text.utf8.count <= 3 * Limits.standard.nameBytes + 2 else { return nil }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
    guard parts.count == 3, let room = PlayerName(parts[0]), let owner = PlayerName(parts[1]),
      room.text == parts[0], owner.text == parts[1], ShownName.isValid(parts[2])
    else { return nil }
    self.init(room: room, owner: owner, name: parts[2])
  }

  public var description: String { "\(room)/\(owner)/\(name)" }
}
