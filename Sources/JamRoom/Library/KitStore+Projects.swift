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

  /// Keeps a sound that a project brought, where it is what its name says.
  public func bring(soundFile bytes: [UInt8], as text: String) throws(KitError) {
    guard let sounds else { throw KitError("own/\(text)", .nowhereToKeep) }
    guard let hash = ContentHash(text) else { throw KitError("own/\(text)", .noSuchSound) }
    try sounds.keep(bytes, as: hash)
  }

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

  /// Keeps a kit for everybody, under an id that is free or has the very same files.
  /// - Returns: false where a different kit is called so; nothing happens then.
  public func bring(newKit files: [String: [UInt8]], as id: String) throws(KitError) -> Bool {
    if kits.contains(where: { $0.id == id }) {
      guard let folder = loader.catalogue.folder(of: id) else { return false }
      return (try? folder.bundle()) == files
    }
    return try bring(kitFiles: files, as: id) == id
  }

  /// Keeps a kit that a project brought: everybody has it from then on.
  /// - Returns: its id here, another one where a different kit is called so.
  public func bring(kitFiles files: [String: [UInt8]], as wanted: String) throws(KitError) -> String {
    guard let savedKits else { throw KitError(wanted, .nowhereToKeep) }
    let known = Set(kits.map(\.id))
    var (id, number) = (wanted, 2)
    while known.contains(id) {
      let folder = loader.catalogue.folder(of: id)
      // The server's own has more files than its sounds need.
      if let folder, (try? folder.bundle()) == files || (try? folder.files()) == files { return id }
      id = "\(wanted)-\(number)"
      number += 1
    }
    let saved = (try? KitFolder.folders(in: savedKits)) ?? []
    let limit = KitStore.mostSavedKits - KitStore.hostKits
    guard saved.count < limit else { throw KitError(wanted, .tooManyKept(limit: limit)) }
    let folder: KitFolder
    do throws(KitError) {
      folder = try KitFolder.write(files, as: id, in: savedKits)
    } catch {
      // The person who brings it knows its name, not the server's folders.
      throw KitError(wanted, error.reason)
    }
    guard let added = loader.add(folder) else { throw KitError(wanted, .unreadable(cause: "it was not written")) }
    tell(.added(added))
    return id
  }

  /// Sounds for which `isWanted` holds stay, also where no room has a name for them any more.
  public func keepSounds(_ isWanted: @escaping @Sendable (String) -> Bool) {
    held.withLock { $0.isWantedElsewhere = isWanted }
  }
}
