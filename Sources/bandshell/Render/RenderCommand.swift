import ArgumentParser
import JamCommand
import JamKit
import JamServer

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
    var rendering = ScoreRendering(
      of: score, to: output, kitFolders: kits.isEmpty ? KitSearch.defaultFolders() : kits, tell: Console.error)
    rendering.stems = stems
    rendering.plan = division.plan
    rendering.format = division.format
    rendering.midi = midi
    rendering.dawproject = dawproject
    rendering.rpp = rpp
    rendering.labels = labels
    do throws(RenderError) {
      try live ? rendering.renderLive() : rendering.render()
    } catch {
      Console.error(error.text)
      throw error.exitCode
    }
  }
}
