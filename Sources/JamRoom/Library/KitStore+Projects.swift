internal import JamCore
public import JamKit
internal import Synchronization

/// The files that a project takes to another server, and brings from one.
///
/// Thread: any that may wait.
extension KitStore {
  /// The file of a sound that somebody brought along, by the hash of its content.
  public func soundFile(_ text: String) throws(KitError) -> [UInt8] {
    guard let sounds, let hash = ContentHash(text) else { throw KitError("own/\(text)", .noSuchSound) }
    return try sounds.file(hash)
  }

  /// Whether the sound is here, so that it can be played.
  public func hasSound(_ text: String) -> Bool {
    guard let hash = ContentHash(text) else { return false }
    return held.withLock { $0.sounds[hash]?.object != nil } || sounds?.holds(hash) ?? false
  }

  /// Whether hits can name the kit or the sampled instrument of that id.
  public func hasKit(_ id: String) -> Bool { isThere(id) || instruments.isSampled(id) }

  /// The files of a kit that no server has by itself: a kit saved here, or one with a package's
  /// sounds. Nil for a kit that came with the server.
  public func savedKitFiles(_ id: String) throws(KitError) -> [String: [UInt8]]? {
    guard let folder = loader.catalogue.folder(of: id) else { return nil }
    if folder.pack != nil { return try folder.bundle() }
    guard let savedKits, folder.isIn(savedKits) else { return nil }
    return try folder.files()
  }

  /// The files of any kit that there is: its `kit.json` and the sounds that this names.
  /// - Throws: `KitError`; where there is no such kit, with the nearest one's name.
  public func kitFiles(_ id: String) throws(KitError) -> [String: [UInt8]] {
    guard let folder = loader.catalogue.folder(of: id) else { throw KitError(id, .unknownKit(near: nil)) }
    do throws(KitError) { return try folder.bundle() } catch { throw KitError(id, error.reason) }
  }

  /// Sounds for which `isWanted` holds stay, also where no room has a name for them any more.
  public func keepSounds(_ isWanted: @escaping @Sendable (String) -> Bool) {
    held.withLock { $0.isWantedElsewhere = isWanted }
  }
}
