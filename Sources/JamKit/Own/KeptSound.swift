/// What a sound in a `SoundFolder` is called, in the room that it was brought to.
///
/// Thread: any.
public struct KeptSound: Hashable, Sendable {
  public let hash: ContentHash
  public let name: String
  public let category: PadCategory
  /// Other rooms do not list it: they may have other words to enter.
  public let room: String
  /// Who brought it along; empty where nobody is known.
  public let author: String

  public init(_ hash: ContentHash, name: String, category: PadCategory, room: String, author: String = "") {
    self.author = author
    self.hash = hash
    self.name = name
    self.category = category
    self.room = room
  }
}
