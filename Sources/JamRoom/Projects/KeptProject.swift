public import JamCore

/// A project as it was kept, with the sounds that it needs to be played.
///
/// Thread: one at a time, any that may wait; then the room's.
public final class KeptProject: Sendable {
  let music: ProjectMusic
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
    music = reading.music
    kits = wanted.kits.union(wanted.samples.kits)
    ownSounds = wanted.samples.ownSounds
    missing = library.problems
    isReadable = wanted.problems.isEmpty
    problems = library.problems + reading.problems
  }

  public var measures: Int { music.measures }
  public var players: [String] { music.players }
  public var bpm: Double { music.bpm }
  public var signatureText: String { music.signatureText }

  /// An empty one, in the room's own time.
  public init(measures: Int) {
    music = ProjectMusic(measures: measures)
    library = KeptLibrary()
    (kits, ownSounds, missing, isReadable, problems) = ([], [], [], true, [])
  }

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

  /// The time to open it: at once while the transport stands.
  func deadline(_ view: TempoMapView, isPlaying: Bool) -> Frames {
    isPlaying ? view.frame(at: line) - RoomState.liveDelay - RoomState.turnLead : .zero
  }
}
