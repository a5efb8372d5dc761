/// The place of the sounds that a kit names: the kit's own folder, the folder of a package, or the
/// files that somebody brings.
///
/// Thread: any; reads files, not real-time safe.
struct SoundSource {
  let kit: KitFolder
  let pack: KitPack?
  /// Files in memory, by the paths that the kit names; nil reads the folder.
  private let carried: [String: [UInt8]]?

  init(_ kit: KitFolder, _ pack: KitPack? = nil) {
    self.kit = kit
    self.pack = pack
    carried = nil
  }

  /// The files of a kit that has no folder yet.
  init(carrying files: [String: [UInt8]], as id: String) {
    kit = KitFolder(id)
    pack = nil
    carried = files
  }

  /// The folder that the kit's paths start from; nil where the kit's pack is not installed.
  var folder: KitFolder? {
    guard let pack else { return kit }
    return kit.packs.folder(of: pack).map { KitFolder($0) }
  }

  /// The path that errors name.
  func shown(_ file: String) -> String { Files.joined((folder ?? kit).path, file) }

  /// The bytes of a sound. Nothing outside of the folder is read, neither through dots nor through
  /// links.
  func read(_ file: String, limit: Int) throws(KitError) -> [UInt8] {
    if let carried {
      guard let bytes = carried[file] else { throw KitError(shown(file), .noSuchFile) }
      guard bytes.count <= limit else { throw KitError(shown(file), .tooLarge(limit: limit)) }
      return bytes
    }
    guard let pack else { return try kit.read(file, limit: limit) }
    guard let folder else { throw missing(pack) }
    do throws(KitError) { return try folder.read(file, limit: limit) } catch {
      guard case .noSuchFile = error.reason else { throw error }
      throw incomplete(pack, without: file)
    }
  }

  /// The reason why the kit's pack keeps it from playing: the pack is not installed, or lacks a
  /// file that the kit names. This looks at names, and opens no file.
  func problem(with description: KitDescription) -> KitError? {
    guard let pack else { return nil }
    guard let folder else { return missing(pack) }
    let files = description.mentions.map(\.file)
    return files.first { !folder.holds($0) }.map { incomplete(pack, without: $0) }
  }

  private func missing(_ pack: KitPack) -> KitError {
    KitError(kit.path, .packMissing(package: pack.package, kits: [kit.id]))
  }

  private func incomplete(_ pack: KitPack, without file: String) -> KitError {
    KitError(
      Files.joined(kit.path, KitDescription.fileName), field: "pack",
      .packIncomplete(package: pack.package, file: file))
  }
}
