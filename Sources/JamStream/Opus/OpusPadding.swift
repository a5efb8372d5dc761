internal import COpus

/// Packets made larger without a change to what they hold.
enum OpusPadding {
  /// Fills the packet at the beginning of `buffer` up to `wanted` bytes; a larger one stays as it is.
  /// - Returns: its size now.
  /// - Source: RFC 6716 §3.2.5.
  static func pad(_ buffer: UnsafeMutableRawBufferPointer, from count: Int, to wanted: Int) -> Int {
    guard count < wanted, wanted <= buffer.count,
      opus_packet_pad(buffer.bindMemory(to: UInt8.self).baseAddress, Int32(count), Int32(wanted)) == OPUS_OK
    else { return count }
    return wanted
  }
}
