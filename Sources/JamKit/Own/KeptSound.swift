/// The name of a sound in a `SoundFolder`, in the room that it was brought to.
///
/// Thread: any.
public struct KeptSound: Hashable, Sendable {
  public let hash: ContentHash
  public let name: String
  public let category: PadCategory
  /// Other rooms do not list the sound, because they may have other passwords.
  public let room: String
  /// The player who brought the sound along; empty where the player is unknown.
  public let author: String
  /// A host took it back with all of its author: no list has it, and its file stays.
  public internal(set) var isTaken = false

  public init(_ hash: ContentHash, name: String, category: PadCategory, room: String, author: String = "") {
    self.author = author
    self.hash = hash
    self.name = name
    self.category = category
    self.room = room
  }
}
