import JamCore
import JamExport
import JamRoom

/// Plays a stretch of a recording again, as fast as the machine can.
///
/// Thread: any that may wait.
struct TakeReplay {
  let recording: String
  /// In frames of the recording.
  let first: Int64
  let length: Int64
  let kitStore: KitStore
  let firstKit: PlayableKit

  enum Problem: Error {
    /// Nobody waits for it any more.
    case cancelled
    case unreadable(String)
    case unwritable(String)

    var text: String {
      switch self {
      case .cancelled: "nobody waits for it any more"
      case .unreadable(let text), .unwritable(let text): text
      }
    }
  }

  /// What was played: all of the recording up to the stretch's end.
  struct Played {
    let export: ScoreExport
    /// Where bars begin, in frames of the stretch.
    let bars: [Int64]
    /// Who is heard, in the order of their first hits, and how often something was hit.
    let players: [String]
    let hits: Int
    /// In beats from the stretch's first frame.
    let notes: [TakeNotes.Note]
  }

  private enum End: Error {
    case over
    case failed(Problem)
  }

  /// - Parameters:
  ///   - title: what the export is called.
  ///   - body: takes the stretch piece by piece, interleaved.
  func play(
    title: String, isCancelled: () -> Bool = { false },
    _ body: (UnsafeBufferPointer<Float>) throws(Problem) -> Void
  ) throws(Problem) -> Played {
    let file: ScoreFile
    do throws(RenderError) { file = try ScoreFile(path: recording) } catch { throw .unreadable(error.text) }
    let room = OfflineRoom(name: file.room, kits: kitStore, firstKit: firstKit, tempo: file.tempo)
    var playback = ScorePlayback(file, in: room)
    var at: Int64 = 0
    let last = first + length
    do throws(End) {
      try playback.play { (buffer) throws(End) in
        let count = Int64(buffer.count / 2)
        defer { at += count }
        let (from, to) = (max(at, first) - at, min(at + count, last) - at)
        if from < to { try give(buffer, from, to, body) }
        if at + count >= last { throw End.over }
        if isCancelled() { throw End.failed(.cancelled) }
      }
      // What was silent at last is part of it, too.
      try giveSilence(from: max(at, first), to: last, body)
    } catch {
      if case .failed(let problem) = error { throw problem }
    }
    return played(playback, file.players, title)
  }

  private func give(
    _ buffer: UnsafeBufferPointer<Float>, _ from: Int64, _ to: Int64,
    _ body: (UnsafeBufferPointer<Float>) throws(Problem) -> Void
  ) throws(End) {
    do throws(Problem) {
      try body(UnsafeBufferPointer(rebasing: buffer.dropFirst(Int(from) * 2).prefix(Int(to - from) * 2)))
    } catch {
      throw .failed(error)
    }
  }

  private func giveSilence(
    from: Int64, to: Int64, _ body: (UnsafeBufferPointer<Float>) throws(Problem) -> Void
  ) throws(End) {
    guard from < to else { return }
    let silence = [Float](repeating: 0, count: 9_600)
    var left = to - from
    while left > 0 {
      let count = min(left, 4_800)
      var failure: End?
      silence.withUnsafeBufferPointer { silence in
        do throws(End) { try give(silence, 0, count, body) } catch { failure = error }
      }
      if let failure { throw failure }
      left -= count
    }
  }

  private func played(_ playback: ScorePlayback, _ players: [PlayerName], _ title: String) -> Played {
    let export = ScoreExport(
      name: title, players: players, log: playback.room.log, maps: playback.maps, length: Frames(first + length),
      pads: playback.pads)
    let clock = ExportClock(playback.maps, until: Frames(first + length))
    // A bar that begins a moment before the stretch is its first.
    let bars = clock.bars(until: Frames(first + length)).map { Int64($0.frame) - first }.filter { $0 >= -1 }
    let range = Frames(first)..<Frames(first + length)
    let hits = playback.room.log.filter { range.contains($0.frame) && $0.action.isHit }
    let heard = Set(hits.map(\.player))
    let begin = clock.beat(at: first)
    let notes = ScoreExport.notes(in: playback.room.log).flatMap { player, notes in
      notes.filter { range.contains($0.frame) }.map { note in
        TakeNotes.Note(
          beat: Beats(nearest: max(0, clock.beat(at: note.frame.count) - begin)), player: player, pad: note.pad,
          velocity: note.velocity)
      }
    }
    return Played(
      export: export, bars: bars.map { max(0, $0) }, players: players.filter(heard.contains).map(\.text),
      hits: hits.count, notes: notes)
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
