import Glibc
import JamCore
import JamListen
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
    // Made with libogg 1.3.5.
    #expect(identity.headers(joiningAt: 0) == (try Golden.bytes("headers-at-start.ogg")))
    #expect(identity.headers(joiningAt: 500) == (try Golden.bytes("headers-joining.ogg")))
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
    #expect(sequences == [0, 1, 2, 3, 4])
    #expect(granules == [4_800, 9_600, 14_400, 19_200, 24_000])
    #expect(packets.map(\.count) == (0..<25).map { 320 + $0 })
    #expect(packets.map(\.first) == (0..<25).map { UInt8($0) })
    #expect(demuxer.missingPages == 0 && demuxer.damagedPages == 0)
  }

  @Test("a page with a listener's own numbers is the page that would have been built with them")
  func renumbering() {
    for (bytes, sequence, granule) in [(0, UInt32(2), Int64(960)), (300, 0xffff_ffff, 1 << 40), (5_000, 77, 4_800)] {
      let packet = (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      func built(_ sequence: UInt32, _ granule: Int64) -> [UInt8] {
        var page = OggPage()
        _ = packet.withUnsafeBytes { page.append($0) }
        return page.finish(granule: granule, serial: 9, sequence: sequence)
      }
      let page = AudioPage(
        bytes: built(1_234, 5_678_900), sequence: 1_234, granule: Frames(5_678_900), length: Frames(960))
      let header = page.header(sequence: sequence, granule: Frames(granule))
      #expect(header.indices.map { header[$0] } + page.bytes.dropFirst(27) == built(sequence, granule))
    }
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
}
