public import JamCore

/// The kits and sounds that a project's music names, and what lists tell of it. They are read from
/// its rows alone: no kit and no sound is read in.
///
/// Thread: any; a plain value.
public struct ProjectNeeds: Sendable {
  /// The kits without which a part is silent: of pads, of hits in loops and lanes, and of the
  /// players. They may be sampled instruments, too.
  public let kits: Set<String>
  /// The hashes of the sounds that people brought along, without which a part is silent.
  public let ownSounds: Set<String>
  /// Those, and what only the blocks in lanes name: their hits get their sounds when they are
  /// played.
  public let allKits: Set<String>
  public let allOwnSounds: Set<String>
  /// A row that cannot be read; nil where all can.
  public let problem: String?
  public let measures: Int
  public let bpm: Double
  public let signatureText: String
  public let players: [String]

  public init(_ items: [KeptItem]) {
    let reading = ProjectReading(items, KeptSounds())
    let samples = reading.samples
    (kits, ownSounds) = (reading.kits.union(samples.kits), samples.ownSounds)
    let all = samples.union(reading.blockSamples)
    (allKits, allOwnSounds) = (kits.union(all.kits), all.ownSounds)
    problem = reading.problems.first
    (measures, bpm) = (reading.music.measures, reading.music.bpm)
    (signatureText, players) = (reading.music.signatureText, reading.music.players)
  }
}

extension Set<SampleID> {
  /// The kits, or sampled instruments, that they are of.
  var kits: Set<String> {
    Set<String>(compactMap { if case .pad(_, let kit) = $0 { kit } else { nil } })
  }
  /// The hashes of those that people brought along.
  var ownSounds: Set<String> {
    Set<String>(compactMap { if case .own(let hash) = $0 { hash } else { nil } })
  }
}
