internal import JamCore
internal import JamRealtime
internal import Synchronization

/// What a recording's thread runs, and what it shares with its owner.
final class InputLoop: @unchecked Sendable {
  // Unchecked: `take` is touched by the thread alone until that was joined.
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

  /// Thread: the recording's own. Devices are looked at a hundred times a second instead of waited for: they hold fifty times as much, and
  /// one that was pulled out, or has no clock, can then neither hold the thread up nor keep it busy.
  func run() {
    while true {
      let ticket = wake.ticket
      let isLast = isEnding.load(ordering: .acquiring)
      guard take.step(at: .now), !isLast else { break }
      wake.wait(since: ticket, atMostMilliseconds: 10)
    }
    status.isRecording.store(false, ordering: .releasing)
  }

  /// What was recorded. Thread: the one that joined the recording's.
  var recording: ALSARecording { take.recording }
}
