/// The sounds and kits that a zip carries to another server: sounds that players brought, by the
/// hashes of their contents, and files of kits, by the kits' ids and the files' paths.
enum CarriedSounds {
  /// Adds the sounds and kits in sorted order, so that equal sounds give equal bytes.
  static func add(
    sounds: [String: [UInt8]], kits: [String: [String: [UInt8]]], to zip: inout ZipWriter
  ) throws(ZipError) {
    for (hash, bytes) in sounds.sorted(by: { $0.key < $1.key }) { try zip.add("sounds/\(hash).flac", bytes) }
    for (kit, files) in kits.sorted(by: { $0.key < $1.key }) {
      for (file, bytes) in files.sorted(by: { $0.key < $1.key }) { try zip.add("kits/\(kit)/\(file)", bytes) }
    }
  }

  /// An entry that is neither a sound nor a file of a kit.
  struct Stranger: Error { var name: String }

  /// The meaning of an entry's name.
  enum Place {
    case sound(hash: String)
    case kit(id: String, path: String)

    /// - Returns: nil for a stranger.
    init?(_ entry: String) {
      let words = entry.split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
      if words.count == 2, words[0] == "sounds", words[1].hasSuffix(".flac") {
        self = .sound(hash: String(words[1].dropLast(5)))
      } else if words.count >= 3, words[0] == "kits" {
        self = .kit(id: words[1], path: words.dropFirst(2).joined(separator: "/"))
      } else {
        return nil
      }
    }
  }

  static func read(
    _ entries: [String: [UInt8]]
  ) throws(Stranger) -> (sounds: [String: [UInt8]], kits: [String: [String: [UInt8]]]) {
    var sounds: [String: [UInt8]] = [:]
    var kits: [String: [String: [UInt8]]] = [:]
    for (entry, bytes) in entries {
      switch Place(entry) {
      case .sound(let hash): sounds[hash] = bytes
      case .kit(let id, let path): kits[id, default: [:]][path] = bytes
      case nil: throw Stranger(name: entry)
      }
    }
    return (sounds, kits)
  }
}

/// Names of sounds and kits that a file may carry.
public struct CarriedNames: Hashable, Sendable {
  /// The hashes of the sounds' contents.
  public var sounds: Set<String>
  /// The ids of the kits.
  public var kits: Set<String>

  public init(sounds: Set<String> = [], kits: Set<String> = []) {
    self.sounds = sounds
    self.kits = kits
  }
}
