internal import JamCommand
internal import JamCore
internal import JamKit
internal import JamRealtime

/// What a mastering engineer would measure, from this program itself, offline: levels, the limiter, transposition, stretching, fades, what
/// velocity does, loops, and Opus.
struct SoundBench {
  /// Where spectrograms go; nil draws none.
  var pictures: String?

  func run() throws -> BenchReport {
    RealtimeThread.flushDenormals()
    var report = BenchReport(name: "sound")
    let stage = try SoundStage(KitSearch.defaultFolders())
    report.rows += try mix(stage)
    report.rows += try limiter()
    report.rows += try loudness(stage)
    report.rows += try transposition(stage)
    report.rows += try tones()
    report.rows += try stretching()
    report.rows += try fades()
    report.rows += try hits(stage)
    report.rows += try loops()
    report.rows += try opus(stage)
    report.notes = SoundBench.notes
    return report
  }

  private static let notes = [
    "Reduction: of each 2.5 ms, from the sum in front of the limiter to the mix behind it.",
    "Aliases: what is left of a transposed sound below 16 kHz beside an ideal resampling of the same sound, behind the best gain for each band.",
    "Audible: more than 2 % of its moments have a band in which what is left stands above what the sound masks.",
    "Fades: the highest peak above 2 kHz against the tone's. Disturbed: noise more than 6 dB above what the sound masks, below 8 kHz.",
  ]
}
