internal import JamCore

/// One entry of a zip file, and its form in the file.
///
/// - Source: PKWARE APPNOTE 6.3.10, 4.3.7 (local head), 4.3.12 (list), 4.3.14–16 (end), 4.5.3
///   (zip64).
package struct ZipEntry: Sendable {
  private let name: String
  /// The packed size and the unpacked size, which are the same.
  private let bytes: Int
  package var checkSum: UInt32
  /// The offset of the local head in the file.
  package let offset: Int
  /// A number from this limit on needs zip64.
  private let limit: Int

  /// 2.0 supports folders, 4.5 supports zip64.
  private static let plainVersion: UInt16 = 20
  private static let largeVersion: UInt16 = 45
  /// Made on Unix, so that the upper half of the attributes is a file's mode.
  private static let unix: UInt16 = 3 << 8
  /// A regular file that everybody may read and its owner may write.
  private static let attributes: UInt32 = 0o100644 << 16
  /// The name is UTF-8.
  private static let flags: UInt16 = 1 << 11
  /// The first day that DOS knows, 1980-01-01; its time is 0.
  private static let date: UInt16 = 1 << 5 | 1

  init(name: String, bytes: Int, checkSum: UInt32, offset: Int, limit: Int) {
    (self.name, self.bytes, self.checkSum) = (name, bytes, checkSum)
    (self.offset, self.limit) = (offset, limit)
  }

  private var isLarge: Bool { bytes >= limit }

  package var localHead: [UInt8] {
    var head: [UInt8] = []
    head.appendLittle(ZipReader.entrySignature)
    head += shared(isLarge: isLarge, extraBytes: isLarge ? 20 : 0)
    head += Array(name.utf8)
    // Here zip64 requires both sizes.
    if isLarge { head += ZipEntry.extra([bytes, bytes]) }
    return head
  }

  var listed: [UInt8] {
    let isFar = offset >= limit
    let wide = (isLarge ? [bytes, bytes] : []) + (isFar ? [offset] : [])
    let extra = wide.isEmpty ? [] : ZipEntry.extra(wide)
    var record: [UInt8] = []
    record.appendLittle(ZipReader.listedSignature)
    let version = wide.isEmpty ? ZipEntry.plainVersion : ZipEntry.largeVersion
    record.appendLittle(ZipEntry.unix | version)
    record += shared(isLarge: isLarge, extraBytes: extra.count, isZip64: !wide.isEmpty)
    // No comment, the first disk, and bytes rather than text.
    for _ in 0..<3 { record.appendLittle(UInt16(0)) }
    record.appendLittle(ZipEntry.attributes)
    record.appendLittle(isFar ? UInt32.max : UInt32(clamping: offset))
    record += Array(name.utf8) + extra
    return record
  }

  /// The records behind the list.
  static func end(count: Int, start: Int, bytes: Int, limit: Int) -> [UInt8] {
    var end: [UInt8] = []
    let isLarge = start >= limit || bytes >= limit || count >= Int(UInt16.max)
    if isLarge {
      end.appendLittle(UInt32(0x0606_4b50))
      // The number of bytes that follow.
      end.appendLittle(UInt64(44))
      end.appendLittle(unix | largeVersion)
      end.appendLittle(largeVersion)
      end.appendLittle(UInt32(0))
      end.appendLittle(UInt32(0))
      for number in [count, count, bytes, start] { end.appendLittle(UInt64(number)) }
      // The place of that record.
      end.appendLittle(ZipReader.zip64Locator)
      end.appendLittle(UInt32(0))
      end.appendLittle(UInt64(start + bytes))
      end.appendLittle(UInt32(1))
    }
    end.appendLittle(ZipReader.endSignature)
    end.appendLittle(UInt16(0))
    end.appendLittle(UInt16(0))
    for _ in 0..<2 { end.appendLittle(UInt16(clamping: count)) }
    end.appendLittle(bytes >= limit ? UInt32.max : UInt32(clamping: bytes))
    end.appendLittle(start >= limit ? UInt32.max : UInt32(clamping: start))
    // No comment.
    end.appendLittle(UInt16(0))
    return end
  }

  /// The fields from the version that a reader needs to the length of the extra field.
  private func shared(isLarge: Bool, extraBytes: Int, isZip64: Bool? = nil) -> [UInt8] {
    var fields: [UInt8] = []
    fields.appendLittle(isZip64 ?? isLarge ? ZipEntry.largeVersion : ZipEntry.plainVersion)
    fields.appendLittle(ZipEntry.flags)
    // Not compressed, and without a time.
    fields.appendLittle(ZipReader.stored)
    fields.appendLittle(UInt16(0))
    fields.appendLittle(ZipEntry.date)
    fields.appendLittle(checkSum)
    for _ in 0..<2 { fields.appendLittle(isLarge ? UInt32.max : UInt32(clamping: bytes)) }
    fields.appendLittle(UInt16(clamping: name.utf8.count))
    fields.appendLittle(UInt16(extraBytes))
    return fields
  }

  private static func extra(_ numbers: [Int]) -> [UInt8] {
    var field: [UInt8] = []
    field.appendLittle(UInt16(1))
    field.appendLittle(UInt16(8 * numbers.count))
    for number in numbers { field.appendLittle(UInt64(number)) }
    return field
  }
}
