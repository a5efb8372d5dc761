/// A block in one file, with everything that it needs to sound on another server. The file is a zip
/// of `block.json`, and of the sounds and kits that the hits use and that not every server has.
///
/// Equal blocks give equal files, on any machine.
/// Thread: any.
public struct BlockFile: Hashable, Sendable {
  /// The text of `block.json`.
  public var block: [UInt8]
  /// FLAC files; the key is the hash of the file's contents.
  public var sounds: [String: [UInt8]]
  /// The files of each kit by their paths; the outer key is the kit's id.
  public var kits: [String: [String: [UInt8]]]

  public init(block: [UInt8], sounds: [String: [UInt8]], kits: [String: [String: [UInt8]]]) {
    self.block = block
    self.sounds = sounds
    self.kits = kits
  }

  public enum Problem: Error, Hashable, CustomStringConvertible {
    case zip(ZipError)
    case noBlock
    /// The file contains an entry that does not belong to a block.
    case unknown(String)

    public var description: String {
      switch self {
      case .zip(let error): "\(error)"
      case .noBlock: "it holds no \(BlockFile.about): it is no block of Bandshell's"
      case .unknown(let name): "it holds \(name), which has no place in a block"
      }
    }
  }

  /// The most bytes after unpacking. An upload has fewer.
  public static let mostBytes = 256 << 20
  private static let about = "block.json"

  public func encoded() throws(ZipError) -> [UInt8] {
    var zip = ZipWriter()
    try zip.add(BlockFile.about, block)
    try CarriedSounds.add(sounds: sounds, kits: kits, to: &zip)
    return zip.finish()
  }

  /// - Parameter file: the file's name for errors.
  public init(_ bytes: [UInt8], named file: String) throws(Problem) {
    var entries: [String: [UInt8]]
    do throws(ZipError) {
      entries = try ZipReader(bytes, named: file, byteLimit: BlockFile.mostBytes).readAll()
    } catch {
      throw .zip(error)
    }
    guard let block = entries.removeValue(forKey: BlockFile.about) else { throw .noBlock }
    self.block = block
    do throws(CarriedSounds.Stranger) {
      (sounds, kits) = try CarriedSounds.read(entries)
    } catch {
      throw .unknown(error.name)
    }
  }
}

/// A kit in one file: a zip of its `kit.json` and of the sounds that it names.
public enum KitFile {
  /// The most bytes after unpacking.
  public static let mostBytes = 256 << 20

  /// Equal files give equal bytes.
  public static func encoded(_ files: [String: [UInt8]]) throws(ZipError) -> [UInt8] {
    var zip = ZipWriter()
    for (name, bytes) in files.sorted(by: { $0.key < $1.key }) { try zip.add(name, bytes) }
    return zip.finish()
  }

  /// All files of a zip; their contents are not checked.
  public static func files(in bytes: [UInt8], named file: String) throws(ZipError) -> [String: [UInt8]] {
    try ZipReader(bytes, named: file, byteLimit: mostBytes, entryLimit: 1_024, turnsBackslashes: true).readAll()
  }

  /// Whether the bytes begin like a zip file.
  public static func isOne(_ bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: [0x50, 0x4b]) }
}
