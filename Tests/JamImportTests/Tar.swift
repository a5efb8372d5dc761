/// Writes tar archives, wrong ones too.
struct Tar {
  private(set) var bytes: [UInt8] = []

  /// - Parameters:
  ///   - kind: the type flag: `0` a file, `5` a folder, `2` a link …
  ///   - size: what the header claims, where that is not the truth.
  mutating func add(_ path: String, _ content: [UInt8] = [], kind: Character = "0", size: Int? = nil) {
    var header = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, at offset: Int) { for (n, byte) in text.utf8.enumerated() { header[offset + n] = byte } }
    put(path, at: 0)
    put("0000644", at: 100)
    put(Self.octal(size ?? content.count, digits: 11), at: 124)
    put(String(kind), at: 156)
    put("ustar", at: 257)
    put("00", at: 263)
    put("        ", at: 148)
    put(Self.octal(header.reduce(0) { $0 + Int($1) }, digits: 6), at: 148)
    header[154] = 0
    bytes += header + content
    bytes += [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
  }

  /// With the two empty blocks at its end.
  var finished: [UInt8] { bytes + [UInt8](repeating: 0, count: 1_024) }

  private static func octal(_ number: Int, digits: Int) -> String {
    let text = String(number, radix: 8)
    return String(repeating: "0", count: digits - text.count) + text
  }
}
