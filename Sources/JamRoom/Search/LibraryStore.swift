public import JamCore

/// A server's library, for searches in any of its rooms.
///
/// Thread: any; it must not wait.
public protocol LibraryStore: AnyObject, Sendable {
  /// - Parameter call: is called once, on any thread.
  func search(_ order: SearchOrder, in room: PlayerName, then call: @escaping @Sendable (SearchAnswer) -> Void)
  /// A block that somebody shares in another room.
  /// - Parameters:
  ///   - asker: who counts as one where much is asked for.
  ///   - call: is called once, on any thread.
  func block(
    _ id: BlockID, for asker: String, then call: @escaping @Sendable (Result<Block, Refusal>) -> Void)
  /// A room has begun, and these are its blocks.
  func opened(_ room: PlayerName, with blocks: [Block])
  func closed(_ room: PlayerName)
  /// A block was saved, shared or changed.
  func keep(_ block: Block, of room: PlayerName)
  func remove(_ block: Block, of room: PlayerName)
  /// A sound was brought along.
  func keep(_ sound: BroughtSound, of room: PlayerName)
  /// It is not kept any more under that name.
  func remove(_ sound: SampleID, named name: String, of room: PlayerName)
  /// Something was used; not every use counts.
  func used(_ use: LibraryUse)
}

/// A player's search.
public struct SearchOrder: Hashable, Sendable {
  /// With filters.
  public let words: String
  /// Finds its own blocks, too; nil is somebody without a name.
  public let player: PlayerName?
  /// The player who asks: the place may be somebody else's when the answer comes.
  public let token: String
  /// The key of the quota for searches: an address, or a network.
  public let saver: String

  public init(words: String, player: PlayerName?, token: String, saver: String) {
    self.words = words
    self.player = player
    self.token = token
    self.saver = saver
  }
}

public enum SearchAnswer: Sendable {
  /// The best first.
  case items([SearchItem])
  case refused(Refusal)
}

/// A sound that somebody brought along, as it is listed.
public struct BroughtSound: Hashable, Sendable {
  public var id: SampleID
  public var name: String
  public var category: String
  /// Empty where nobody is known.
  public var author: String

  public init(id: SampleID, name: String, category: String, author: String) {
    self.id = id
    self.name = name
    self.category = category
    self.author = author
  }
}

/// A kit that was chosen, a block that was put on a lane, a sound that was put on a pad or played.
public struct LibraryUse: Hashable, Sendable {
  public var kind: LibraryKind
  public var id: String
  public var player: PlayerName
  /// The key of the quota: an address, or a network.
  public var saver: String
}

/// A block of another room, and the command that it is wanted for.
public struct CarryOrder: Hashable, Sendable {
  let block: BlockID
  let command: Command
  /// The player who asks: the place may be somebody else's when the block comes.
  let token: String
  let saver: String
  let hasRights: Bool
}
