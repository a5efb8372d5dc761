/// Where the sounds lie that a kit names: in its own folder, or in a package's.
///
/// Thread: any; reads files, not real-time safe.
struct SoundSource {
  let kit: KitFolder
  let pack: KitPack?

  init(_ kit: KitFolder, _ pack: KitPack? = nil) {
    self.kit = kit
    self.pack = pack
  }

  /// The folder that the kit's paths start from; nil where its pack is not installed.
  var folder: KitFolder? {
    guard let pack else { return kit }
    return kit.packs.folder(of: pack).map { KitFolder($0) }
  }

  /// The path that errors name.
  func shown(_ file: String) -> String { Files.joined((folder ?? kit).path, file) }

  /// The bytes of a sound. Nothing outside of the folder is read, neither by dots nor by links.
  func read(_ file: String, limit: Int) throws(KitError) -> [UInt8] {
    guard let pack else { return try kit.read(file, limit: limit) }
    guard let folder else { throw missing(pack) }
    do throws(KitError) { return try folder.read(file, limit: limit) } catch {
      guard case .noSuchFile = error.reason else { throw error }
      throw incomplete(pack, without: file)
    }
  }

  /// What keeps the kit from playing, as far as its pack goes: not installed, or without a file that the kit names.
  /// Looks at names alone.
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
