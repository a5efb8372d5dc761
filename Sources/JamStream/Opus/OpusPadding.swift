internal import COpus

/// Makes packets larger without a change to their content.
enum OpusPadding {
  /// Pads the packet at the beginning of `buffer` to `wanted` bytes. A larger packet stays as it
  /// is.
  /// - Returns: the packet's new size.
  /// - Source: RFC 6716 §3.2.5.
  static func pad(_ buffer: UnsafeMutableRawBufferPointer, from count: Int, to wanted: Int) -> Int {
    guard count < wanted, wanted <= buffer.count,
      opus_packet_pad(buffer.bindMemory(to: UInt8.self).baseAddress, Int32(count), Int32(wanted)) == OPUS_OK
    else { return count }
    return wanted
  }
}
