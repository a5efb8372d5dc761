public import JamCore

/// A project's music as bytes: its rows in frames, as in a journal. Equal rows give equal bytes.
///
/// Thread: any.
public enum MusicBytes {
  public enum Problem: Error, Hashable, CustomStringConvertible {
    /// A newer version of the program wrote the bytes.
    case newerVersion(Int)
    case damaged

    public var description: String {
      switch self {
      case .newerVersion(let version): "a newer bandshell made it (version \(version))"
      case .damaged: "it is damaged, or no project at all"
      }
    }
  }

  public static func encoded(_ items: [KeptItem]) -> [UInt8] {
    JournalFrame.header(version: JournalFrame.version, room: "").encoded()
      + JournalFrame.whole(items, isLast: true).encoded()
  }

  /// - Throws: where any part is damaged, because a project is only opened as a whole.
  public static func items(in bytes: [UInt8]) throws(Problem) -> [KeptItem] {
    guard let (head, headCount) = JournalFrame.read(bytes[...]), case .header(let version, _) = head else {
      throw .damaged
    }
    guard version <= JournalFrame.version else { throw .newerVersion(version) }
    guard let (body, count) = JournalFrame.read(bytes[headCount...]), case .whole(let items, true) = body,
      headCount + count == bytes.count
    else { throw .damaged }
    return items
  }
}
