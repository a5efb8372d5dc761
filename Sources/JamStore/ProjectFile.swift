public import JamCore

/// A project in one file, with all that it needs to be opened on another server: a zip of `project.json`, which people and programs
/// may read, `music.journal`, and the sounds and kits that the music needs and no server has by itself.
///
/// The same project is the same file, on any machine.
/// Thread: any.
public struct ProjectFile: Hashable, Sendable {
  /// The name as it was written; whoever opens it may choose another.
  public var name: String
  public var facts: Catalogue.Facts
  public var items: [KeptItem]
  /// FLAC files, by the hashes of their contents.
  public var sounds: [String: [UInt8]]
  /// Files by their names, by the kits' ids.
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
    /// It holds something that is none of a project's.
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

  /// Unpacked; an upload has less.
  public static let mostBytes = 512 << 20

  /// Of its sounds and kits.
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

  /// - Parameter file: what errors name.
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

  /// For people, and for programs that only list; nothing here reads it again.
  private var json: String {
    func text(_ text: String) -> String {
      var quoted = "\""
      for scalar in text.unicodeScalars {
        switch scalar {
        case "\"", "\\": quoted += "\\\(scalar)"
        case _ where scalar.value < 0x20:
          quoted += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
        default: quoted.unicodeScalars.append(scalar)
        }
      }
      return quoted + "\""
    }
    func list(_ texts: [String]) -> String { "[\(texts.map(text).joined(separator: ", "))]" }
    return """
      {
        "format": "bandshell project",
        "version": \(JournalFrame.version),
        "name": \(text(name)),
        "measures": \(facts.measures),
        "bpm": \(facts.tempo),
        "signature": \(text(facts.signature)),
        "players": \(list(facts.players)),
        "kits": \(list(facts.kits)),
        "sounds": \(list(facts.sounds))
      }

      """
  }
}
