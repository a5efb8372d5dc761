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
  /// The kits and sounds of the file that were not read, because the music does not need them.
  public private(set) var unneeded = CarriedNames()

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

  /// - Parameters:
  ///   - file: the file's name for errors.
  ///   - needs: the kits and sounds that some music needs. Others stay packed and are counted. Nil
  ///     reads all.
  public init(
    _ bytes: [UInt8], named file: String, needing needs: (([KeptItem]) -> CarriedNames)? = nil
  ) throws(Problem) {
    let zip: ZipReader
    do throws(ZipError) {
      zip = try ZipReader(bytes, named: file, byteLimit: ProjectFile.mostBytes)
    } catch {
      throw .zip(error)
    }
    guard zip.names.contains(ProjectFile.music) else { throw .missing(ProjectFile.music) }
    let music = try ProjectFile.contents(of: ProjectFile.music, in: zip)
    do throws(MusicBytes.Problem) {
      items = try MusicBytes.items(in: music)
    } catch {
      throw .music(error)
    }
    (sounds, kits) = ([:], [:])
    let wanted = needs?(items)
    for entry in zip.names where entry != ProjectFile.music && entry != ProjectFile.about {
      switch CarriedSounds.Place(entry) {
      case nil: throw .unknown(entry)
      case .sound(let hash):
        guard wanted?.sounds.contains(hash) ?? true else {
          unneeded.sounds.insert(hash)
          continue
        }
        sounds[hash] = try ProjectFile.contents(of: entry, in: zip)
      case .kit(let id, let path):
        guard wanted?.kits.contains(id) ?? true else {
          unneeded.kits.insert(id)
          continue
        }
        kits[id, default: [:]][path] = try ProjectFile.contents(of: entry, in: zip)
      }
    }
    name = ""
    facts = Catalogue.Facts(measures: 0, tempo: 0, signature: "", players: [], kits: [], sounds: [])
  }

  private static func contents(of entry: String, in zip: ZipReader) throws(Problem) -> [UInt8] {
    do throws(ZipError) { return try zip.contents(of: entry) } catch { throw .zip(error) }
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
