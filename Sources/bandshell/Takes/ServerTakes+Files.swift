import Glibc
import JamCore
import JamExport
import JamKit
import JamRoom
import JamStore

/// Files of takes: made when they are asked for, and kept until the take changes.
extension ServerTakes {
  enum Kind: String, CaseIterable, Sendable {
    /// 24 bits, with markers, tempo and the time at which it was played.
    case wav
    case flac
    case opus
    case midi = "mid"
    /// As it was played: `bandshell render` plays it. All of the recording.
    case score
  }

  private static let mostScoreBytes = 1 << 30

  /// Where a take's file is, made now where it is not there yet. Thread: any that may wait.
  func file(of take: Catalogue.Take, _ kind: Kind) throws(TakeReplay.Problem) -> String {
    guard kind != .score else { return score(take.recording) }
    let path = path(of: take, kind)
    if access(path, R_OK) != 0 { _ = try write(take, kind, to: path) }
    return path
  }

  /// Makes what the list and the page need. Nil is for what is known already.
  func makeSound(of take: Catalogue.Take) throws(TakeReplay.Problem) -> Catalogue.Found? {
    guard take.found == nil else {
      _ = try file(of: take, .opus)
      return nil
    }
    return try write(take, .opus, to: path(of: take, .opus))
  }

  private func path(of take: Catalogue.Take, _ kind: Kind) -> String { "\(base(of: take)).\(kind.rawValue)" }

  /// Other bars are other files.
  private func base(of take: Catalogue.Take) -> String {
    "\(made)/\(take.id).\(take.trim.map { "\($0.lowerBound)-\($0.upperBound)" } ?? "all")"
  }

  /// Writes a take's file, and finds out what there is to know of it.
  @discardableResult
  func write(_ take: Catalogue.Take, _ kind: Kind, to path: String) throws(TakeReplay.Problem) -> Catalogue.Found {
    let stretch = TakeStretch(take)
    let replay = TakeReplay(
      recording: score(take.recording), first: stretch.first, length: stretch.length, kitStore: kitStore,
      firstKit: firstKit)
    let title = take.name.isEmpty ? take.id : take.name
    var peaks = Peaks()
    let played: TakeReplay.Played
    do {
      switch kind {
      case .flac, .opus:
        let writer = try SoundFileWriter(path, kind == .flac ? .flac : .opus)
        played = try replay.play(title: title, isCancelled: { isOver }) { (buffer) throws(TakeReplay.Problem) in
          peaks.take(buffer)
          do throws(KitError) { try writer.append(buffer) } catch { throw .unwritable(error.told) }
        }
        try writer.finish()
      case .wav: played = try writeWAV(replay, take, title, to: path, &peaks)
      case .score:
        played = try replay.play(title: title, isCancelled: { isOver }) { peaks.take($0) }
        try Files.write(Files.read(score(take.recording), limit: ServerTakes.mostScoreBytes), to: path)
      case .midi:
        played = try replay.play(title: title, isCancelled: { isOver }) { peaks.take($0) }
        let session = played.export.session(stems: nil).cut(from: Int(stretch.first), frames: Int(stretch.length))
        try Files.write(StandardMIDI.file(of: session), to: path)
      }
    } catch let problem as TakeReplay.Problem {
      throw problem
    } catch let error as KitError {
      throw .unwritable(error.told)
    } catch {
      throw .unwritable("\(error)")
    }
    keep(played.notes, of: take)
    return Catalogue.Found(players: played.players, hits: played.hits, bars: played.bars, peaks: peaks.all)
  }

  // MARK: Notes

  /// What was hit in what is heard of a take. Thread: any that may wait.
  func notes(of take: Catalogue.Take) throws(TakeReplay.Problem) -> TakeNotes {
    if let notes = keptNotes(of: take) { return notes }
    let stretch = TakeStretch(take)
    let replay = TakeReplay(
      recording: score(take.recording), first: stretch.first, length: stretch.length, kitStore: kitStore,
      firstKit: firstKit)
    let notes = try replay.play(title: take.id, isCancelled: { isOver }) { _ in }.notes
    keep(notes, of: take)
    return TakeNotes(take: take.id, notes: notes)
  }

  /// A line for each: millionths of a beat, the pad, the velocity, the player.
  private func keep(_ notes: [TakeNotes.Note], of take: Catalogue.Take) {
    let text = notes.map { "\($0.beat.microBeats) \($0.pad.number) \($0.velocity.value) \($0.player.text)\n" }
    // It is made again where it is missing.
    try? Files.write(Array(text.joined().utf8), to: notesPath(of: take))
  }

  private func keptNotes(of take: Catalogue.Take) -> TakeNotes? {
    guard let bytes = try? Files.read(notesPath(of: take), limit: ServerTakes.mostScoreBytes) else { return nil }
    var notes: [TakeNotes.Note] = []
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 3)
      guard words.count == 4, let beat = Int64(words[0]), let pad = Int(words[1]).flatMap({ Pad($0) }),
        let velocity = Float(words[2]).flatMap({ Velocity($0) }), let player = PlayerName(String(words[3]))
      else { return nil }
      notes.append(TakeNotes.Note(beat: Beats(microBeats: beat), player: player, pad: pad, velocity: velocity))
    }
    return TakeNotes(take: take.id, notes: notes)
  }

  private func notesPath(of take: Catalogue.Take) -> String { base(of: take) + ".notes" }

  private func writeWAV(
    _ replay: TakeReplay, _ take: Catalogue.Take, _ title: String, to path: String, _ peaks: inout Peaks
  ) throws -> TakeReplay.Played {
    // What the file says of itself stands in front of its sound: the take is played twice.
    let played = try replay.play(title: title, isCancelled: { isOver }) { _ in }
    var session = played.export.session(stems: nil).cut(from: Int(replay.first), frames: Int(replay.length))
    let began = (take.began * Int64(Frames.perSecond)) + replay.first - take.first
    session.start = StartTime(
      unixSeconds: Int(began / Int64(Frames.perSecond)), framesIntoSecond: Int(began % Int64(Frames.perSecond)))
    var writer = try WAVFileWriter(
      path: path, format: .pcm24, metadata: WAVMetadata(of: session, description: "\(take.room): \(title)"))
    var found = Peaks()
    var failure: ExportError?
    _ = try replay.play(title: title, isCancelled: { isOver || failure != nil }) { buffer in
      found.take(buffer)
      do throws(ExportError) { try writer.append(buffer) } catch { failure = error }
    }
    if let failure { throw failure }
    try writer.finish()
    peaks = found
    return played
  }

  /// The loudest of each twentieth of a second.
  private struct Peaks {
    private(set) var all: [UInt8] = []
    private var loudest: Float = 0
    private var count: Int64 = 0

    mutating func take(_ buffer: UnsafeBufferPointer<Float>) {
      for at in stride(from: 0, to: buffer.count - 1, by: 2) {
        loudest = max(loudest, abs(buffer[at]), abs(buffer[at + 1]))
        count += 1
        guard count == TakeStretch.framesPerPeak else { continue }
        all.append(UInt8(min(1, loudest) * 255))
        (loudest, count) = (0, 0)
      }
    }
  }
}
