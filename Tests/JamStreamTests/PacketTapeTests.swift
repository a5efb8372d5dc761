import JamCore
import Testing

@testable import JamStream

struct PacketTapeTests {
  private func write(_ tape: PacketTape, _ number: Int) {
    let slot = tape.nextSlot
    slot[0] = UInt8(truncatingIfNeeded: number)
    slot[1] = 7
    tape.commit(byteCount: 2, firstFrame: Frames(Int64(number) * 240))
  }

  @Test("a packet can be read as long as it is not overwritten, and not before it is written")
  func window() {
    let tape = PacketTape(maximumPacketBytes: 16)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 16, alignment: 1)
    defer { memory.deallocate() }
    #expect(tape.read(0, into: memory.baseAddress!) == nil)
    for n in 0..<600 { write(tape, n) }
    #expect(tape.end == 600)
    #expect(tape.read(600, into: memory.baseAddress!) == nil)
    #expect(tape.read(344, into: memory.baseAddress!) == nil)
    let oldest = tape.read(345, into: memory.baseAddress!)
    #expect(oldest?.firstFrame == Frames(345 * 240))
    #expect(oldest?.byteCount == 2)
    #expect(memory[0] == UInt8(345 - 256))
  }
}
