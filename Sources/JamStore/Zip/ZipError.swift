/// Why a zip file is not read or not written: `file` is what its reader was told to call it, `entry` a name in it.
///
/// `description` is the one line that a user reads.
public enum ZipError: Error, Hashable, Sendable, CustomStringConvertible {
  case notZip(file: String)
  /// It begins as a zip file and does not end as one.
  case cutShort(file: String)
  case severalDisks(file: String)
  /// Made for more than 4 GiB or 65,534 entries.
  case zip64(file: String)
  case tooManyEntries(file: String, limit: Int)
  /// All entries together have more than `limit` bytes.
  case unpacksTooLarge(file: String, limit: Int)
  /// The list of its entries is not what it says of itself.
  case damagedList(file: String)
  /// An entry's own header is not there, or says something else than the list.
  case contradiction(file: String, entry: String)
  /// Two entries share bytes, or one reaches into the list.
  case overlap(file: String, entry: String)
  case badName(file: String, entry: String, fault: NameFault)
  /// Two names are equal on disks that do not tell capital letters from small ones.
  case sameName(file: String, entry: String)
  /// A link, a device, a pipe …
  case notAFile(file: String, entry: String)
  case encrypted(file: String, entry: String)
  /// - Source: PKWARE APPNOTE 6.3.10, 4.4.5, for what the numbers mean.
  case unknownMethod(file: String, entry: String, method: Int)
  /// It unpacks to more or fewer bytes than it says.
  case wrongSize(file: String, entry: String)
  case damaged(file: String, entry: String)
  case noSuchEntry(file: String, entry: String)
  case noMemory(file: String)
  /// Written, it would have more than `limit` bytes.
  case tooLargeToWrite(limit: Int)
  case tooManyToWrite(limit: Int)
  case nameNotWritten(String, fault: NameFault)
  case sameNameNotWritten(String)

  /// Why a name is refused: as a file's path it would lead elsewhere, or nowhere, on one system or another.
  public enum NameFault: Hashable, Sendable {
    case empty
    case tooLong(limit: Int)
    case notUTF8
    case control
    case backslash
    case absolute
    case drive
    /// It has a part that is `.` or `..`.
    case dots
    /// Two slashes in a row, or one at its end.
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

  /// In quotation marks, on one line, and without signs that would steer a terminal or turn the reading direction.
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

  /// Enough to find a name, and an error stays a line.
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
    case .dots: "has . or .. for a folder"
    case .emptyPart: "has a folder or a file without a name"
    }
  }
}
