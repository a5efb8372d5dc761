internal import JamCore
internal import JamRealtime
internal import Synchronization

/// The loop of an ALSA output's thread, and the state that it shares with its owner.
final class OutputLoop: Sendable {
  let device: String
  let status = OutputStatus()
  let playsClick = Atomic<Bool>(false)
  private let tape: MixTapeOwner
  private let wake: WakeSignal
  private let isEnding = Atomic<Bool>(false)

  init(device: String, tape: MixTapeOwner, wake: WakeSignal) {
    self.device = device
    self.tape = tape
    self.wake = wake
  }

  /// Thread: any.
  func end() {
    isEnding.store(true, ordering: .releasing)
    wake.raise()
  }

  /// Thread: the output's own.
  func run() {
    tape.tape.follow()
    defer { tape.tape.unfollow() }
    var player = TapePlayer(device: device, tape: tape.tape, status: status, at: .now)
    while true {
      let ticket = wake.ticket
      guard !isEnding.load(ordering: .acquiring) else { return }
      player.step(at: .now, withClick: playsClick.load(ordering: .relaxed))
      wake.wait(since: ticket, atMostMilliseconds: 250)
    }
  }
}
