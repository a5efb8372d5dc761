import JamCore
import JamExport
import JamRoom

/// Plays a stretch of a recording again, as fast as the machine can.
///
/// Thread: any that may wait.
struct TakeReplay: ExportSource {
  let score: String?
  /// The first frame, counted in the recording.
  let first: Int64
  let length: Int64
  let kitStore: KitStore
  let firstKit: PlayableKit

  private enum End: Error {
    case over
    case failed(ExportProblem)
  }

  func play(
    title: String, stems: StemPlan? = nil, isCancelled: () -> Bool = { false },
    rendered: (OfflineRoom) throws(ExportProblem) -> Void = { _ in },
    _ body: (UnsafeBufferPointer<Float>) throws(ExportProblem) -> Void
  ) throws(ExportProblem) -> PlayedStretch {
    let file: ScoreFile
    do throws(RenderError) { file = try ScoreFile(path: score ?? "") } catch { throw .unreadable(error.text) }
    let room = OfflineRoom(name: file.room, kits: kitStore, firstKit: firstKit, tempo: file.tempo, stems: stems)
    var playback = ScorePlayback(file, in: room)
    var at: Int64 = 0
    let last = first + length
    do throws(End) {
      try playback.play { (buffer) throws(End) in
        do throws(ExportProblem) { try rendered(room) } catch { throw .failed(error) }
        let count = Int64(buffer.count / 2)
        defer { at += count }
        let (from, to) = (max(at, first) - at, min(at + count, last) - at)
        if from < to { try give(buffer, from, to, body) }
        if at + count >= last { throw End.over }
        if isCancelled() { throw End.failed(.cancelled) }
      }
      // Silence at the end of the stretch belongs to it as well.
      try giveSilence(from: max(at, first), to: last, body)
    } catch {
      if case .failed(let problem) = error { throw problem }
    }
    let export = ScoreExport(
      name: title, players: file.players, log: room.log, maps: playback.maps, length: Frames(first + length),
      pads: playback.pads, firstPatch: room.firstPatch)
    return PlayedStretch(export, room, from: first, frames: length)
  }

  private func give(
    _ buffer: UnsafeBufferPointer<Float>, _ from: Int64, _ to: Int64,
    _ body: (UnsafeBufferPointer<Float>) throws(ExportProblem) -> Void
  ) throws(End) {
    do throws(ExportProblem) {
      try body(UnsafeBufferPointer(rebasing: buffer.dropFirst(Int(from) * 2).prefix(Int(to - from) * 2)))
    } catch {
      throw .failed(error)
    }
  }

  private func giveSilence(
    from: Int64, to: Int64, _ body: (UnsafeBufferPointer<Float>) throws(ExportProblem) -> Void
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
}
