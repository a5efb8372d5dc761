import JamCore
import Testing

@testable import JamDevice

@Suite struct MIDIInputTests {
  @Test("a machine without a sequencer says so, with the remedy", .enabled(if: !MIDIInput.isThere))
  func noSequencer() {
    let input = MIDIInput()
    do throws(DeviceError) {
      try input.start { _, _ in }
      Issue.record("it was opened")
    } catch {
      #expect("\(error)".contains("snd-seq"))
    }
    input.stop()
  }

  @Test(
    "a port opens where there is a sequencer, and an unknown source is told how to find one",
    .enabled(if: MIDIInput.isThere))
  func open() throws {
    let input = MIDIInput()
    try input.start { _, _ in }
    input.stop()
    #expect(throws: DeviceError.unknownMIDI(source: "nobody-here")) { try input.start(from: "nobody-here") { _, _ in } }
  }
}
