import JamCore
import JamWire
import Testing

@Suite struct PlainHitTests {
  func command(_ bytes: [UInt8]) -> Command? { bytes.withUnsafeBytes { PlainHit.command($0) } }

  /// What the general way makes of the packet.
  func general(_ bytes: [UInt8]) -> Command? {
    guard let packet = try? OSCPacket(bytes), let element = packet.elements.first else { return nil }
    var reader = CommandReader()
    guard case .command(let command)? = try? reader.read(element.message)?.request else { return nil }
    return command
  }

  @Test("the short way says what the general one says") func same() {
    for number in 0...99 {
      for value in [0, 0.25, 1, 1.5, -1, -0.0, .nan, .infinity] as [Float] {
        let bytes = OSCMessage("/pad/\(number)", .float(value)).encoded()
        if let command = command(bytes) { #expect(command == general(bytes), "\(number) \(value)") }
        if (1...16).contains(number) && value >= 0 && value.isFinite { #expect(command(bytes) != nil) }
      }
    }
  }

  @Test("the same with the number of the client's own hit") func own() {
    for number in [0, 1, 16, 17] {
      for (value, own) in [(0.5, 7), (1, .max), (0, 7), (0.5, 0), (0.5, -1), (-1, 7), (.nan, 7)] as [(Float, Int32)] {
        let bytes = OSCMessage("/pad/\(number)", .float(value), .int32(own)).encoded()
        #expect(bytes.count == 20)
        if let command = command(bytes) { #expect(command == general(bytes), "\(number) \(value) \(own)") }
        let isHit = (1...16).contains(number) && value >= 0 && value.isFinite && own >= 0
        #expect((command(bytes) != nil) == isHit, "\(number) \(value) \(own)")
      }
    }
    let hit = OSCMessage("/pad/3", .float(0.5), .int32(9)).encoded()
    #expect(command(hit) == .strike(Pad(3)!, Strike(0.5)!, OwnHit(9)))
    #expect(command(OSCMessage("/pad/3", .float(0), .int32(9)).encoded()) == .release(Pad(3)!))
    for i in hit.indices {
      for byte in 0...255 as ClosedRange<UInt8> {
        var changed = hit
        changed[i] = byte
        if let command = command(changed) { #expect(command == general(changed), "\(changed)") }
      }
    }
  }

  @Test("one byte more, less or other is not its business, or the same to both") func others() {
    let hit = OSCMessage("/pad/12", .float(0.5)).encoded()
    #expect(command(Array(hit.dropLast(4))) == nil)
    #expect(command(hit + [0, 0, 0, 0]) == nil)
    for i in hit.indices {
      for byte in 0...255 as ClosedRange<UInt8> {
        var changed = hit
        changed[i] = byte
        if let command = command(changed) { #expect(command == general(changed), "\(changed)") }
      }
    }
  }
}
