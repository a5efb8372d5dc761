import JamWire
import Testing

@testable import JamBench

@Suite("dense rooms")
struct DenseRoomTests {
  @Test("in the room of lines, all players hit pads and keys just in front of the same eight lines")
  func lines() {
    let room = DenseRoom.lines
    let step = room.passMilliseconds / 8
    for layer in 0..<64 {
      for player in [0, 7] {
        let presses = room.pass(ofLayer: layer, by: player).filter {
          ($0.message.arguments.first?.number ?? 0) > 0
        }
        #expect(presses.map(\.milliseconds) == (0..<8).map { Double($0) * step - 10 })
        let isKey = presses.allSatisfy { $0.message.address.hasPrefix("/key/") }
        #expect(isKey == (layer % 2 == 1))
      }
    }
    // A key is let go before the same key is pressed again.
    #expect(room.pass(ofLayer: 1, by: 0).count == 16)
    #expect(room.hitsPerSecond(layers: 10) == 320)
  }

  @Test("in the crowd, the hits of all loops are spread evenly over the pass")
  func crowd() {
    let room = DenseRoom.crowd
    let times = (0..<8).flatMap { layer in
      (0..<64).flatMap { room.pass(ofLayer: layer, by: $0).map(\.milliseconds) }
    }.sorted()
    #expect(times.count == 32_768)
    #expect(times.first ?? -1 >= 0 && times.last ?? .infinity < room.passMilliseconds)
    let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
    let mean = room.passMilliseconds / 32_768
    #expect(gaps.max() ?? .infinity < 3 * mean && gaps.min() ?? 0 > mean / 3)
    #expect(room.hitsPerSecond(layers: 8) == 4_096)
  }

  @Test("the messages of a packet are counted, in a bundle and alone")
  func messages() {
    let hit = OSCMessage("/pad/1", .float(1))
    func count(_ bytes: [UInt8]) -> Int { bytes.withUnsafeBytes { PlayerCrowd.messages(in: $0) } }
    #expect(count(hit.encoded()) == 1)
    #expect(count(OSCPacket.encode([hit, hit, hit])) == 3)
    // A length that points beyond the packet ends the count.
    #expect(count(OSCPacket.encode([]) + [255, 255, 255, 255]) == 1)
  }
}
