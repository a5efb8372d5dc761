/// A note on the grid of ticks.
struct GridNote: Hashable, Sendable {
  var tick: Int
  /// After `tick`.
  var endTick: Int
  var key: UInt8
  var velocity: UInt8
  var channel: UInt8

  /// The notes of a track by tick, then channel and key. No key sounds twice at once: a note ends
  /// where the next one of its key begins, and of two notes at one tick the louder stays.
  static func notes(of track: ExportTrack, in session: ExportSession, time: MusicalTime) -> [GridNote] {
    var placed: [GridNote] = []
    for note in track.notes where note.key < 128 && note.frame >= 0 && note.frame < session.frames {
      let tick = Ticks.tick(atFrame: note.frame, in: time)
      let end = min(note.frame + max(0, min(note.length, session.frames)), session.frames)
      placed.append(
        GridNote(
          tick: tick, endTick: max(tick + 1, Ticks.tick(atFrame: end, in: time)), key: note.key,
          velocity: min(max(note.velocity, 1), 127), channel: min(note.channel, 15)))
    }
    placed.sort { ($0.order, $0.tick, ~$0.velocity, ~$0.endTick) < ($1.order, $1.tick, ~$1.velocity, ~$1.endTick) }
    var notes: [GridNote] = []
    for note in placed {
      if let last = notes.last, last.order == note.order {
        if last.tick == note.tick { continue }
        notes[notes.count - 1].endTick = min(last.endTick, note.tick)
      }
      notes.append(note)
    }
    return notes.sorted { ($0.tick, $0.order) < ($1.tick, $1.order) }
  }

  /// The voice that a note takes: channel, then key.
  var order: Int { Int(channel) << 8 | Int(key) }
}
