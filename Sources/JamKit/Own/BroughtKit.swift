public import JamCore

/// Kits that travel from one server to another, file by file.
///
/// Thread: any that may wait.
extension KitFolder {
  /// The limits of one kit: bytes of all files together, and the number of files.
  private static let mostBytes = 256 << 20
  private static let mostFiles = 512

  /// The kit's files, by their names. Folders inside the kit are left out. A kit of a pack has the
  /// files of `bundle`.
  public func files() throws(KitError) -> [String: [UInt8]] {
    if pack != nil { return try bundle() }
    guard let names = Files.names(in: path) else { throw KitError(path, .unreadable(cause: Files.lastError())) }
    var files: [String: [UInt8]] = [:]
    var left = KitFolder.mostBytes
    for name in names.sorted().prefix(KitFolder.mostFiles) where !Files.isFolder(Files.joined(path, name)) {
      let bytes = try read(name, limit: left)
      left -= bytes.count
      files[name] = bytes
    }
    return files
  }

  /// The files that the kit needs to play anywhere: its `kit.json` and the sounds that this names,
  /// by their paths in the folder. For a kit of a pack the bundle carries the sounds, and its
  /// `kit.json` names no pack.
  /// - Throws: also where the folder is no kit that can be played.
  public func bundle() throws(KitError) -> [String: [UInt8]] {
    var left = KitFolder.mostBytes
    let description = try read(KitDescription.fileName, limit: KitDescription.byteLimit)
    let place = SoundSource(self, pack)
    return try KitFolder.bundle(of: description, in: path) { file throws(KitError) in
      let bytes = try place.read(file, limit: left)
      left -= bytes.count
      return bytes
    }
  }

  /// The kit that the `kit.json` among these files describes.
  public static func description(of files: [String: [UInt8]], as id: String) throws(KitError) -> Kit? {
    guard let bytes = files[KitDescription.fileName] else { throw KitError(id, .noKit) }
    let description = KitDescription(id: id, reading: bytes, of: Files.joined(id, KitDescription.fileName))
    if let problem = description.problems.first { throw problem }
    return description.kit
  }

  /// The files that a kit needs, out of `files`: its `kit.json` and the sounds that this names.
  /// Others are left out.
  /// - Parameters:
  ///   - files: by their paths. All may lie in one folder.
  ///   - name: the name that errors carry.
  public static func bundle(of files: [String: [UInt8]], named name: String) throws(KitError) -> [String: [UInt8]] {
    var marker = spelling(of: KitDescription.fileName, among: files.keys)
    if marker == nil {
      let ending = "/\(KitDescription.fileName)"
      let all = files.keys.filter { $0.lowercased().hasSuffix(ending) && $0.count(where: { $0 == "/" }) == 1 }
      let exact = all.filter { $0.hasSuffix(ending) }
      let places = exact.isEmpty ? all : exact
      if places.count == 1 { marker = places.first }
    }
    guard let marker, let description = files[marker] else { throw KitError(name, .noKit) }
    let home = String(marker.dropLast(KitDescription.fileName.count))
    return try bundle(of: description, in: name) { file throws(KitError) in
      let path = home + KitFolder.parts(of: file).joined(separator: "/")
      guard let place = KitFolder.spelling(of: path, among: files.keys), let bytes = files[place] else {
        throw KitError(Files.joined(name, file), .noSuchFile)
      }
      return bytes
    }
  }

  private static func bundle(
    of description: [UInt8], in path: String, _ read: (String) throws(KitError) -> [UInt8]
  ) throws(KitError) -> [String: [UInt8]] {
    guard description.count <= KitDescription.byteLimit else {
      throw KitError(Files.joined(path, KitDescription.fileName), .tooLarge(limit: KitDescription.byteLimit))
    }
    var kit = KitDescription(id: "kit", reading: description, of: Files.joined(path, KitDescription.fileName))
    if let problem = kit.problems.first { throw problem }
    var bundle = [KitDescription.fileName: description]
    if kit.pack != nil || kit.namesBackslashes {
      // The receiver may lack the package, and the paths in `kit.json` must have the same slashes
      // as the bundle's file names.
      kit.pack = nil
      kit.turnBackslashes()
      bundle[KitDescription.fileName] = Array(kit.json.utf8)
    }
    for file in kit.pads.compactMap({ $0 }).flatMap(\.layers).flatMap(\.files) where bundle[file] == nil {
      guard isPlainPath(file), bundle.count < mostFiles else {
        throw KitError(path, .leavesFolder(path: file))
      }
      bundle[file] = try read(file)
    }
    return bundle
  }

  /// Whether a file's path only leads downwards, and means the same on every file system.
  private static func isPlainPath(_ path: String) -> Bool {
    path.utf8.count <= 240 && !path.contains("\\")
      && path.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
      && path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") }
  }

  /// Writes a kit's files into a new folder in `parent`: all of them, or none.
  /// - Parameter areChecked: `CarriedKit` has decoded the sounds already.
  /// - Throws: also where the files are no kit that can be played.
  public static func write(
    _ files: [String: [UInt8]], as id: String, in parent: String, areChecked: Bool = false
  ) throws(KitError) -> KitFolder {
    let path = Files.joined(parent, id)
    guard isID(id) else { throw KitError(path, .badID) }
    guard files[KitDescription.fileName] != nil, files.count <= mostFiles else { throw KitError(path, .noKit) }
    try Files.makeFolder(parent)
    let draft = try DraftFolder(for: path)
    do throws(KitError) {
      for (name, bytes) in files {
        // Files from another server may have any path.
        guard isPlainPath(name) else { throw KitError(path, .leavesFolder(path: name)) }
        var folder = draft.path
        for part in name.split(separator: "/").dropLast() {
          folder = Files.joined(folder, String(part))
          try Files.makeFolder(folder)
        }
        try Files.write(bytes, to: Files.joined(draft.path, name))
      }
      let description = KitFolder(draft.path).readDescription().problems.first { $0.reason != .badID }
      if let description { throw KitError(id, description.reason) }
      if !areChecked { try KitFolder(draft.path).requireSounds(named: id) }
      try Files.move(draft.path, to: path)
    } catch {
      Files.removeFolder(draft.path)
      throw error
    }
    Files.sync(folder: parent)
    return KitFolder(path)
  }

  /// Checks that every sound can be read, and that all of them fit into memory.
  private func requireSounds(named id: String) throws(KitError) {
    let description = readDescription()
    var sounds = KitSounds(place: SoundSource(self, description.pack), store: SoundStore(), limits: .standard)
    for file in description.pads.compactMap({ $0 }).flatMap(\.layers).flatMap(\.files) {
      do throws(KitError) { _ = try sounds.load(file) } catch {
        // The player who uploads the kit knows its name, but not the server's folders.
        throw KitError(Files.joined(id, file), error.reason)
      }
    }
  }
}

extension KitDescription {
  fileprivate var namesBackslashes: Bool {
    pads.contains { $0?.layers.contains { $0.files.contains { $0.contains("\\") } } ?? false }
  }

  /// Turns every backslash into a slash, which all file systems know.
  fileprivate mutating func turnBackslashes() {
    for pad in pads.indices {
      guard let layers = pads[pad]?.layers else { continue }
      for layer in layers.indices {
        pads[pad]?.layers[layer].files = layers[layer].files.map { $0.replacing("\\", with: "/") }
      }
    }
  }
}
