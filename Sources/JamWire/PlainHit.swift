public import JamCore

/// Reads the most frequent packets without a look-up or an allocation: `/pad/<n>` with one float,
/// 16 bytes, and the same with the number of the client's own hit, 20 bytes.
///
/// The result equals that of `OSCPacket` and `CommandReader`. All other packets are left to these
/// two.
/// Thread: any. Real-time safe.
public enum PlainHit {
  /// - Returns: the hit or the release; nil for any other packet.
  public static func command(_ bytes: UnsafeRawBufferPointer) -> Command? {
    guard bytes.count == 16 || bytes.count == 20 else { return nil }
    let address = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    let types = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    // The address is "/pad/" and three more bytes; the types are ",f" and two zeros, or ",fi" and
    // one.
    guard address >> 24 == 0x2f_7061_642f, types == (bytes.count == 16 ? 0x2c66_0000 : 0x2c66_6900),
      let pad = pad(address & 0xff_ffff)
    else { return nil }
    let value = Float(bitPattern: UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self)))
    guard value >= 0, value.isFinite else { return nil }
    guard bytes.count == 20 else { return .press(pad, value) }
    let number = Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: 16, as: Int32.self))
    return number >= 0 ? .press(pad, value, OwnHit(Int64(number))) : nil
  }

  /// One or two digits, then zeros.
  private static func pad(_ digits: UInt64) -> Pad? {
    let first = Int(digits >> 16) - 0x30
    let second = Int(digits >> 8 & 0xff)
    guard digits & 0xff == 0 else { return nil }
    if second == 0 { return (1...9).contains(first) ? Pad(first) : nil }
    return first == 1 && (0x30...0x36).contains(second) ? Pad(second - 0x30 + 10) : nil
  }
}
