import JamCore
import JamRealtime
import Testing

@testable import JamDevice

@Suite("ALSA output")
struct ALSAOutputTests {
  @Test("an unknown device is told at the start")
  func unknown() {
    let output = ALSAOutput(device: "kazoo", tape: MixTapeOwner(seconds: 1), wake: WakeSignal())
    #expect(throws: DeviceError.unknown(device: "kazoo", known: ALSADevices.playback)) { try output.start() }
  }

  @Test("it plays on a thread of its own, and stops when it is dropped")
  func plays() throws {
    let room = TestRoom(anchor: ClockAnchor(origin: .now))
    let status: OutputStatus
    do {
      let output = ALSAOutput(device: "null", tape: room.tape, wake: room.wake)
      output.playsClick = true
      try output.start()
      status = output.status
      // The tape grows until the output has opened its device and followed for a while.
      while status.playedFrames < 10 * 120 {
        room.engine.engine.pointee.render()
        room.wake.raise()
        room.wake.wait(since: room.wake.ticket, atMostMilliseconds: 1)
      }
    }
    let played = status.playedFrames
    for _ in 0..<10 { room.engine.engine.pointee.render() }
    room.wake.raise()
    #expect(status.playedFrames == played)
  }
}
