internal import JamCore
internal import JamRealtime
internal import Synchronization

/// The loop of a recording's thread, and the state that it shares with its owner.
final class InputLoop: @unchecked Sendable {
  // Unchecked: only the recording's thread touches `take`, until that thread was joined.
  private var take: InputTake<ALSARecorder>
  private let status: InputStatus
  private let isEnding = Atomic<Bool>(false)
  private let wake = WakeSignal()

  init(_ recorder: consuming ALSARecorder, mostFrames: Int, status: InputStatus) {
    take = InputTake(recorder, mostFrames: mostFrames, status: status, at: .now)
    self.status = status
  }

  /// Thread: any.
  func end() {
    isEnding.store(true, ordering: .releasing)
    wake.raise()
  }

  /// Thread: the recording's own. It polls the device a hundred times a second instead of waiting
  /// for it. The device holds fifty times as much. So a device that was unplugged, or has no clock,
  /// can neither block the thread nor keep it busy.
  func run() {
    while true {
      let ticket = wake.ticket
      let isLast = isEnding.load(ordering: .acquiring)
      guard take.step(at: .now), !isLast else { break }
      wake.wait(since: ticket, atMostMilliseconds: 10)
    }
    status.isRecording.store(false, ordering: .releasing)
  }

  /// The recording. Thread: the one that joined the recording's thread.
  var recording: ALSARecording { take.recording }
}
