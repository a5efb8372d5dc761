import JamCore
import Testing

@testable import JamRoom

@Suite struct WaveformTests {
  /// Plays `left` and `right` to a waveform of `count` parts.
  private func waveform(_ left: [Float], _ right: [Float]? = nil, count: Int) -> Waveform {
    left.withUnsafeBufferPointer { left in
      guard let right else {
        return Waveform(
          of: SampleView(left: left.baseAddress!, right: nil, frameCount: Int32(left.count)), count: count)
      }
      return right.withUnsafeBufferPointer { right in
        Waveform(
          of: SampleView(left: left.baseAddress!, right: right.baseAddress!, frameCount: Int32(left.count)),
          count: count)
      }
    }
  }

  @Test("each part has its peak, of either sign and either channel, every frame in one part")
  func peaks() {
    #expect(waveform([0, 0.5, 0, 0, -1, 0, 0], count: 3).peaks == [127, 0, 255])
    #expect(waveform([0, 0, 0, 0], [0, -0.25, 0, 1], count: 2).peaks == [63, 255])
  }

  @Test("beyond full scale is full scale, and there are never more parts than frames")
  func edges() {
    #expect(waveform([3, -3], count: 480).peaks == [255, 255])
    #expect(waveform([0.1], count: 0).peaks == [25])
    #expect(waveform([Float](repeating: 1, count: 960), count: 480).peaks.count == 480)
    #expect(waveform([Float](repeating: 1, count: 960), count: 480).duration == Frames(960))
  }
}
