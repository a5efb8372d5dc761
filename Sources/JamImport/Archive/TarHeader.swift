/// The block of 512 bytes in front of each entry of a tar archive.
struct TarHeader {
  enum Kind: Equatable {
    case file, folder
    /// GNU: the content is the next entry's path.
    case longName
    /// pax: the content holds properties of the next entry (`extended`), or of all following
    /// entries (`global`).
    case extended, global
    /// A link, a device, a pipe.
    case other(String)
  }

  private let bytes: [UInt8]

  /// - Precondition: 512 bytes.
  init(_ bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

  /// Whether the block marks the archive's end.
  var isZero: Bool { bytes.allSatisfy { $0 == 0 } }

  var hasValidChecksum: Bool {
    var sum = 0
    // The checksum field itself counts as eight spaces.
    for (index, byte) in bytes.enumerated() { sum += (148..<156).contains(index) ? 32 : Int(byte) }
    return number(148..<156) == sum
  }

  /// Bytes of content; nil where the field holds no number.
  var size: Int? { number(124..<136) }

  var kind: Kind {
    switch bytes[156] {
    case 0, UInt8(ascii: "0"), UInt8(ascii: "7"): .file
    case UInt8(ascii: "5"): .folder
    case UInt8(ascii: "L"): .longName
    case UInt8(ascii: "x"): .extended
    case UInt8(ascii: "g"): .global
    case UInt8(ascii: "1"), UInt8(ascii: "2"), UInt8(ascii: "K"): .other("a link")
    case UInt8(ascii: "3"), UInt8(ascii: "4"): .other("a device")
    case UInt8(ascii: "6"): .other("a pipe")
    default: .other("of an unknown kind")
    }
  }

  var path: String {
    let name = text(0..<100)
    // GNU's older format uses the prefix' place for other fields.
    let isPOSIX = bytes[257..<263].elementsEqual(Array("ustar".utf8) + [0])
    let prefix = isPOSIX ? text(345..<500) : ""
    return prefix.isEmpty ? name : prefix + "/" + name
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range].prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Octal digits between spaces; or, with the first bit set, a binary number (GNU).
  private func number(_ range: Range<Int>) -> Int? {
    var field = bytes[range]
    if let first = field.first, first & 0x80 != 0 {
      field[field.startIndex] = first & 0x7f
      return field.reduce(0) { (sum: Int?, byte) in
        guard let sum, sum < 1 << 48 else { return nil }
        return sum << 8 | Int(byte)
      }
    }
    let digits = field.drop { $0 == 32 }.prefix { $0 != 32 && $0 != 0 }
    return digits.isEmpty ? nil : Int(String(decoding: digits, as: UTF8.self), radix: 8)
  }

  /// pax: lines of `length keyword=value`; nil where a line has another form.
  static func records(_ content: ArraySlice<UInt8>) -> [String: String]? {
    var records: [String: String] = [:]
    var rest = content
    while !rest.isEmpty {
      let digits = rest.prefix { $0 != 32 }
      guard let length = Int(String(decoding: digits, as: UTF8.self)), length > digits.count + 1, length <= rest.count
      else { return nil }
      let record = rest.dropFirst(digits.count + 1).prefix(length - digits.count - 2)
      guard let equals = record.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      let value = record[record.index(after: equals)...]
      records[String(decoding: record[..<equals], as: UTF8.self)] = String(decoding: value, as: UTF8.self)
      rest = rest.dropFirst(length)
    }
    return records
  }
}
