import JamDevice
import Testing

@Suite("Drift controller")
struct DriftControllerTests {
  /// Plays `seconds` of a device whose clock is off by `partsPerMillion`, and whose fill is seen in periods of 120 frames.
  private func play(
    _ controller: inout DriftController, fill: inout Double, partsPerMillion: Double, seconds: Double
  ) -> (lowest: Double, highest: Double, ratio: Double) {
    let step = 0.0025
    var lowest = fill
    var highest = fill
    var ratio = 1.0
    for i in 0..<Int(seconds / step) {
      // Interrupts come once a period, out of step with the reader.
      let seen = fill + Double((i * 37) % 120) - 60
      ratio = controller.ratio(fill: seen, seconds: step)
      fill += step * 48_000 * (ratio - (1 + partsPerMillion / 1_000_000))
      lowest = min(lowest, fill)
      highest = max(highest, fill)
    }
    return (lowest, highest, ratio)
  }

  @Test("it finds a sound card's clock and keeps the device at its fill", arguments: [-500.0, -80, 0, 80, 500])
  func settles(partsPerMillion: Double) {
    var controller = DriftController(targetFrames: 480)
    var fill = 480.0
    let start = play(&controller, fill: &fill, partsPerMillion: partsPerMillion, seconds: 40)
    #expect(start.lowest > 200 && start.highest < 760)
    let later = play(&controller, fill: &fill, partsPerMillion: partsPerMillion, seconds: 20)
    #expect(later.lowest > 470 && later.highest < 490)
    #expect(abs(controller.partsPerMillion - partsPerMillion) < 20)
  }

  @Test("an hour at a steady drift never runs dry")
  func hour() {
    var controller = DriftController(targetFrames: 480)
    var fill = 480.0
    let result = play(&controller, fill: &fill, partsPerMillion: 137, seconds: 3_600)
    #expect(result.lowest > 380 && result.highest < 580)
  }

  @Test("the pitch is never bent by more than its limit", arguments: [0.0, 5_000])
  func limited(fill: Double) {
    var controller = DriftController(targetFrames: 480)
    for _ in 0..<4_000 {
      let ratio = controller.ratio(fill: fill, seconds: 0.0025)
      #expect(abs(ratio - 1) <= DriftController.limit + 1e-12)
    }
  }

  @Test("a restart forgets the fill and keeps the clocks' difference")
  func restart() {
    var controller = DriftController(targetFrames: 480)
    var fill = 480.0
    _ = play(&controller, fill: &fill, partsPerMillion: 300, seconds: 60)
    controller.restart()
    let ratio = controller.ratio(fill: 480, seconds: 0.0025)
    #expect(abs(ratio - 1.0003) < 0.000_05)
  }
}
