internal import JamCommand
internal import JamCore
internal import JamKit
internal import JamRealtime

/// The measurements that a mastering engineer would make, offline, from this program itself:
/// levels, the limiter, transposition, stretching, fades, the effect of velocity, loops, and Opus.
struct SoundBench {
  /// The folder for spectrograms; nil draws none.
  var pictures: String?
  /// The parts to measure.
  var parts = Set(SoundPart.allCases)

  func run() throws -> BenchReport {
    RealtimeThread.flushDenormals()
    var report = BenchReport(name: "sound")
    let stage = try SoundStage(KitSearch.defaultFolders())
    for part in SoundPart.allCases where parts.contains(part) { report.rows += try measure(part, stage) }
    report.notes = SoundBench.notes
    return report
  }

  private func measure(_ part: SoundPart, _ stage: SoundStage) throws -> [BenchRow] {
    switch part {
    case .mix: try mix(stage)
    case .song: try song(stage)
    case .limiter: try limiter()
    case .loudness: try loudness(stage)
    case .transposition: try transposition(stage) + tones()
    case .stretching: try stretching()
    case .fades: try fades()
    case .hits: try hits(stage)
    case .loops: try loops()
    case .opus: try opus(stage)
    case .loss: try loss(stage)
    case .effects: try effects(stage)
    case .reverb: try reverb()
    case .delay: try delay()
    case .releases: try releases(stage)
    }
  }

  private static let notes = [
    "Reduction: of each 2.5 ms, from the sum in front of the limiter to the mix behind it.",
    """
    Aliases: what is left of a transposed sound below 16 kHz beside an ideal resampling of the same sound, behind the \
    filter that the engine has for all sounds at that rate.
    """,
    """
    Lost: six seeds. Heard: the time behind a lost packet in which the sound differs from the one \
    without loss by more than −30 dB of its level; libopus conceals.
    """,
    "Audible: more than 2 % of its moments have a band in which what is left stands above what the sound masks.",
    """
    Fades: the highest peak above 2 kHz against the tone's. Disturbed: noise more than 6 dB above what the sound \
    masks, below 8 kHz.
    """,
  ]
}
