internal import Synchronization

/// The public state of a recording while it is made. Thread: any.
final class InputStatus: Sendable {
  /// The bit pattern of a magnitude. Bit patterns of numbers from 0 up have the order of the
  /// numbers.
  private let peak = Atomic<UInt32>(0)
  private let recorded = Atomic<Int>(0)
  let isRecording = Atomic<Bool>(false)

  var recordedFrames: Int { recorded.load(ordering: .relaxed) }

  func begin() {
    peak.store(0, ordering: .relaxed)
    recorded.store(0, ordering: .relaxed)
    isRecording.store(true, ordering: .relaxed)
  }

  /// - Parameter frames: recorded so far, including the new samples.
  func take(_ samples: ArraySlice<Float>, frames: Int) {
    let largest = samples.reduce(0) { Swift.max($0, $1.magnitude) }
    peak.max(largest.bitPattern, ordering: .relaxed)
    recorded.store(frames, ordering: .relaxed)
  }

  func takePeak() -> Float { Float(bitPattern: peak.exchange(0, ordering: .relaxed)) }
}
