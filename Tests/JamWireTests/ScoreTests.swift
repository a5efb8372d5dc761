import JamCore
import JamWire
import Testing

@Suite struct ScoreTests {
  let bundles = [
    ScoreBundle(
      frame: .zero,
      messages: [OSCMessage("/player/anna/pad/1", .float(1)), OSCMessage("/player/anna/tempo", .float(90))]),
    ScoreBundle(frame: Frames(72_000), messages: [OSCMessage("/player/ben/pad/2", .float(0.5))]),
  ]

  @Test("a golden score is read, however it is cut, and written", arguments: [1, 3, 16, 10_000])
  func golden(size: Int) throws {
    let bytes = try Golden.packet("two-moments.score")
    var reader = ScoreReader()
    var read: [ScoreBundle] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      for bundle in try reader.receive(bytes[start..<min(start + size, bytes.count)]) { read.append(bundle) }
    }
    try reader.finish()
    #expect(read == bundles)
    #expect(bundles.flatMap(ScoreWriter.encode) == bytes)
  }

  @Test("every frame of a day keeps its place through a score's timetag") func exactFrames() {
    for frame in stride(from: Int64(0), to: 48_000 * 86_400, by: 99_991) {
      #expect(OSCTimetag(scoreFrame: Frames(frame)).scoreFrame == Frames(frame))
    }
    for frame in Int64(47_990)...48_010 { #expect(OSCTimetag(scoreFrame: Frames(frame)).scoreFrame == Frames(frame)) }
  }

  @Test("a broken score is refused with the place and the reason") func broken() throws {
    let good = ScoreWriter.encode(bundles[0])
    func read(_ bytes: [UInt8]) throws {
      var reader = ScoreReader()
      _ = try reader.receive(bytes)
      try reader.finish()
    }
    #expect(throws: ScoreError.truncated(offset: 0)) { try read(Array(good.dropLast())) }
    #expect(throws: ScoreError.truncated(offset: good.count)) { try read(good + [0, 0]) }
    #expect(throws: ScoreError.badLength(0x5249_4646, offset: 0)) { try read(Array("RIFFxxxxWAVE".utf8)) }
    #expect(throws: ScoreError.notABundle(offset: 0)) {
      try read(Framing.lengthPrefix.frame(OSCMessage("/pad/3", .float(1)).encoded()))
    }
    let late = ScoreWriter.encode(ScoreBundle(frame: Frames(10), messages: [OSCMessage("/stop")]))
    #expect(throws: ScoreError.outOfOrder(offset: late.count)) {
      try read(late + ScoreWriter.encode(ScoreBundle(frame: Frames(9), messages: [OSCMessage("/stop")])))
    }
    var inside = good
    inside[22] = 0xff
    #expect(throws: ScoreError.self) { try read(inside) }
  }
}
