import JamCore
import JamRealtime
import JamRoom
import Synchronization

@testable import JamBench

/// What the journal's thread does for a full room: it compares the room with what it kept last, and
/// makes the rows that differ.
///
/// Between two comparisons eight of 64 players hit a pad, one sets a pad's gain, and all their loops
/// go round.
/// Thread: a room thread's.
final class JournalStage: Stage {
  private static let changesOfRun = 16
  /// Images of a room are 50 ms apart.
  private static let between = Frames.milliseconds(50)

  /// The room's newest image.
  private final class Inbox: Sendable {
    let image = Mutex<RoomImage?>(nil)
  }

  private let inbox = Inbox()
  private let room: CountedRoom
  private let players: [PlayerID]
  private var now: Frames
  private var images: [RoomImage] = []
  private var step = 0
  /// Rows of the last run, so that it is not left out.
  private(set) var rows = 0

  init(_ thread: RoomThread) throws {
    let inbox = inbox
    room = try CountedRoom(thread) { image in inbox.image.withLock { $0 = image } }
    (players, now) = try room.play(LoopScript(players: 64, layers: 2))
    try image()
  }

  var operations: Int { JournalStage.changesOfRun }

  func prepare() {
    images.removeFirst(images.count - 1)
    for _ in 0..<JournalStage.changesOfRun {
      play()
      try? image()
    }
  }

  func run() {
    rows = 0
    for (old, new) in zip(images, images.dropFirst()) { rows += RoomImage.change(from: old, to: new).items.count }
  }

  /// 50 ms of the room.
  private func play() {
    now += JournalStage.between
    room.turn(until: room.room.anchor.time(of: now))
    room.emptyQueue()
    step += 1
    let moment = Moment(arrival: now)
    let hitters = (0..<8).map { players[(step * 8 + $0) % players.count] }
    let (setter, gain) = (players[step % players.count], -Float(step % 20))
    room.room.assumeIsolated {
      for player in hitters { $0.receive(.hit(Pad.all[3], .full), from: player, at: moment, origin: .none) }
      $0.receive(.set(.pad(.gain, Pad.all[5]), .float(gain)), from: setter, at: moment, origin: .none)
    }
  }

  private func image() throws {
    room.room.assumeIsolated { $0.keepNow() }
    guard let image = inbox.image.withLock({ $0 }) else { throw CostsError.nothingDone("change of a kept room") }
    images.append(image)
  }
}
