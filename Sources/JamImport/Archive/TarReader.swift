internal import JamKit

/// Reads tar archives in memory, and checks everything that they claim.
/// - Source: POSIX.1-2017 pax, "ustar Interchange Format" and "pax Header Block"; GNU tar 1.35,
///   "Basic Tar Format".
struct TarReader {
  private static let block = 512

  private let bytes: [UInt8]
  private let file: String
  private let byteLimit: Int
  private let entryLimit: Int
  private var position = 0
  /// A path or a size that an extended header gives to the entry after it.
  private var nextPath: String?
  private var nextSize: Int?

  /// - Parameters:
  ///   - file: the name that errors carry.
  ///   - byteLimit: of all files together.
  init(_ bytes: [UInt8], named file: String, byteLimit: Int, entryLimit: Int) {
    self.bytes = bytes
    self.file = file
    self.byteLimit = byteLimit
    self.entryLimit = entryLimit
  }

  static func isOne(_ bytes: [UInt8]) -> Bool { bytes.count >= block && bytes[257..<262].elementsEqual("ustar".utf8) }

  /// The regular files by path, without `./`.
  /// - Throws: `KitError` at the first entry that has no place in a kit.
  mutating func readAll() throws(KitError) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    var entries = 0
    var total = 0
    while position + Self.block <= bytes.count {
      let header = TarHeader(bytes[position..<position + Self.block])
      if header.isZero { return files }
      guard header.hasValidChecksum else { throw bad("a header is damaged at byte \(position)") }
      entries += 1
      guard entries <= entryLimit else { throw bad("it holds more than \(entryLimit) entries") }
      let size = nextSize ?? header.size ?? -1
      position += Self.block
      guard size >= 0, size <= bytes.count - position else { throw bad("an entry is longer than the archive") }
      let content = bytes[position..<position + size]
      position += min((size + Self.block - 1) / Self.block * Self.block, bytes.count - position)
      guard try !readExtension(header.kind, content) else { continue }
      let path = try checked(nextPath ?? header.path, header.kind)
      nextPath = nil
      nextSize = nil
      guard header.kind != .folder else { continue }
      total += size
      guard total <= byteLimit else { throw KitError(file, .unpacksTooLarge(limit: byteLimit)) }
      files[path] = Array(content)
    }
    throw bad("it ends too early")
  }

  /// Reads the entry if it only holds properties of the entry after it; returns whether it did.
  private mutating func readExtension(_ kind: TarHeader.Kind, _ content: ArraySlice<UInt8>) throws(KitError) -> Bool {
    switch kind {
    case .longName:
      nextPath = String(decoding: content.prefix { $0 != 0 }, as: UTF8.self)
      return true
    case .extended:
      guard let records = TarHeader.records(content) else { throw bad("an extended header is damaged") }
      nextPath = records["path"] ?? nextPath
      if let size = records["size"] {
        guard let size = Int(size), size >= 0 else { throw bad("an extended header is damaged") }
        nextSize = size
      }
      return true
    case .global: return true
    case .file, .folder, .other: return false
    }
  }

  private func checked(_ path: String, _ kind: TarHeader.Kind) throws(KitError) -> String {
    let shown = PadName.safe(path, atMost: 80, otherwise: "an entry without a name", keepingSlashes: true)
    if case .other(let what) = kind { throw bad("\(shown) is \(what), and a kit has only files and folders") }
    guard KitFolder.objection(to: path) == nil else { throw bad("\(shown) leads out of it") }
    // A Windows program may have written the other slash.
    return KitFolder.parts(of: path).joined(separator: "/")
  }

  private func bad(_ cause: String) -> KitError { KitError(file, .badArchive(cause: cause)) }
}
