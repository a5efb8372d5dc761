import Glibc
import JamCommand
package import JamCore
import JamExport
import JamKit
package import JamRoom

/// Renders a score into files: the mix, its stems, and the files that other programs open.
///
/// Thread: any that may wait, but one at a time. Takes processor time, and blocks on the disk.
package struct ScoreRendering {
  private let score: String
  private let output: String
  private let kitFolders: [String]
  private let tell: (String) -> Void
  /// The folder of the stems, which is created where it is missing; nil writes none.
  package var stems: String?
  package var plan = StemPlan(by: .player, isShaped: false)
  /// The format of the stems.
  package var format = WAVFormat.float32
  /// The paths of files beside the mix; nil writes none.
  package var midi: String?
  package var dawproject: String?
  package var rpp: String?
  package var labels: String?

  /// - Parameters:
  ///   - score: the path of the score.
  ///   - output: the path of the mix.
  ///   - tell: takes what is left out or wrong, in one line each. The rest is rendered.
  package init(of score: String, to output: String, kitFolders: [String], tell: @escaping (String) -> Void) {
    self.score = score
    self.output = output
    self.kitFolders = kitFolders
    self.tell = tell
  }

  /// Renders a score: the same samples as were played.
  package func render() throws(RenderError) {
    let file = try ScoreFile(path: score)
    let (kitStore, firstKit) = try kitStore()
    let room = OfflineRoom(
      name: file.room, kits: kitStore, firstKit: firstKit, tempo: file.tempo, stems: stems.map { _ in plan })
    var mix = ScorePlayback(file, in: room)
    let parts = try write(room) { (take) throws(Problem) in try mix.play(take) }
    for refusal in mix.refusals { tell("\(score), at \(refusal)") }
    if let change = EngineChange.words(since: file.engine) { tell("\(score): \(change)") }
    if let damage = file.damage {
      tell("\(score): \(damage); what stands before, up to \(Seconds.text(file.end)), is rendered")
    }
    let all = ScoreExport(
      name: title, players: file.players, log: room.log, maps: mix.maps, length: room.end, pads: mix.pads,
      firstPatch: room.firstPatch)
    try export(all, try finish(parts, room, all))
    // A script that renders looks only at the exit code.
    guard mix.refusals.isEmpty, file.damage == nil else { throw .incomplete(output) }
  }

  private func kitStore() throws(RenderError) -> (store: KitStore, first: PlayableKit) {
    // The sounds and kits that players brought or saved are beside the folder of takes, or beside
    // the score.
    let place = FilePlace(score).folder
    let data = FilePlace(place).name == "takes" ? FilePlace(place).folder : place
    let folders = DataFolder.kitFolders(kitFolders, and: data)
    let kitStore = KitStore(catalogue: KitCatalogue(scanning: folders), sounds: DataFolder.sounds(in: data))
    guard let id = kitStore.kits.first?.id else {
      throw RenderError("no kits found: name their folder with --kits, or set BANDSHELL_KITS", .badData)
    }
    do throws(KitError) { return (kitStore, try kitStore.load(id)) } catch { throw RenderError("\(error)", .badData) }
  }

  /// Renders a script, or a score's commands, as a live room would play them.
  package func renderLive() throws(RenderError) {
    let script = try LiveScript.read(score)
    let (kitStore, firstKit) = try kitStore()
    let room = OfflineRoom(
      name: script.room, kits: kitStore, firstKit: firstKit, tempo: script.tempo,
      stems: stems.map { _ in plan },
      isLive: true)
    var mix = LivePlayback(script, in: room)
    let parts = try write(room) { (take) throws(Problem) in try mix.play(take) }
    for refusal in mix.refusals { tell("\(score), at \(refusal)") }
    if mix.isCut {
      tell(
        """
        \(score): it goes round without end: \(LivePlayback.barsBehind) bars behind its last line are \
        rendered; a line as “9:1 end” says where it ends
        """
      )
    }
    let all = ScoreExport(
      name: title, players: mix.players, log: room.log, maps: mix.maps, length: room.end, pads: mix.pads,
      firstPatch: room.firstPatch)
    try export(all, try finish(parts, room, all))
    guard mix.refusals.isEmpty else { throw .incomplete(output) }
  }

  private enum Problem: Error {
    case mix(String)
    case stems(ExportError)
  }

  /// Writes the mix, and its stems where they are wanted, while they are played.
  private func write(
    _ room: OfflineRoom,
    _ play: ((UnsafeBufferPointer<Float>) throws(Problem) -> Void) throws(Problem) -> Void
  ) throws(RenderError) -> StemFiles? {
    if let stems, mkdir(stems, 0o755) != 0, errno != EEXIST { throw .unwritable(stems, SystemError.text(errno)) }
    let files = stems.map { StemFiles(in: $0, format) }
    do throws(Problem) {
      let mix: MixFile
      do throws(MixFile.Problem) { mix = try MixFile(output) } catch { throw .mix(error.text) }
      try play { (buffer) throws(Problem) in
        do throws(MixFile.Problem) { try mix.append(buffer) } catch { throw .mix(error.text) }
        do throws(ExportError) { try files?.take(from: room) } catch { throw .stems(error) }
      }
      do throws(MixFile.Problem) { try mix.finish() } catch { throw .mix(error.text) }
    } catch {
      switch error {
      case .mix(let reason): throw .unwritable(output, reason)
      case .stems(let reason): throw RenderError("\(reason)", .unavailable)
      }
    }
    return files
  }

  private func finish(_ files: StemFiles?, _ room: OfflineRoom, _ export: ScoreExport) throws(RenderError) -> [StemFiles
    .Stem]
  {
    guard let files else { return [] }
    let session = export.session()
    do throws(ExportError) {
      return try files.finish(
        room, plan, players: export.players, frames: Int(room.end.count), path: "",
        metadata: { WAVMetadata(of: session, description: "\(title): \($0)") })
    } catch {
      throw RenderError("\(error)", .unavailable)
    }
  }

  /// The name of the score's file without its ending.
  private var title: String { String(FilePlace(score).name.split(separator: ".").first ?? "score") }

  /// Writes the files that other programs open.
  private func export(_ export: ScoreExport, _ stems: [StemFiles.Stem]) throws(RenderError) {
    let folder = self.stems.map { FilePlace($0) }
    do {
      if let midi { try write(StandardMIDI.file(of: export.session()), to: midi) }
      if let labels { try write(Array(AudacityLabels.text(of: export.session()).utf8), to: labels) }
      if let rpp {
        // Relative to the project where the stems are beside it; otherwise by the path that was
        // given.
        let isBeside = folder?.folder == FilePlace(rpp).folder
        let session = export.session(stems: stems.below(isBeside ? folder?.name : folder?.path))
        try write(Array(ReaperProject.text(of: session).utf8), to: rpp)
      }
      if let dawproject {
        try DAWProject.write(
          export.session(stems: stems.below(folder?.name)), to: dawproject, filesIn: folder?.folder ?? ".")
      }
    } catch let error as RenderError {
      throw error
    } catch {
      throw RenderError("\(error)", .unavailable)
    }
  }

  private func write(_ bytes: [UInt8], to path: String) throws(RenderError) {
    guard let file = fopen(path, "wb") else { throw .unwritable(path, SystemError.text(errno)) }
    let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
    guard fclose(file) == 0, isWritten else { throw .unwritable(path, SystemError.text(errno)) }
  }
}

extension [StemFiles.Stem] {
  /// The same stems, with their paths below that folder, as the export names it.
  fileprivate func below(_ folder: String?) -> [StemFiles.Stem] {
    map { stem in
      let path = folder.map { "\($0)/\(stem.audio.path)" } ?? stem.audio.path
      return StemFiles.Stem(part: stem.part, name: stem.name, audio: ExportAudio(path: path, frames: stem.audio.frames))
    }
  }
}
