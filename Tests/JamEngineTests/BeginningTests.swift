import JamCore
import JamRealtime
import Testing

@testable import JamEngine

/// What is set on an engine's first frame.
@Suite struct BeginningTests {
  @Test("the master's level and the filter that are set on the first frame hold from there, without a ramp")
  func levels() {
    let sound = Sound.constant(0.5, frames: 9_600)
    let rig = Rig()
    rig.send(.master(gain: 0.25), at: 0)
    rig.send(rig.start(sound), at: 0)
    #expect(rig.mix(frames: 2_400).left.allSatisfy { $0 == 0.125 })

    // Closed from the start: as if it had been closed for long.
    func swept(_ lead: Int64) -> [Float] {
      let rig = Rig()
      rig.send(.modulation(0.8), at: 0)
      rig.send(rig.start(sound), at: lead)
      return Array(rig.mix(frames: Int(lead) + 2_400).left[Int(lead)...])
    }
    #expect(swept(0) == swept(24_000))
  }
}
