import ArgumentParser
import Glibc
import JamCommand
import JamCore
import JamExport
import JamKit
import JamRoom
import JamStream

/// `bandshell render`.
struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Render a score to a WAV file, as fast as the machine can.",
    discussion: """
      SCORE is a file of OSC bundles, each preceded by its length as a big-endian int32, with timetags in seconds from 0,
      24 h at most; `/player/<name>/` in front of an address names who plays. `bandshell serve` keeps such files, as the takes of its data folder,
      and rendering one gives the same samples again. Kits and sounds that are missing or damaged are told on standard error, and
      the rest is rendered; then it exits with 65. It ends when nothing sounds any more, 60 s after the last bundle at most.

      A score holds what came of each command, so that a message without its outcome, as /loop/record, is left out and told.
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
      "Also one WAV file per player: what each of them added to the mix, before the limiter heard the rest.",
      valueName: "dir"))
  var stems: String?

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
    let mix = try play(file, kitStore, firstKit, stem: nil, to: output)
    for refusal in mix.refusals { Console.line("bandshell: \(score), at \(refusal)") }
    if let damage = file.damage {
      Console.line("bandshell: \(score): \(damage); what stands before, up to \(Seconds.text(file.end)), is rendered")
    }
    try makeStems(of: file.players) { player, path throws(RenderError) in
      _ = try play(file, kitStore, firstKit, stem: player, to: path)
    }
    try export(
      ScoreExport(
        name: title, players: file.players, log: mix.room.log, maps: mix.maps, length: mix.room.end, pads: mix.pads))
    // Who renders in a script looks at the exit code alone.
    guard mix.refusals.isEmpty, file.damage == nil else { throw .incomplete(output) }
  }

  private func kitStore() throws(RenderError) -> (store: KitStore, first: PlayableKit) {
    // What was brought along and saved lies beside the folder of takes, or the score.
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
    let mix = try play(script, kitStore, firstKit, stem: nil, to: output)
    for refusal in mix.refusals { Console.line("bandshell: \(score), at \(refusal)") }
    if mix.isCut {
      Console.line(
        "bandshell: \(score): it goes round without end: \(LivePlayback.barsBehind) bars behind its last line are rendered; a line as “9:1 end” says where it ends"
      )
    }
    try makeStems(of: mix.players) { player, path throws(RenderError) in
      _ = try play(script, kitStore, firstKit, stem: player, to: path)
    }
    try export(
      ScoreExport(
        name: title, players: mix.players, log: mix.room.log, maps: mix.maps, length: mix.room.end, pads: mix.pads))
    guard mix.refusals.isEmpty else { throw .incomplete(output) }
  }

  private func play(
    _ script: LiveScript, _ kitStore: KitStore, _ firstKit: PlayableKit, stem: PlayerName?, to path: String
  ) throws(RenderError) -> LivePlayback {
    let room = OfflineRoom(name: script.room, kits: kitStore, firstKit: firstKit, tempo: script.tempo, isLive: true)
    room.stem = stem
    var playback = LivePlayback(script, in: room)
    do throws(StreamError) {
      var writer = try WAVWriter(path: path, format: .float32)
      try playback.play { (buffer) throws(StreamError) in try writer.append(buffer) }
      try writer.finish()
    } catch {
      throw .unwritable(path, "\(error)")
    }
    return playback
  }

  private func play(
    _ file: ScoreFile, _ kitStore: KitStore, _ firstKit: PlayableKit, stem: PlayerName?, to path: String
  ) throws(RenderError) -> ScorePlayback {
    let room = OfflineRoom(name: file.room, kits: kitStore, firstKit: firstKit, tempo: file.tempo)
    room.stem = stem
    var playback = ScorePlayback(file, in: room)
    do throws(StreamError) {
      var writer = try WAVWriter(path: path, format: .float32)
      try playback.play { (buffer) throws(StreamError) in try writer.append(buffer) }
      try writer.finish()
    } catch {
      throw .unwritable(path, "\(error)")
    }
    return playback
  }

  private func makeStems(
    of players: [PlayerName], _ make: (PlayerName, String) throws(RenderError) -> Void
  ) throws(RenderError) {
    guard let stems else { return }
    guard mkdir(stems, 0o755) == 0 || errno == EEXIST else { throw .unwritable(stems, SystemError.text(errno)) }
    for player in players { try make(player, "\(stems)/\(player.text).wav") }
  }

  /// The file's name without its ending.
  private var title: String { String(FilePlace(score).name.split(separator: ".").first ?? "score") }

  /// Writes what other programs open.
  private func export(_ export: ScoreExport) throws(RenderError) {
    let folder = stems.map { FilePlace($0) }
    do {
      if let midi { try write(StandardMIDI.file(of: export.session(stems: nil)), to: midi) }
      if let labels { try write(Array(AudacityLabels.text(of: export.session(stems: nil)).utf8), to: labels) }
      if let rpp {
        // Beside it, or wherever the stems are.
        let isBeside = folder?.folder == FilePlace(rpp).folder
        let session = export.session(stems: isBeside ? folder?.name : folder?.path)
        try write(Array(ReaperProject.text(of: session).utf8), to: rpp)
      }
      if let dawproject {
        try DAWProject.write(export.session(stems: folder?.name), to: dawproject, filesIn: folder?.folder ?? ".")
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
