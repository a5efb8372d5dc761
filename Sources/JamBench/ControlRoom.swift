internal import JamCommand
internal import JamCore
internal import JamRealtime
internal import JamWire

/// An almost idle room beside the one that is measured, in a server of its own. One player sends
/// timetagged hits. Other work on this machine makes some of them late.
///
/// Thread: one.
final class ControlRoom {
  let server: ChildServer
  private let player: BenchPlayer
  private let clock: ServerClock
  private var next = HostTime.now
  private var sent = 0

  private static let hitMilliseconds = 10.0
  /// How far ahead hits are sent. A look of this process that comes late makes no hit late.
  private static let aheadMilliseconds = 500.0

  init() throws {
    server = try TestedProgram.server()
    player = try BenchPlayer(port: server.ports.osc)
    guard player.join("control", kit: nil), let clock = player.serverClock() else {
      throw ChildProcess.Failure(description: "the player of the idle room could not join")
    }
    self.clock = clock
  }

  /// Plays on until `end`.
  func play(until end: HostTime) {
    next = max(next, HostTime.now.advanced(byMilliseconds: 100))
    while HostTime.now < end {
      while next.milliseconds(since: .now) < ControlRoom.aheadMilliseconds {
        let hit = BenchPlayer.hit(1 + sent % Pad.count, velocity: 0.3)
        player.send(OSCPacket.encode([hit], at: clock.timetag(at: next)))
        next = next.advanced(byMilliseconds: ControlRoom.hitMilliseconds)
        sent += 1
      }
      player.read { _ in }
      RealtimeThread.sleep(
        untilNanoseconds: min(end, HostTime.now.advanced(byMilliseconds: 100)).nanoseconds)
    }
  }
}
