// Fields of binary files.
//
// Thread: any.

extension RandomAccessCollection<UInt8> where Index == Int {
  /// The unsigned number of up to eight bytes at `position`; nil beyond the end.
  func littleEndian(at position: Int, bytes count: Int) -> UInt64? {
    guard position >= startIndex, position <= endIndex - count else { return nil }
    return self[position..<position + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  func bigEndian(at position: Int, bytes count: Int) -> UInt64? {
    guard position >= startIndex, position <= endIndex - count else { return nil }
    return self[position..<position + count].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The same, in the byte order of the file; the largest number where the value does not fit in an
  /// `Int`.
  func number(at position: Int, bytes count: Int, isBigEndian: Bool) -> Int? {
    let value = isBigEndian ? bigEndian(at: position, bytes: count) : littleEndian(at: position, bytes: count)
    return value.map { Int(clamping: $0) }
  }

  /// The four letters at `position`, as in the names of chunks; nil beyond the end.
  func letters(at position: Int) -> String? {
    guard position >= startIndex, position <= endIndex - 4 else { return nil }
    return String(decoding: self[position..<position + 4], as: Unicode.ASCII.self)
  }
}
