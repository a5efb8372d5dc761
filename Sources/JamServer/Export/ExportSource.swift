import JamCore
import JamExport
import JamRoom

/// Something that can be played again as often as somebody wants it as files.
protocol ExportSource {
  /// The stretch that is wanted, in frames of what is played for it.
  var first: Int64 { get }
  var length: Int64 { get }
  /// Where its score lies; nil where it has none.
  var score: String? { get }

  /// Plays it as fast as the machine can. Thread: any that may wait.
  /// - Parameters:
  ///   - title: what the export is called.
  ///   - stems: how the mix is taken apart beside it.
  ///   - rendered: is called behind each buffer, in front of the stretch, too.
  ///   - body: takes the stretch piece by piece, interleaved.
  func play(
    title: String, stems: StemPlan?, isCancelled: () -> Bool, rendered: (OfflineRoom) throws(ExportProblem) -> Void,
    _ body: (UnsafeBufferPointer<Float>) throws(ExportProblem) -> Void
  ) throws(ExportProblem) -> PlayedStretch
}

/// What was played: all up to the stretch's end.
struct PlayedStretch {
  let export: ScoreExport
  let room: OfflineRoom
  /// Where bars begin, in frames of the stretch.
  let bars: [Int64]
  /// Who is heard, in the order of their first hits, and how often something was hit.
  let players: [PlayerName]
  let hits: Int
  /// The one that holds longest, in beats a minute.
  let tempo: Double
  /// In beats from the stretch's first frame.
  let notes: [TakeNotes.Note]

  /// - Parameters:
  ///   - clock: of all that was played.
  ///   - first: the stretch's first frame.
  init(_ export: ScoreExport, _ room: OfflineRoom, from first: Int64, frames: Int64) {
    let end = Frames(first + frames)
    let clock = ExportClock(export.maps, until: end)
    let range = Range(from: Frames(first), to: end)
    let hits = export.log.filter { range.contains($0.frame) && $0.action.isHit }
    let heard = Set(hits.map(\.player))
    let begin = clock.beat(at: first)
    self.export = export
    self.room = room
    // A bar that begins a moment before the stretch is its first.
    bars = clock.bars(until: end).map { Int64($0.frame) - first }.filter { $0 >= -1 }.map { max(0, $0) }
    players = export.players.filter(heard.contains)
    self.hits = hits.count
    tempo = clock.mainTempo(from: Frames(first), to: end)
    notes = ScoreExport.notes(in: export.log).flatMap { player, notes in
      notes.filter { range.contains($0.frame) }.map { note in
        TakeNotes.Note(
          beat: Beats(nearest: max(0, clock.beat(at: note.frame.count) - begin)), player: player, pad: note.pad,
          velocity: note.velocity,
          length: note.length.map { length in
            Beats(nearest: clock.beat(at: (note.frame + length).count) - clock.beat(at: note.frame.count))
          })
      }
    }
  }
}

extension LogAction {
  /// Somebody, or a loop, hits something.
  fileprivate var isHit: Bool {
    guard case .command(let command) = self else { return false }
    return switch command {
    case .hit, .strike, .loopHit: true
    default: false
    }
  }
}
