internal import Glibc
internal import JamStore

/// Writes a zip file to the disk entry by entry, of any size, as `ZipList` says.
///
/// Until `finish` the file is called `NAME.part`. A writer that is dropped before `finish` removes
/// that file.
///
/// Thread: any one at a time; blocks on the disk.
public struct ZipFileWriter: ~Copyable {
  private var file: PartFile
  private var list: ZipList

  private static let pieceBytes = 1 << 20

  /// Creates `path.part`.
  /// - Throws: `ExportError.file`.
  public init(path: String) throws(ExportError) { try self.init(path: path, limit: Int(UInt32.max)) }

  /// With a limit for zip64 that a test can reach.
  init(path: String, limit: Int) throws(ExportError) {
    file = try PartFile(path: path)
    list = ZipList(names: .export, limit: limit)
  }

  /// Adds an entry from memory.
  /// - Parameter name: relative, with `/` between the parts.
  /// - Throws: `ExportError.file`, `.badPath`, `.duplicatePath`.
  public mutating func add(_ name: String, _ bytes: [UInt8]) throws(ExportError) {
    try claim(name)
    let entry = list.entry(name, bytes: bytes.count, checkSum: CRC32.of(bytes), at: file.count)
    try file.write(entry.localHead)
    try file.write(bytes)
    list.append(entry)
  }

  /// Adds a file from the disk, piece by piece.
  /// - Parameters:
  ///   - name: of the entry: relative, with `/` between the parts.
  ///   - source: the file to copy. Its length at the beginning is the length that is copied.
  ///   - isCancelled: asked before every megabyte.
  /// - Throws: `ExportError.file`, `.badPath`, `.duplicatePath`, `.shortened`, `.cancelled`; then
  ///   drop the writer.
  public mutating func add(
    _ name: String, fileAt source: String, isCancelled: () -> Bool = { false }
  ) throws(ExportError) {
    try claim(name)
    let descriptor = open(source, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .file(action: .open, path: source, code: errno) }
    defer { _ = close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .file(action: .read, path: source, code: errno) }
    let size = Int(status.st_size)

    // The checksum is known only at the end, so the head is written twice.
    var entry = list.entry(name, bytes: size, at: file.count)
    try file.write(entry.localHead)
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: ZipFileWriter.pieceBytes, alignment: 16)
    defer { piece.deallocate() }
    var sum = CRC32()
    var rest = size
    while rest > 0 {
      guard !isCancelled() else { throw .cancelled }
      let count = Glibc.read(descriptor, piece.baseAddress, min(rest, piece.count))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .file(action: .read, path: source, code: errno) }
      guard count > 0 else { throw .shortened(path: source) }
      let bytes = UnsafeRawBufferPointer(rebasing: piece[..<count])
      sum.update(bytes)
      try file.write(bytes)
      rest -= count
    }
    entry.checkSum = sum.value
    try file.overwrite(entry.localHead, at: entry.offset)
    list.append(entry)
  }

  /// Writes the list of entries, makes the file durable and gives it its name.
  /// - Throws: `ExportError.file`; then there is no file.
  public consuming func finish() throws(ExportError) {
    try file.write(list.end(at: file.count))
    try file.finish()
  }

  private mutating func claim(_ name: String) throws(ExportError) {
    do throws(ZipError) {
      try list.claim(name)
    } catch {
      if case .sameNameNotWritten = error { throw .duplicatePath(name) }
      throw .badPath(name)
    }
  }
}
