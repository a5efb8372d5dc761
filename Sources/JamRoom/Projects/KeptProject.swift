public import JamCore
internal import JamKit

/// A project as it was kept, with the sounds that it needs to be played.
///
/// Thread: one at a time, any that may wait; then the room's.
public final class KeptProject: Sendable {
  let parts: [ProjectPart]
  public let measures: Int
  let tempo: Tempo?
  let signature: TimeSignature
  let swing: Float
  let key: MusicalKey
  let effects: RoomEffectSettings
  let scenes: SceneBook
  let sequence: UInt64
  private let library: KeptLibrary
  /// The kits that it needs, and the hashes of what people brought along.
  public let kits: Set<String>
  public let ownSounds: Set<String>
  /// The kits, their sounds, and own sounds that could not be had.
  public let missing: [String]
  /// Its head was read, and nothing of it left out.
  public let isReadable: Bool
  /// Rows that could not be read, and sounds that could not be had; for the log.
  public let problems: [String]

  /// Reads the kits and sounds in.
  public convenience init(_ items: [KeptItem], from kitStore: KitStore) {
    self.init(items, from: KeptLibrary.Source(kitStore))
  }

  init(_ items: [KeptItem], from source: KeptLibrary.Source) {
    let wanted = ProjectReading(items, KeptSounds())
    library = KeptLibrary(
      kits: wanted.kits, instruments: wanted.instruments, samples: wanted.padSamples, hits: wanted.hitSounds,
      from: source)
    let reading = ProjectReading(items, KeptSounds(library.pads))
    parts = reading.parts
    measures = reading.measures
    tempo = reading.tempo
    signature = reading.signature
    swing = reading.swing
    key = reading.key
    effects = reading.effects
    scenes = reading.scenes
    sequence = reading.sequence
    kits = wanted.kits.union(wanted.samples.compactMap { if case .pad(_, let kit) = $0 { kit } else { nil } })
    ownSounds = Set(wanted.samples.compactMap { if case .own(let hash) = $0 { hash } else { nil } })
    missing = library.problems
    isReadable = wanted.problems.isEmpty
    problems = library.problems + reading.problems
  }

  public var players: [String] { parts.map(\.name.text) }
  public var bpm: Double { Double(Float((tempo ?? .standard).beatsPerMinute)) }
  public var signatureText: String { "\(signature.beatsPerBar)/\(signature.beatUnit)" }

  /// An empty one, in the room's own time.
  public init(measures: Int) {
    parts = []
    self.measures = measures
    tempo = nil
    signature = .common
    swing = 0
    key = MusicalKey()
    effects = RoomEffectSettings()
    scenes = SceneBook()
    sequence = 0
    library = KeptLibrary(
      kits: [], samples: [], hits: [],
      from: KeptLibrary.Source(
        kit: { (id: String) throws(KitError) in throw KitError(id, .noSuchFile) },
        ownSound: { (id: String) throws(KitError) in throw KitError(id, .noSuchSound) }, stretched: { _, _, _ in nil }))
    (kits, ownSounds, missing, isReadable) = ([], [], [], true)
    problems = []
  }

  /// Whether it says nothing of the clock.
  var keepsClock: Bool { tempo == nil }

  /// Puts the kits and sounds where the room finds them.
  func bring(to library: inout Library) { self.library.bring(to: &library) }
}

extension KeptProject: Equatable {
  // A class has no synthesised one: reading a project in once makes one project.
  public static func == (a: KeptProject, b: KeptProject) -> Bool { a === b }
}

/// A project that was read in and waits for its bar line.
struct WaitingProject: Equatable, Sendable {
  var project: KeptProject
  var facts: OpenProject
  var deed: ProjectDeed
  /// The player who asked for it.
  var player: PlayerID
  var line: Beats
}
