import Glibc
import JamCommand
import JamCore
import JamExport
import JamKit
import JamRoom

/// Writes files of a piece of music. The music is played only once, however many files there are.
///
/// Thread: any that may wait. Takes processor time, and blocks on the disk.
package struct ExportMaker {
  /// A file to write. It has another name until it is complete. A folder beside it contains its
  /// parts meanwhile.
  package struct Output: Hashable {
    let kind: ExportKind
    package let path: String

    fileprivate var parts: String { path + ".parts" }
    /// The sound before it has its tags: players and tempo are known when it was played.
    fileprivate var untagged: String { path + ".untagged" }

    package init(kind: ExportKind, path: String) {
      self.kind = kind
      self.path = path
    }
  }

  /// Called with the part of the work that is done: 0…1.
  package typealias Progress = (Double) -> Void

  let source: any ExportSource
  /// The title, and where the music is from, as the files say it.
  let title: String
  let about: String
  /// When the stretch's first frame was played.
  let start: StartTime
  /// The folder in which stems stay as files of their own, in `stems`; nil puts them into archives.
  var folder: String?

  /// Bytes that an export leaves free on the disk, because a journal is written there, too.
  private static let reserve: UInt64 = 256 << 20
  /// The share of playing in the whole work. The rest is putting archives together.
  private static let playing = 0.9

  /// - Parameter body: also gets the mix, piece by piece, as interleaved stereo.
  /// - Returns: the stretch that was played.
  func make(
    _ outputs: [Output], isCancelled: () -> Bool = { false }, progress: @escaping Progress = { _ in },
    _ body: (UnsafeBufferPointer<Float>) -> Void = { _ in }
  ) throws(ExportProblem) -> PlayedStretch {
    do {
      let work = try Work(outputs, source, stemsIn: folder)
      defer { work.sweep() }
      let frames = Double(max(1, source.length))
      var done: Int64 = 0
      let takeStems: (OfflineRoom) throws(ExportProblem) -> Void = { (room) throws(ExportProblem) in
        do throws(ExportError) { try work.takeStems(room) } catch { throw ExportProblem(error) }
      }
      let played = try source.play(title: title, stems: work.plan, isCancelled: isCancelled, rendered: takeStems) {
        (buffer) throws(ExportProblem) in
        body(buffer)
        try work.take(buffer)
        let before = done
        done += Int64(buffer.count / 2)
        // The progress is reported twice for each second of music.
        guard before / 24_000 != done / 24_000 else { return }
        progress(Double(done) / frames * ExportMaker.playing)
        guard work.hasRoom else { throw .noRoom }
      }
      try work.finish(played, of: self, isCancelled: isCancelled)
      progress(1)
      return played
    } catch let problem as ExportProblem {
      throw problem
    } catch let error as KitError {
      throw .unwritable(error.told)
    } catch let error as ExportError {
      throw ExportProblem(error)
    } catch {
      throw .unwritable("\(error)")
    }
  }

  /// The session of the stretch: its notes, its clock, its markers and its stems. Those who do
  /// not play in the stretch have no tracks.
  fileprivate func session(_ played: PlayedStretch, stems: [StemFiles.Stem] = []) -> ExportSession {
    var session = played.export.session(stems: stems, barsFrom: Frames(source.first))
    if source.first > 0 || session.frames != Int(source.length) {
      session = session.cut(from: Int(source.first), frames: Int(source.length))
    }
    session = session.withoutSilentTracks()
    session.start = start
    if !title.isEmpty { session.markers.insert(ExportMarker(frame: 0, text: title, kind: .take), at: 0) }
    return session
  }

  /// The files while they are made.
  private final class Work {
    let outputs: [Output]
    let source: any ExportSource
    /// The mix is divided in one way at a time. Outputs that need different divisions have to be
    /// made one after the other.
    let plan: StemPlan?
    private var waves: [ExportedWAV] = []
    private var sounds: [(file: SoundFileWriter, output: Output)] = []
    private var stems: StemFiles?
    /// The folder for stems that stay; nil where they go into archives.
    private let folder: String?

    private final class ExportedWAV {
      private var file: WAVFileWriter?

      init(_ output: Output) throws(ExportError) {
        file = try WAVFileWriter(path: output.path, format: output.kind.format)
      }

      func append(_ buffer: UnsafeBufferPointer<Float>) throws(ExportError) { try file?.append(buffer) }

      func finish(_ metadata: WAVMetadata) throws(ExportError) {
        guard var file = file.take() else { return }
        file.metadata = metadata
        try file.finish()
      }
    }

    init(_ outputs: [Output], _ source: any ExportSource, stemsIn folder: String?) throws {
      self.folder = folder
      self.outputs = outputs
      self.source = source
      let divided = outputs.filter { $0.kind.hasStems }
      plan = divided.first?.kind.stems
      guard Set(divided.map(\.kind.stems)).count <= 1 else {
        throw ExportProblem.unwritable("stems are divided in one way at a time")
      }
      for output in outputs {
        switch output.kind.form {
        case .wav: waves.append(try ExportedWAV(output))
        case .flac: sounds.append((try SoundFileWriter(output.untagged, .flac), output))
        case .opus: sounds.append((try SoundFileWriter(output.untagged, .opus), output))
        default: break
        }
      }
      if let first = divided.first {
        let parts = folder ?? first.parts
        let mode: mode_t = folder == nil ? 0o700 : 0o755
        for path in [parts, "\(parts)/stems"] where mkdir(path, mode) != 0 && errno != EEXIST {
          throw ExportProblem.unwritable("\(path): \(SystemError.text(errno))")
        }
        stems = StemFiles(
          in: "\(parts)/stems", first.kind.format, from: source.first, until: source.first + source.length)
      }
    }

    func take(_ buffer: UnsafeBufferPointer<Float>) throws(ExportProblem) {
      for wave in waves {
        do throws(ExportError) { try wave.append(buffer) } catch { throw ExportProblem(error) }
      }
      for (file, _) in sounds {
        do throws(KitError) { try file.append(buffer) } catch { throw .unwritable(error.told) }
      }
    }

    func takeStems(_ room: OfflineRoom) throws(ExportError) { try stems?.take(from: room) }

    var hasRoom: Bool {
      var status = statvfs()
      guard let path = outputs.first?.path, statvfs(FilePlace(path).folder, &status) == 0 else { return true }
      return UInt64(status.f_bavail) * UInt64(status.f_frsize) > ExportMaker.reserve
    }

    func finish(_ played: PlayedStretch, of maker: ExportMaker, isCancelled: () -> Bool) throws {
      let plain = maker.session(played)
      let tags = SoundTags(
        title: maker.title, artists: played.players.map(\.text), date: maker.start,
        beatsPerMinute: played.tempo)
      for sound in sounds {
        try sound.file.finish()
        try tags.move(sound.output.untagged, to: sound.output.path)
      }
      for wave in waves { try wave.finish(WAVMetadata(of: plain, description: maker.about)) }
      var written: [StemFiles.Stem] = []
      if let stems, let plan {
        written = try stems.finish(
          played.room, plan, players: played.players, frames: Int(source.length), path: "stems",
          metadata: { WAVMetadata(of: plain, description: "\(maker.about): \($0)") })
      }
      for output in outputs { try finish(output, played, plain, written, of: maker, isCancelled) }
    }

    private func finish(
      _ output: Output, _ played: PlayedStretch, _ plain: ExportSession, _ stems: [StemFiles.Stem],
      of maker: ExportMaker, _ isCancelled: () -> Bool
    ) throws {
      let folder = folder ?? outputs.first { $0.kind.hasStems }?.parts ?? ""
      switch output.kind.form {
      case .wav, .flac, .opus: break
      case .score:
        guard let score = source.score else { throw ExportProblem.unwritable("there is no score of it") }
        try Files.write(Files.read(score, limit: 1 << 30), to: output.path)
      case .midi: try Files.write(StandardMIDI.file(of: plain), to: output.path)
      case .labels: try Files.write(Array(AudacityLabels.text(of: plain).utf8), to: output.path)
      case .dawproject:
        try DAWProject.write(
          maker.session(played, stems: stems), to: output.path, filesIn: folder, isCancelled: isCancelled)
      case .stems where self.folder != nil: break
      case .rpp where self.folder != nil:
        try Files.write(Array(ReaperProject.text(of: maker.session(played, stems: stems)).utf8), to: output.path)
      case .stems:
        var zip = try ZipFileWriter(path: output.path)
        for stem in stems {
          try zip.add(FilePlace(stem.audio.path).name, fileAt: "\(folder)/\(stem.audio.path)", isCancelled: isCancelled)
        }
        try zip.finish()
      case .rpp:
        let name = FileName.portable(maker.title.isEmpty ? "take" : maker.title)
        var zip = try ZipFileWriter(path: output.path)
        try zip.add("\(name).rpp", Array(ReaperProject.text(of: maker.session(played, stems: stems)).utf8))
        try zip.add("\(name).mid", StandardMIDI.file(of: plain))
        for stem in stems {
          try zip.add(stem.audio.path, fileAt: "\(folder)/\(stem.audio.path)", isCancelled: isCancelled)
        }
        try zip.finish()
      }
    }

    /// Deletes the parts that only the archives needed.
    func sweep() {
      stems = nil
      for output in outputs where folder == nil && output.kind.hasStems { ExportMaker.sweep(output.path) }
    }
  }

  /// Deletes the unfinished file and the parts of an output.
  static func sweep(_ path: String) {
    for ending in [".part", ".untagged", ".untagged.part"] { unlink(path + ending) }
    for folder in ["\(path).parts/stems", "\(path).parts"] {
      for name in Files.names(in: folder) ?? [] { unlink("\(folder)/\(name)") }
      rmdir(folder)
    }
  }
}
