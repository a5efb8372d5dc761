import JamCore

@testable import JamKit
@testable import JamRoom

/// The log, played again: what is heard is the same.
extension Studio {
  /// A room that plays the log of Ann's, as a score would.
  func replayed(_ kit: PlayableKit, tempo: Double = 120, until end: Int64) throws -> OfflineRoom {
    let room = OfflineRoom(
      name: PlayerName("main")!, kits: KitStore(catalogue: KitCatalogue()), firstKit: kit,
      tempo: Tempo(clamping: tempo), tapeSeconds: 30)
    var log = self.log.filter { if case .command = $0.action { true } else { false } }[...]
    _ = try room.player(PlayerName("ann")!, at: .zero)
    while room.end.count < end {
      // Whatever is sent for later may stand before what takes effect now.
      while let last = log.lastIndex(where: { $0.frame < room.end + Frames(240) }) {
        for entry in log[...last] {
          try room.play(entry.action, by: entry.player, at: entry.frame, number: entry.sequence)
        }
        log = log[(last + 1)...]
      }
      room.render()
    }
    return room
  }

  /// The first frame that sounds otherwise in `room`; nil where none does.
  func difference(from room: OfflineRoom) -> Int? {
    let count = min(Int(room.end.count), left.count)
    var mix = [Float](repeating: 0, count: count * 2)
    guard room.parts.tape.tape.read(&mix, from: .zero, count: count, click: false) else { return 0 }
    return (0..<count).first { mix[$0 * 2] != left[$0] || mix[$0 * 2 + 1] != right[$0] }
  }
}
