/// The reason why a zip file is not read or not written. `file` is the name that the reader got for
/// it, and `entry` is a name inside it.
///
/// `description` is the one line that a user reads.
public enum ZipError: Error, Hashable, Sendable, CustomStringConvertible {
  case notZip(file: String)
  /// The file begins like a zip file, but does not end like one.
  case cutShort(file: String)
  case severalDisks(file: String)
  /// The file uses the form for more than 4 GiB or 65,534 entries.
  case zip64(file: String)
  case tooManyEntries(file: String, limit: Int)
  /// All entries together unpack to more than `limit` bytes.
  case unpacksTooLarge(file: String, limit: Int)
  /// The list of entries does not agree with the numbers in the file's last record.
  case damagedList(file: String)
  /// The entry's own header is missing, or disagrees with the list.
  case contradiction(file: String, entry: String)
  /// Two entries share bytes, or one reaches into the list.
  case overlap(file: String, entry: String)
  case badName(file: String, entry: String, fault: NameFault)
  /// Two names are equal on disks that ignore case.
  case sameName(file: String, entry: String)
  /// A link, a device, a pipe …
  case notAFile(file: String, entry: String)
  case encrypted(file: String, entry: String)
  /// - Source: PKWARE APPNOTE 6.3.10, 4.4.5, for the meaning of the numbers.
  case unknownMethod(file: String, entry: String, method: Int)
  /// The entry unpacks to more or fewer bytes than it says.
  case wrongSize(file: String, entry: String)
  case damaged(file: String, entry: String)
  case noSuchEntry(file: String, entry: String)
  case noMemory(file: String)
  /// The written file would have more than `limit` bytes.
  case tooLargeToWrite(limit: Int)
  case tooManyToWrite(limit: Int)
  case nameNotWritten(String, fault: NameFault)
  case sameNameNotWritten(String)

  /// The reason why a name is refused. As a file's path it would lead to a wrong place, or to none,
  /// on some system.
  public enum NameFault: Hashable, Sendable {
    case empty
    case tooLong(limit: Int)
    case notUTF8
    case control
    case backslash
    case absolute
    case drive
    case colon
    /// A part of the name is `.` or `..`.
    case dots
    /// There are two slashes in a row, or a slash at the end.
    case emptyPart
  }

  public var description: String {
    switch self {
    case .notZip(let file): "\(shown(file)) is no zip file"
    case .cutShort(let file): "\(shown(file)) is cut short, or something was added to its end; fetch it again"
    case .severalDisks(let file): "\(shown(file)) is one of several parts; pack it anew as one"
    case .zip64(let file): "\(shown(file)) is a zip file for more than 4 GiB (zip64), which is not read here"
    case .tooManyEntries(let file, let limit): "\(shown(file)) holds more than \(limit) files and folders"
    case .unpacksTooLarge(let file, let limit): "\(shown(file)) unpacks to more than \(size(limit))"
    case .damagedList(let file): "\(shown(file)) is damaged: the list of its files does not add up"
    case .contradiction(let file, let entry):
      "\(shown(file)) is damaged: it says two different things of \(shown(entry))"
    case .overlap(let file, let entry): "\(shown(file)) is damaged: \(shown(entry)) overlaps with something else in it"
    case .badName(let file, let entry, let fault): "\(shown(file)) holds \(shown(entry)), a name that \(fault.text)"
    case .sameName(let file, let entry):
      "\(shown(file)) holds \(shown(entry)) twice, capital letters taken for small ones"
    case .notAFile(let file, let entry):
      "\(shown(file)) holds \(shown(entry)), which is a link or a device; only files and folders are read"
    case .encrypted(let file, let entry): "\(shown(file)) is encrypted at \(shown(entry)); pack it without a password"
    case .unknownMethod(let file, let entry, let method):
      "\(shown(file)) packs \(shown(entry)) by method \(method); only stored and deflate are read"
    case .wrongSize(let file, let entry): "\(shown(file)) is damaged: \(shown(entry)) has not the size that it claims"
    case .damaged(let file, let entry): "\(shown(file)) is damaged at \(shown(entry)); fetch it again"
    case .noSuchEntry(let file, let entry): "\(shown(file)) holds no \(shown(entry))"
    case .noMemory(let file): "\(shown(file)) cannot be unpacked: there is no memory for it"
    case .tooLargeToWrite(let limit): "a zip file cannot hold so much: it would be larger than \(size(limit))"
    case .tooManyToWrite(let limit): "a zip file cannot hold more than \(limit) files"
    case .nameNotWritten(let name, let fault): "\(shown(name)) cannot be put into a zip file: it \(fault.text)"
    case .sameNameNotWritten(let name):
      "\(shown(name)) cannot be put into a zip file twice, capital letters taken for small ones"
    }
  }

  /// The name in quotation marks, on one line, without characters that would control a terminal or
  /// turn the reading direction.
  private func shown(_ name: String) -> String {
    var text = ""
    for scalar in name.unicodeScalars.prefix(Self.shownScalars) {
      let isUnsafe: Bool =
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: scalar == "\""
        }
      text.unicodeScalars.append(isUnsafe ? "?" : scalar)
    }
    return name.unicodeScalars.count > Self.shownScalars ? "\"\(text)…\"" : "\"\(text)\""
  }

  /// Enough to find the name, and few enough for an error of one line.
  private static let shownScalars = 80

  private func size(_ bytes: Int) -> String { bytes >= 1 << 20 ? "\(bytes >> 20) MiB" : "\(bytes) bytes" }
}

extension ZipError.NameFault {
  fileprivate var text: String {
    switch self {
    case .empty: "is empty"
    case .tooLong(let limit): "is longer than \(limit) bytes"
    case .notUTF8: "is no UTF-8"
    case .control: "has control characters"
    case .backslash: "has a backslash"
    case .absolute: "begins at the root of a disk"
    case .drive: "begins with a drive's letter"
    case .colon: "has a colon"
    case .dots: "has . or .. for a folder"
    case .emptyPart: "has a folder or a file without a name"
    }
  }
}
