/// The two header packets of an Ogg Opus stream.
///
/// - Source: RFC 7845 §5.
package struct OggOpusHeader {
  /// Frames that the player drops at the beginning.
  var preSkip: UInt16
  var title: String

  /// The identification header: version 1, two channels, 48 kHz, no gain, mapping family 0.
  var identification: [UInt8] {
    var packet = Array("OpusHead".utf8)
    packet.append(1)
    packet.append(2)
    packet.append(littleEndian: preSkip)
    packet.append(littleEndian: UInt32(48_000))
    packet.append(littleEndian: Int16(0))
    packet.append(0)
    return packet
  }

  var comment: [UInt8] {
    var packet = Array("OpusTags".utf8)
    func append(_ text: String) {
      packet.append(littleEndian: UInt32(text.utf8.count))
      packet.append(contentsOf: text.utf8)
    }
    append("bandshell")
    packet.append(littleEndian: UInt32(1))
    append("TITLE=\(title)")
    return packet
  }

  /// The stream's first two pages.
  func pages(serial: UInt32) -> [UInt8] {
    var page = OggPage()
    _ = identification.withUnsafeBytes { page.append($0) }
    var pages = page.finish(flags: OggPage.Flag.beginning, granule: 0, serial: serial, sequence: 0)
    _ = comment.withUnsafeBytes { page.append($0) }
    pages += page.finish(granule: 0, serial: serial, sequence: 1)
    return pages
  }

  /// The pre-skip that an identification header states; nil where `packet` is no such header.
  package static func preSkip(of packet: [UInt8]) -> Int? {
    guard packet.count >= 19, packet.starts(with: "OpusHead".utf8) else { return nil }
    return Int(packet[10]) | Int(packet[11]) << 8
  }
}
