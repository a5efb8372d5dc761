/// Recognises packets that hold only hits, from their addresses.
///
/// The result only decides the order in which packets are read, and not their meaning.
/// Thread: any. Real-time safe.
public enum HitScan {
  /// The number of hits and releases in a packet that holds only these, apart from a `/seq` and a
  /// `/heard` before them; 0 for any other packet.
  public static func hits(_ packet: UnsafeRawBufferPointer) -> Int {
    guard let first = packet.first else { return 0 }
    if first == UInt8(ascii: "/") { return isHit(packet, from: 0) ? 1 : 0 }
    guard first == UInt8(ascii: "#"), packet.count >= 16 else { return 0 }
    var position = 16
    var hits = 0
    var elements = 0
    while position + 8 <= packet.count, elements < most {
      let size = Int(UInt32(bigEndian: packet.loadUnaligned(fromByteOffset: position, as: UInt32.self)))
      position += 4
      guard size <= packet.count - position else { return 0 }
      if isHit(packet, from: position) {
        hits += 1
      } else if !isHead(packet, from: position) {
        return 0
      }
      position += size
      elements += 1
    }
    return position == packet.count ? hits : 0
  }

  /// Enough for all fingers on a page, with their releases.
  private static let most = 40

  /// `/pad/` or `/key/` with only a number after it, or `/key` alone.
  private static func isHit(_ packet: UnsafeRawBufferPointer, from start: Int) -> Bool {
    guard start + 8 <= packet.count else { return false }
    let word = UInt64(bigEndian: packet.loadUnaligned(fromByteOffset: start, as: UInt64.self))
    if word == 0x2f6b_6579_0000_0000 { return true }
    let isKey = word >> 24 == 0x2f_6b65_792f
    guard isKey || word >> 24 == 0x2f_7061_642f, isDigit(word >> 16 & 0xff) else { return false }
    let digits = (word >> 8 & 0xff, word & 0xff)
    if digits.1 == 0 { return digits.0 == 0 || isDigit(digits.0) }
    // A number of three digits: the address ends in the next word.
    return isKey && isDigit(digits.0) && isDigit(digits.1) && start + 8 < packet.count && packet[start + 8] == 0
  }

  private static func isDigit(_ byte: UInt64) -> Bool { byte >= 0x30 && byte <= 0x39 }

  /// `/seq` or `/heard`.
  private static func isHead(_ packet: UnsafeRawBufferPointer, from start: Int) -> Bool {
    guard start + 8 <= packet.count else { return false }
    let word = UInt64(bigEndian: packet.loadUnaligned(fromByteOffset: start, as: UInt64.self))
    return word == 0x2f73_6571_0000_0000 || word == 0x2f68_6561_7264_0000
  }
}
