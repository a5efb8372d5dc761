/// A note of the sounds and kits that are being written because a file brings them. It lies beside
/// the sounds until the file's music is kept, or nothing of it. A server that was killed in between
/// leaves the note, and the next start removes what it tells of.
///
/// Thread: any that may wait.
public struct DeliveryNote: Hashable, Sendable {
  public let sounds: [ContentHash]
  /// By their ids on this server.
  public let kits: [String]

  public init(sounds: [ContentHash], kits: [String]) {
    self.sounds = sounds
    self.kits = kits
  }

  private static let name = ".delivery"
  private static let byteLimit = 1 << 20

  /// - Parameter folder: the folder of sounds, which is created with the note.
  /// - Returns: nil where there is no note.
  public init?(in folder: String) {
    let path = Files.joined(folder, Self.name)
    guard let bytes = try? Files.read(path, limit: Self.byteLimit) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
      $0.split(separator: " ")
    }
    sounds = lines.compactMap {
      $0.count == 2 && $0[0] == "sound" ? ContentHash(String($0[1])) : nil
    }
    kits = lines.compactMap { $0.count == 2 && $0[0] == "kit" ? String($0[1]) : nil }.filter(
      KitFolder.isID)
  }

  public func write(in folder: String) throws(KitError) {
    try Files.makeFolder(folder)
    let lines = sounds.map { "sound \($0)\n" } + kits.map { "kit \($0)\n" }
    try Files.write(Array(lines.joined().utf8), to: Files.joined(folder, Self.name))
  }

  public static func remove(in folder: String) { Files.remove(Files.joined(folder, name)) }
}
