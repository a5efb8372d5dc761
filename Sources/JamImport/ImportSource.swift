internal import JamKit

/// The source of an import, as its files show it.
struct ImportSource {
  let kind: ImportKind
  let path: String
  /// Of an SFZ file: the folder that holds its sounds, too, where that is not its own; `path`
  /// begins with it.
  let root: String?

  /// Libraries have their SFZ files in a folder of such a name, and their sounds beside that
  /// folder.
  private static let programs: Set = ["programs", "program", "sfz", "presets", "instruments", "patches", "mappings"]
  /// The extensions of sound files.
  private static let sounds: Set = [
    "wav", "wave", "aif", "aiff", "aifc", "flac", "ogg", "oga", "opus", "mp3", "au", "snd", "caf", "w64", "rf64",
  ]
  /// The depth to which SFZ files are looked for, and the most folders that are searched.
  private static let (depth, folders) = (4, 400)

  /// - Parameter file: chooses a file or folder in the folder `source`, by its path in it.
  /// - Throws: `KitError` where there is no such thing.
  init(_ source: String, file: String? = nil) throws(KitError) {
    guard Files.exists(source) else { throw KitError(source, .noSource) }
    guard let file else {
      self = try Files.isFolder(source) ? Self(folder: source) : Self(file: source)
      return
    }
    guard Files.isFolder(source) else { throw KitError(source, field: "--file", .notAFolder) }
    if let reason = KitFolder.objection(to: file) { throw KitError(source, field: "--file", reason) }
    let path = Files.joined(source, KitFolder(source).spelled(file))
    guard Files.exists(path) else { throw KitError(path, .noSource) }
    self = try Files.isFolder(path) ? Self(folder: path, in: source) : Self(file: path, in: source)
  }

  private init(_ kind: ImportKind, _ path: String, root: String? = nil) {
    self.kind = kind
    self.path = path
    self.root = root
  }

  /// - Parameter root: the folder of an SFZ file's sounds; nil where its own folder says which.
  private init(sfz path: String, in root: String?) {
    let folder = Files.parent(of: path)
    guard root == nil, Self.programs.contains(KitFolder(folder).id.lowercased()) else {
      self.init(.sfz, path, root: root)
      return
    }
    var path = path
    // What the working folder is called, and lies in, only the disk knows.
    let name = folder.split(separator: "/").last ?? "."
    if name == "." || name == "..", let real = KitFolder(folder).realPath {
      path = Files.joined(real, String(path.split(separator: "/").last ?? ""))
    }
    let parent = Files.parent(of: Files.parent(of: path))
    self.init(.sfz, path, root: parent == "/" ? nil : parent)
  }

  /// - Parameter root: as above.
  private init(file path: String, in root: String? = nil) throws(KitError) {
    if path.lowercased().hasSuffix(".sfz") {
      self.init(sfz: path, in: root)
    } else if SoundFontChunks.isOne(try Files.read(path, limit: .max, atMost: 12)) {
      self.init(.soundFont, path)
    } else if SoundFonts.isSoundFont(path) {
      throw KitError(path, .notSoundFont(cause: "it is no RIFF file of kind sfbk"))
    } else {
      self.init(try Archive.isOne(path) ? .hydrogen : .recording, path)
    }
  }

  /// - Parameter root: as above.
  private init(folder path: String, in root: String? = nil) throws(KitError) {
    guard let names = Files.names(in: path) else { throw KitError(path, .unreadable(cause: Files.lastError())) }
    if KitFolder.spelling(of: HydrogenImport.fileName, among: names) != nil {
      self.init(.hydrogen, path)
      return
    }
    var instruments = names.filter(Self.isSFZ)
    let isOfSounds = names.contains { Self.sounds.contains(Self.ending(of: $0)) }
    if instruments.isEmpty, !isOfSounds { instruments = Self.instruments(below: path, names) }
    guard instruments.count < 2 else {
      throw KitError(path, .severalInstruments(instruments.sorted(by: precedesNaturally)))
    }
    guard let instrument = instruments.first else {
      self.init(.folder, path)
      return
    }
    self.init(sfz: Files.joined(path, instrument), in: root ?? (instrument.contains("/") ? path : nil))
  }

  /// The SFZ files in the folders of a folder, by their paths in it.
  private static func instruments(below path: String, _ names: [String]) -> [String] {
    var found: [String] = []
    var waiting = names.sorted().map { ($0, 1) }[...]
    var looked = 0
    while let (folder, level) = waiting.popFirst(), looked < folders {
      let whole = Files.joined(path, folder)
      guard Files.isFolder(whole) else { continue }
      looked += 1
      for name in (Files.names(in: whole) ?? []).sorted() {
        let inner = Files.joined(folder, name)
        if isSFZ(name) { found.append(inner) } else if level < depth { waiting.append((inner, level + 1)) }
      }
    }
    return found
  }

  private static func isSFZ(_ name: String) -> Bool { ending(of: name) == "sfz" }

  private static func ending(of name: String) -> String {
    name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
  }
}
