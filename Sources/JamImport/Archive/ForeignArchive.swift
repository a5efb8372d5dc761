/// Kinds of archives that are not read. Users name them all the same, so the error should name the
/// kind.
enum ForeignArchive {
  /// The kind's usual name; nil where the file begins like none of them.
  /// - Source: file(1), `magic/Magdir/archive` and `compress`.
  static func kind(of bytes: some Collection<UInt8>) -> String? {
    beginnings.first { bytes.starts(with: $0.bytes) }?.kind
  }

  private static let beginnings: [(bytes: [UInt8], kind: String)] = [
    (Array("PK\u{3}\u{4}".utf8), "zip"), (Array("PK\u{5}\u{6}".utf8), "zip"), (Array("Rar!\u{1a}\u{7}".utf8), "rar"),
    ([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], "7z"), ([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], "xz"),
    (Array("BZh".utf8), "bzip2"),
    ([0x28, 0xb5, 0x2f, 0xfd], "zstd"),
  ]
}
