import JamCore
import JamExport
import JamRoom

/// Music that can be played again as often as somebody wants files of it.
protocol ExportSource {
  /// The first frame of the wanted stretch. The music is played from frame 0, so this may be
  /// greater than 0.
  var first: Int64 { get }
  var length: Int64 { get }
  /// The path of the score; nil where there is none.
  var score: String? { get }

  /// Plays the music as fast as the machine can. Thread: any that may wait.
  /// - Parameters:
  ///   - title: the name of the export.
  ///   - stems: how the mix is divided into stems.
  ///   - rendered: called after each buffer, also for those in front of the stretch.
  ///   - body: takes the stretch piece by piece, as interleaved stereo.
  func play(
    title: String, stems: StemPlan?, isCancelled: () -> Bool, rendered: (OfflineRoom) throws(ExportProblem) -> Void,
    _ body: (UnsafeBufferPointer<Float>) throws(ExportProblem) -> Void
  ) throws(ExportProblem) -> PlayedStretch
}

/// The music that was played, up to the end of the stretch.
struct PlayedStretch {
  let export: ScoreExport
  let room: OfflineRoom
  /// Where bars begin, in frames of the stretch.
  let bars: [Int64]
  /// The players who are heard, in the order of their first hits in the whole music, and the number
  /// of hits.
  let players: [PlayerName]
  let hits: Int
  /// The tempo that holds longest, in beats a minute.
  let tempo: Double
  /// The notes; their beats count from the stretch's first frame.
  let notes: [TakeNotes.Note]

  /// - Parameters:
  ///   - first: the first frame of the stretch, counted in all that was played.
  ///   - frames: the length of the stretch.
  init(_ export: ScoreExport, _ room: OfflineRoom, from first: Int64, frames: Int64) {
    let end = Frames(first + frames)
    let clock = ExportClock(export.maps, until: end)
    let range = Range(from: Frames(first), to: end)
    let hits = export.log.filter { range.contains($0.frame) && $0.action.isHit }
    let heard = Set(hits.map(\.player))
    let begin = clock.beat(at: first)
    self.export = export
    self.room = room
    // A bar line one frame before the stretch is still its first bar line: a rounding error.
    bars = clock.bars(until: end).map { Int64($0.frame) - first }.filter { $0 >= -1 }.map { max(0, $0) }
    players = export.players.filter(heard.contains)
    self.hits = hits.count
    tempo = clock.mainTempo(from: Frames(first), to: end)
    // By name, so that the same stretch gives the same notes each time.
    let all = ScoreExport.notes(in: export.log).sorted { $0.key.text < $1.key.text }
    notes = all.flatMap { player, notes in
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
  /// Whether somebody, or a loop, hits a pad.
  fileprivate var isHit: Bool {
    guard case .command(let command) = self else { return false }
    return switch command {
    case .hit, .strike, .loopHit: true
    default: false
    }
  }
}
