import JamCore
import TestSupport
import Testing

@testable import JamListen
@testable import JamStream

struct OggDemuxerTests {
  private let identity = OggIdentity(
    serial: 0x0102_0304, title: "main", lookahead: Frames(312), beginsWithEncoder: true)

  @Test("packets come out whatever pieces the stream comes in, and damage costs its page alone")
  func pieces() {
    var muxer = OggMuxer(serial: 9)
    var stream = identity.headers(joiningAt: 0)
    var damaged = 0
    for n in 0..<40 {
      let packet = [UInt8](repeating: UInt8(n), count: 200 + n * 20)
      let page = packet.withUnsafeBytes {
        muxer.append($0, firstFrame: Frames(Int64(n) * 960), length: Frames(960), pageLength: Frames(1_920))
      }
      guard let page else { continue }
      let header = page.header(sequence: page.sequence + 2, granule: page.granule)
      var bytes = header.indices.map { header[$0] } + page.bytes.dropFirst(27)
      if n == 19 {
        bytes[60] ^= 0xff
        damaged = bytes.count
      }
      stream += bytes
    }
    #expect(damaged > 0)
    for size in [1, 7, 100, 4_096, stream.count] {
      var demuxer = OggDemuxer()
      var packets: [[UInt8]] = []
      for start in stride(from: 0, to: stream.count, by: size) {
        packets += demuxer.receive(stream[start..<min(start + size, stream.count)]).map(\.bytes)
      }
      #expect(packets.count == 2 + 38)
      #expect(packets.first?.starts(with: "OpusHead".utf8) == true)
      #expect(OggOpusHeader.preSkip(of: packets.first ?? []) == 312)
      #expect(demuxer.damagedPages == 1)
      #expect(demuxer.missingPages == 1)
    }
  }

  @Test("random bytes are no packets, and a stream behind them is read")
  func fuzz() {
    var random = SplitMix(seed: 3)
    var demuxer = OggDemuxer()
    for round in 0..<3_000 {
      var bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      if round % 3 == 0 { bytes = Array("OggS".utf8) + bytes }
      #expect(demuxer.receive(bytes).isEmpty)
    }
    #expect(demuxer.damagedPages > 0)
    // The longest page that the noise may have begun: 255 lengths, and as many bytes as they say at most.
    #expect(demuxer.receive([UInt8](repeating: 0, count: 27 + 255 + 255 * 255)).isEmpty)
    let damaged = demuxer.damagedPages
    #expect(demuxer.receive(identity.headers(joiningAt: 0)).map(\.bytes).first?.starts(with: "OpusHead".utf8) == true)
    #expect(demuxer.damagedPages == damaged && demuxer.missingPages == 0)
  }
}
