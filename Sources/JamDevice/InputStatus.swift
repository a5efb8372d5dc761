internal import Synchronization

/// What a recording tells of itself while it is made. Thread: any.
final class InputStatus: Sendable {
  /// The bits of a magnitude: those of numbers from 0 up are in the numbers' order.
  private let peak = Atomic<UInt32>(0)
  private let recorded = Atomic<Int>(0)
  let isRecording = Atomic<Bool>(false)

  var recordedFrames: Int { recorded.load(ordering: .relaxed) }

  func begin() {
    peak.store(0, ordering: .relaxed)
    recorded.store(0, ordering: .relaxed)
    isRecording.store(true, ordering: .relaxed)
  }

  /// - Parameter frames: recorded so far, the new samples among them.
  func take(_ samples: ArraySlice<Float>, frames: Int) {
    let largest = samples.reduce(0) { Swift.max($0, $1.magnitude) }
    peak.max(largest.bitPattern, ordering: .relaxed)
    recorded.store(frames, ordering: .relaxed)
  }

  func takePeak() -> Float { Float(bitPattern: peak.exchange(0, ordering: .relaxed)) }
}
