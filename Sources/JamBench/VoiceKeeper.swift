internal import Glibc
internal import JamCommand
internal import JamCore
internal import JamRealtime
internal import Synchronization

/// Keeps a number of quiet voices sounding, by hits of its own players.
///
/// Thread: call `start` and `stop` from one thread.
final class VoiceKeeper: @unchecked Sendable {
  // Unchecked: after the start, only the keeper's thread uses the players.
  private let players: [BenchPlayer]
  private let voices: Int
  private let isStopping = Atomic<Bool>(false)
  private let thread = RealtimeThread(name: "voices")

  /// Fewer than a player's share of the voices, so that none is stolen.
  private static let voicesPerPlayer = 100

  init(_ server: ServerUnderTest, voices: Int) throws(ChildProcess.Failure) {
    var players: [BenchPlayer] = []
    for n in 0..<(voices + VoiceKeeper.voicesPerPlayer - 1) / VoiceKeeper.voicesPerPlayer {
      players.append(try BenchPlayer.joined(server, as: "keeper\(n)"))
    }
    self.players = players
    self.voices = voices
  }

  func start() { thread.start { [self] in run() } }

  func stop() {
    isStopping.store(true, ordering: .releasing)
    thread.join()
  }

  private func run() {
    // Each voice lasts as long as its sound, so a fixed rate of hits keeps a fixed number of
    // voices.
    let interval = Int64(BenchKit.quietSeconds) * 1_000_000_000 / Int64(voices)
    var due = HostTime.now
    var pad = BenchKit.quietPads.lowerBound
    var player = 0
    while !isStopping.load(ordering: .acquiring) {
      players[player].send(BenchPlayer.hit(pad, velocity: 0.05))
      player = (player + 1) % players.count
      if player == 0 { pad = pad == BenchKit.quietPads.upperBound ? BenchKit.quietPads.lowerBound : pad + 1 }
      due = due.advanced(byNanoseconds: interval)
      RealtimeThread.sleep(untilNanoseconds: due.nanoseconds)
    }
  }
}
