import Glibc
import JamCore
import JamRealtime
import Testing

@testable import JamStream

/// The golden files beside the tests.
enum Golden {
  static func bytes(_ name: String) throws -> [UInt8] {
    let folder = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    let file = try #require(fopen("/\(folder)/Golden/ogg/\(name)", "r"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }
}

struct OggTests {
  private let identity = OggIdentity(
    serial: 0x0102_0304, title: "main", lookahead: Frames(312), beginsWithEncoder: true)

  @Test("the header pages are the golden ones, byte for byte")
  func headers() throws {
    #expect(identity.headers(before: 2) == (try Golden.bytes("headers-at-start.ogg")))
    #expect(identity.headers(before: 500) == (try Golden.bytes("headers-joining.ogg")))
  }

  @Test("a page is RFC 3533's: lacing of 0, 254, 255 and 510 bytes, and a checksum that libogg would compute")
  func page() throws {
    var page = OggPage()
    for length in [0, 254, 255, 510] {
      let packet = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      #expect(packet.withUnsafeBytes { page.append($0) })
    }
    let bytes = page.finish(granule: 0x0102_0304_0506_0708, serial: 0x1122_3344, sequence: 5)
    #expect(page.isEmpty)
    #expect(bytes == (try Golden.bytes("lacing.ogg")))
    #expect(Array(bytes[26..<34]) == [7, 0, 254, 255, 0, 255, 255, 0])
  }

  @Test("a page that has no segments left takes no packet")
  func fullPage() {
    var page = OggPage()
    let packet = [UInt8](repeating: 1, count: 600)
    var taken = 0
    while packet.withUnsafeBytes({ page.append($0) }) { taken += 1 }
    #expect(taken == 85)
  }

  @Test("pages end on packets, their positions count frames, and their numbers follow")
  func muxing() {
    var muxer = OggMuxer(serial: 9)
    var demuxer = OggDemuxer()
    var granules: [Int64] = []
    var sequences: [UInt32] = []
    var packets: [[UInt8]] = []
    for n in 0..<25 {
      let packet = [UInt8](repeating: UInt8(n), count: 320 + n)
      let page = packet.withUnsafeBytes {
        muxer.append(
          $0, firstFrame: Frames(96_000 + Int64(n) * 960), length: Frames(960), pageLength: .milliseconds(100))
      }
      guard let page else { continue }
      sequences.append(page.sequence)
      for packet in demuxer.receive(page.bytes) {
        packets.append(packet.bytes)
        packet.granule.map { granules.append($0) }
      }
    }
    #expect(sequences == [2, 3, 4, 5, 6])
    #expect(granules == [4_800, 9_600, 14_400, 19_200, 24_000])
    #expect(packets.map(\.count) == (0..<25).map { 320 + $0 })
    #expect(packets.map(\.first) == (0..<25).map { UInt8($0) })
    #expect(demuxer.missingPages == 0 && demuxer.damagedPages == 0)
  }

  @Test("frames that were never encoded leave their gap in the positions")
  func gap() {
    var muxer = OggMuxer(serial: 9)
    var demuxer = OggDemuxer()
    var granules: [Int64] = []
    for start: Int64 in [0, 960, 48_000, 48_960] {
      let page = [UInt8]([1, 2, 3]).withUnsafeBytes {
        muxer.append($0, firstFrame: Frames(start), length: Frames(960), pageLength: Frames(960))
      }
      for packet in demuxer.receive(page?.bytes ?? []) { packet.granule.map { granules.append($0) } }
    }
    #expect(granules == [960, 1_920, 48_960, 49_920])
  }

  @Test("packets come out whatever pieces the stream comes in, and damage costs its page alone")
  func demuxing() {
    var muxer = OggMuxer(serial: 9)
    var stream = identity.headers(before: 2)
    var damaged = 0
    for n in 0..<40 {
      let packet = [UInt8](repeating: UInt8(n), count: 200 + n * 20)
      let page = packet.withUnsafeBytes {
        muxer.append($0, firstFrame: Frames(Int64(n) * 960), length: Frames(960), pageLength: Frames(1_920))
      }
      guard var bytes = page?.bytes else { continue }
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

  @Test("random bytes never crash the demuxer")
  func fuzz() {
    var random = SplitMix(seed: 3)
    var demuxer = OggDemuxer()
    for round in 0..<3_000 {
      var bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      if round % 3 == 0 { bytes = Array("OggS".utf8) + bytes }
      _ = demuxer.receive(bytes)
    }
  }
}
