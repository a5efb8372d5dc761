import JamCore
import JamRealtime
import JamRoom

@testable import JamBench

/// A room whose players' loops go round, as far as the room's thread is concerned: its turns, and the notes that they put into the
/// engine's queue.
///
/// Thread: a room thread's.
final class LoopStage: Stage {
  enum Operation {
    /// What is due in a buffer's time where all 64 players have loops of two layers, 2.6 notes among it.
    case turn
    /// A note where eight players have loops of four layers, with its share of the room's turns.
    case note
  }

  /// A beat at 120 bpm. Each has as many notes as any other.
  private static let beat = Frames(24_000)
  private let operation: Operation
  private let room: CountedRoom
  private var now = Frames.zero
  /// Those of the last run, as far as they were taken from the queue.
  private var notes = 0

  init(_ operation: Operation, _ thread: RoomThread) throws {
    self.operation = operation
    room = try CountedRoom(thread)
    let script = operation == .turn ? LoopScript(players: 64, layers: 2) : LoopScript(players: 8, layers: 4)
    let players = try (0..<script.players).map { i in
      let name = try PlayerName.bench("player\(i)")
      return try room.room.assumeIsolated {
        try $0.join(
          name, token: name.text, isGuest: false, isHost: true, at: .zero - RoomState.liveDelay, origin: .none)
      }
    }
    for line in script.lines {
      while now < line.moment.arrival {
        now = min(now + .buffer, line.moment.arrival)
        room.turn(until: time)
        room.emptyQueue()
      }
      room.room.assumeIsolated {
        $0.receive(line.command, from: players[line.player], at: line.moment, origin: .none)
      }
    }
    // By then what fills up is full.
    for _ in 0..<64 {
      run()
      room.emptyQueue()
    }
  }

  var operations: Int {
    guard operation == .note else { return Int(LoopStage.beat.count / Frames.perBuffer) }
    notes += room.emptyQueue()
    return notes
  }

  func prepare() {
    room.emptyQueue()
    notes = 0
  }

  func run() {
    let end = now + LoopStage.beat
    while now < end {
      now += .buffer
      room.turn(until: time)
    }
  }

  private var time: HostTime { room.room.anchor.time(of: now) }
}
