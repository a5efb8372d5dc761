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
