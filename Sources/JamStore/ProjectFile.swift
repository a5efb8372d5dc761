public import JamCore

/// A project in one file, with everything that it needs on another server. The file is a zip of
/// `project.json`, for people and other programs, of `music.journal`, and of the sounds and kits
/// that the music uses and that not every server has.
///
/// Equal projects give equal files, on any machine.
/// Thread: any.
public struct ProjectFile: Hashable, Sendable {
  /// The project's name when the file was made. A server may open the file under another name.
  public var name: String
  public var facts: Catalogue.Facts
  public var items: [KeptItem]
  /// FLAC files; the key is the hash of the file's contents.
  public var sounds: [String: [UInt8]]
  /// The files of each kit by their names; the outer key is the kit's id.
  public var kits: [String: [String: [UInt8]]]

  public init(
    name: String, facts: Catalogue.Facts, items: [KeptItem], sounds: [String: [UInt8]],
    kits: [String: [String: [UInt8]]]
  ) {
    self.name = name
    self.facts = facts
    self.items = items
    self.sounds = sounds
    self.kits = kits
  }

  public enum Problem: Error, Hashable, CustomStringConvertible {
    case zip(ZipError)
    case music(MusicBytes.Problem)
    case missing(String)
    /// The file contains an entry that does not belong to a project.
    case unknown(String)

    public var description: String {
      switch self {
      case .zip(let error): "\(error)"
      case .music(let problem): "\(problem)"
      case .missing(let name): "it holds no \(name): it is no project of Bandshell's"
      case .unknown(let name): "it holds \(name), which has no place in a project"
      }
    }
  }

  /// The most bytes after unpacking. An upload has fewer.
  public static let mostBytes = 512 << 20

  /// The bytes of its sounds and kits.
  public var byteCount: Int {
    sounds.values.reduce(0) { $0 + $1.count } + kits.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } }
  }

  private static let music = "music.journal"
  private static let about = "project.json"

  public func encoded() throws(ZipError) -> [UInt8] {
    var zip = ZipWriter()
    try zip.add(ProjectFile.about, Array(json.utf8))
    try zip.add(ProjectFile.music, MusicBytes.encoded(items))
    try CarriedSounds.add(sounds: sounds, kits: kits, to: &zip)
    return zip.finish()
  }

  /// - Parameter file: the file's name for errors.
  public init(_ bytes: [UInt8], named file: String) throws(Problem) {
    var entries: [String: [UInt8]]
    do throws(ZipError) {
      entries = try ZipReader(bytes, named: file, byteLimit: ProjectFile.mostBytes).readAll()
    } catch {
      throw .zip(error)
    }
    guard let music = entries.removeValue(forKey: ProjectFile.music) else { throw .missing(ProjectFile.music) }
    do throws(MusicBytes.Problem) {
      items = try MusicBytes.items(in: music)
    } catch {
      throw .music(error)
    }
    entries[ProjectFile.about] = nil
    do throws(CarriedSounds.Stranger) {
      (sounds, kits) = try CarriedSounds.read(entries)
    } catch {
      throw .unknown(error.name)
    }
    name = ""
    facts = Catalogue.Facts(measures: 0, tempo: 0, signature: "", players: [], kits: [], sounds: [])
  }

  /// The text of `project.json`. It is for people, and for programs that list projects; this
  /// program does not read it.
  private var json: String {
    func list(_ texts: [String]) -> String {
      "[\(texts.map(\.quotedJSON).joined(separator: ", "))]"
    }
    return """
      {
        "format": "bandshell project",
        "version": \(JournalFrame.version),
        "name": \(name.quotedJSON),
        "measures": \(facts.measures),
        "bpm": \(facts.tempo),
        "signature": \(facts.signature.quotedJSON),
        "players": \(list(facts.players)),
        "kits": \(list(facts.kits)),
        "sounds": \(list(facts.sounds))
      }

      """
  }
}
