import ArgumentParser
import Glibc
import JamCommand
import JamCore
import JamExport
import JamKit
import JamRoom
import JamServer
import JamStream

/// `bandshell render`.
struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Render a score to a WAV file, as fast as the machine can.",
    discussion: """
      SCORE is a file of OSC bundles, each preceded by its length as a big-endian int32, with timetags in seconds \
      from 0,
      24 h at most; `/player/<name>/` in front of an address names who plays. `bandshell serve` keeps such files, as \
      the takes of its data folder,
      and rendering one gives the same samples again. Kits and sounds that are missing or damaged are told on \
      standard error, and
      the rest is rendered; then it exits with 65. It ends when nothing sounds any more, 60 s after the last bundle \
      at most.

      A score holds what came of each command, so that a message without its outcome, as /loop/record, is left out \
      and told.
      With --live, SCORE is a script of commands, which may be written by hand, a line each:

        0      /tempo 96
        0      /player/ann/step/1/1 0.8      seconds, an address, its values; who plays stands in front
               /player/ann/step/1/9 0.8      at the same time
        3:1    /player/ann/buildup 140 4     bar 3, beat 1
        +0.5   /player/bob/kit dub           half a second after the seconds above
        9:1    end

      A score's file is played as commands, too.
      """)

  @Argument(help: ArgumentHelp("The score.", valueName: "score"))
  var score: String

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The mix: 48 kHz, stereo, 32-bit float.", valueName: "mix.wav"))
  var output: String

  @Flag(help: "Play commands as a live room would: loops go round, build-ups rise, hits wait for their lines.")
  var live = false

  @Option(help: ArgumentHelp("A folder of kits; repeat it for more. Without it: as bandshell serve.", valueName: "dir"))
  var kits: [String] = []

  @Option(
    help: ArgumentHelp(
      "Also one WAV file per player: what each added to the mix, dry, without limiter, filter and build-ups.",
      valueName: "dir"))
  var stems: String?

  @OptionGroup var division: StemOptions

  @Option(
    help: ArgumentHelp(
      "Also a MIDI file of all hits: the clock, and one track per player, with General MIDI's drums on channel 10.",
      valueName: "file"))
  var midi: String?

  @Option(
    help: ArgumentHelp(
      "Also a project for programs that read .dawproject: notes, tempo and markers, with the sound of --stems.",
      valueName: "file"))
  var dawproject: String?

  @Option(help: ArgumentHelp("Also a project for Reaper, with the sound of --stems.", valueName: "file"))
  var rpp: String?

  @Option(help: ArgumentHelp("Also a label track for Audacity: the bars and build-ups.", valueName: "file"))
  var labels: String?

  func run() throws {
    do throws(RenderError) {
      try render()
    } catch {
      Console.error(error.text)
      throw error.exitCode
    }
  }

  private func render() throws(RenderError) {
    if live { return try renderLive() }
    let file = try ScoreFile(path: score)
    let (kitStore, firstKit) = try kitStore()
    let room = OfflineRoom(
      name: file.room, kits: kitStore, firstKit: firstKit, tempo: file.tempo, stems: stems.map { _ in division.plan })
    var mix = ScorePlayback(file, in: room)
    let parts = try write(room) { (take) throws(Problem) in try mix.play(take) }
    for refusal in mix.refusals { Console.line("bandshell: \(score), at \(refusal)") }
    if let change = EngineChange.words(since: file.engine) { Console.line("bandshell: \(score): \(change)") }
    if let damage = file.damage {
      Console.line("bandshell: \(score): \(damage); what stands before, up to \(Seconds.text(file.end)), is rendered")
    }
    let all = ScoreExport(
      name: title, players: file.players, log: room.log, maps: mix.maps, length: room.end, pads: mix.pads)
    try export(all, try finish(parts, room, all))
    // A script that renders looks only at the exit code.
    guard mix.refusals.isEmpty, file.damage == nil else { throw .incomplete(output) }
  }

  private func kitStore() throws(RenderError) -> (store: KitStore, first: PlayableKit) {
    // The sounds and kits that players brought or saved are beside the folder of takes, or beside
    // the score.
    let place = FilePlace(score).folder
    let data = FilePlace(place).name == "takes" ? FilePlace(place).folder : place
    let folders = DataFolder.kitFolders(kits.isEmpty ? KitSearch.defaultFolders() : kits, and: data)
    let kitStore = KitStore(catalogue: KitCatalogue(scanning: folders), sounds: DataFolder.sounds(in: data))
    guard let id = kitStore.kits.first?.id else {
      throw RenderError("no kits found: name their folder with --kits, or set BANDSHELL_KITS", .badData)
    }
    do throws(KitError) { return (kitStore, try kitStore.load(id)) } catch { throw RenderError("\(error)", .badData) }
  }

  private func renderLive() throws(RenderError) {
    let script = try LiveScript.read(score)
    let (kitStore, firstKit) = try kitStore()
    let room = OfflineRoom(
      name: script.room, kits: kitStore, firstKit: firstKit, tempo: script.tempo,
      stems: stems.map { _ in division.plan },
      isLive: true)
    var mix = LivePlayback(script, in: room)
    let parts = try write(room) { (take) throws(Problem) in try mix.play(take) }
    for refusal in mix.refusals { Console.line("bandshell: \(score), at \(refusal)") }
    if mix.isCut {
      Console.line(
        """
        bandshell: \(score): it goes round without end: \(LivePlayback.barsBehind) bars behind its last line are \
        rendered; a line as “9:1 end” says where it ends
        """
      )
    }
    let all = ScoreExport(
      name: title, players: mix.players, log: room.log, maps: mix.maps, length: room.end, pads: mix.pads)
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
    let files = stems.map { StemFiles(in: $0, division.format) }
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
        room, division.plan, players: export.players, frames: Int(room.end.count), path: "",
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
