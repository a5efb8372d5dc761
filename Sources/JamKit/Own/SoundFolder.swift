import Glibc

/// The folder of users' own sounds: one FLAC file for each, named by the hash of its content.
///
/// Thread: any that may wait.
public struct SoundFolder: Sendable {
  public let path: String

  /// - Parameter path: created when the first sound is kept.
  public init(_ path: String) { self.path = path }

  private static let mostSounds = 4_096
  /// The part of `mostSounds` that only hosts can fill.
  private static let hostSounds = 512

  /// Keeps a sound. A file that is there already stays as it is, unless its size shows that it was
  /// cut off.
  /// - Parameters:
  ///   - isHost: a player who is no host leaves the last `hostSounds` places free.
  ///   - taken: so many sounds take no place: hosts took them back.
  /// - Returns: whether the sound is new.
  /// - Throws: `KitError` where the file cannot be written, as on a full disk. No part of a file is
  ///   left behind then.
  @discardableResult
  public func keep(
    _ sound: FinishedSound, isHost: Bool = true, besides taken: Int = 0
  ) throws(KitError) -> Bool {
    let file = file(of: sound.memory.hash)
    let isNew = !Files.exists(file)
    let limit = isHost ? Self.mostSounds : Self.mostSounds - Self.hostSounds
    if !isNew {
      guard Files.size(of: file) != sound.file.count else { return false }
    } else if count - taken >= limit {
      throw KitError(path, .tooManyKept(limit: limit))
    }
    try Files.makeFolder(path)
    try Files.write(sound.file, to: file)
    return isNew
  }

  /// Keeps the file of a sound as another server sent it.
  /// - Throws: where the content does not match its hash, or is no sound.
  public func keep(_ bytes: [UInt8], as hash: ContentHash) throws(KitError) {
    try Self.requireContent(bytes, of: hash)
    _ = try Self.seconds(decoding: bytes, of: hash)
    _ = try keep(checked: bytes, as: hash)
  }

  /// Keeps the file of a sound that `requireContent` and `seconds(decoding:of:)` have checked.
  /// - Parameter taken: so many sounds take no place: hosts took them back.
  /// - Returns: whether the sound is new.
  public func keep(
    checked bytes: [UInt8], as hash: ContentHash, besides taken: Int = 0
  ) throws(KitError) -> Bool {
    guard !holds(hash, byteCount: bytes.count) else { return false }
    let isNew = !Files.exists(file(of: hash))
    guard !isNew || count - taken < Self.mostForAll else {
      throw KitError(path, .tooManyKept(limit: Self.mostForAll))
    }
    try Files.makeFolder(path)
    try Files.write(bytes, to: file(of: hash))
    return isNew
  }

  /// Checks that a sound's file is what its name says. Decodes nothing.
  public static func requireContent(_ bytes: [UInt8], of hash: ContentHash) throws(KitError) {
    guard bytes.count <= FinishedSound.mostBytes else {
      throw KitError(fileName(of: hash), .tooLarge(limit: FinishedSound.mostBytes))
    }
    guard bytes.withUnsafeBytes({ ContentHash($0) }) == hash else {
      throw KitError(fileName(of: hash), .damaged(cause: "its content is not what its name says"))
    }
  }

  /// Decodes a sound's file, and keeps nothing of it.
  /// - Returns: its length in seconds.
  public static func seconds(
    decoding bytes: [UInt8], of hash: ContentHash
  ) throws(KitError) -> Double {
    let (name, limit) = (fileName(of: hash), FinishedSound.mostBytes)
    let sound = try Sound(decoding: bytes, named: name, byteLimit: limit, keeping: .none)
    return Double(sound.frames) / Double(sound.rate)
  }

  /// Whether the sound lies here, and was not cut off.
  public func holds(_ hash: ContentHash, byteCount: Int) -> Bool {
    Files.size(of: file(of: hash)) == byteCount
  }

  public func holds(_ hash: ContentHash) -> Bool { Files.size(of: file(of: hash)) ?? 0 > 0 }

  /// The number of sounds in the folder.
  public var count: Int { Files.names(in: path)?.count { $0.hasSuffix(Self.suffix) } ?? 0 }

  /// The number of sounds that players who are no hosts may fill the folder with.
  public static let mostForAll = mostSounds - hostSounds

  /// The unchanged bytes of the sound's file.
  public func file(_ hash: ContentHash) throws(KitError) -> [UInt8] {
    try Files.read(file(of: hash), limit: FinishedSound.mostBytes)
  }

  public func remove(_ hash: ContentHash) { Files.remove(file(of: hash)) }

  /// Checks that the sound's file still matches its hash.
  /// - Throws: `KitError` where the file is missing, or does not match its hash.
  public func check(_ hash: ContentHash) throws(KitError) { _ = try checked(hash) }

  private func checked(_ hash: ContentHash) throws(KitError) -> [UInt8] {
    let file = file(of: hash)
    let bytes = try Files.read(file, limit: FinishedSound.mostBytes)
    guard bytes.withUnsafeBytes({ ContentHash($0) }) == hash else {
      throw KitError(file, .damaged(cause: "its content is not what its name says"))
    }
    return bytes
  }

  /// - Throws: `KitError` where the file is missing, or does not match its hash.
  public func read(_ hash: ContentHash) throws(KitError) -> SampleMemory {
    let file = file(of: hash)
    let bytes = try checked(hash)
    let sound = try Sound(decoding: bytes, named: file, byteLimit: FinishedSound.mostBytes, keeping: .none)
    let memory = sound.interleaved.withUnsafeBufferPointer {
      SampleMemory(hash: hash, interleaved: $0, channels: sound.channels)
    }
    guard let memory else { throw KitError(file, .unreadable(cause: Files.lastError())) }
    return memory
  }

  private func file(of hash: ContentHash) -> String { Files.joined(path, Self.fileName(of: hash)) }

  static func fileName(of hash: ContentHash) -> String { "\(hash)\(suffix)" }

  private static let suffix = ".flac"
}
