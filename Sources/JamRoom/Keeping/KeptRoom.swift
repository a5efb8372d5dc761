public import JamCore
internal import JamKit

/// A room as it was kept, and the sounds that it needs to come back.
///
/// Thread: one at a time, any that may wait; then the room's.
public struct KeptRoom: Sendable {
  private let items: [String: [KeptValue]]
  private let library: KeptLibrary
  /// Rows that could not be read, and sounds that could not be had; for the log.
  public let problems: [String]

  /// Reads the kits and sounds in.
  /// - Parameter items: by their names.
  public init(_ items: [String: [KeptValue]], from kitStore: KitStore) {
    self.init(items, from: KeptLibrary.Source(kitStore))
  }

  init(_ items: [String: [KeptValue]], from source: KeptLibrary.Source) {
    let reading = KeptReading(items, KeptSounds())
    self.items = items
    library = KeptLibrary(
      kits: reading.kits, instruments: reading.instruments, samples: reading.samples, hits: reading.wantedSounds,
      from: source)
    problems = library.problems + reading.problems
  }

  /// The first tempo of the room's clock; nil where none was kept.
  public var tempo: Tempo? { KeptReading(items, KeptSounds()).clock?.tempo }

  /// Nobody was in it, and so it was closed: it is opened again when somebody comes.
  public static func isClosed(_ items: [String: [KeptValue]]) -> Bool { items["closed"] == [.flag(true)] }

  /// The players who had a place in it.
  public var playerNames: [String] { reading.people.map(\.name.text) }
  /// Of all loops.
  public var layerCount: Int { reading.people.reduce(0) { $0 + $1.loop.layerCount } }
  /// That can be taken back.
  public var editCount: Int { reading.people.reduce(0) { $0 + $1.done.count } }
  /// The project that it played.
  public var project: String { reading.project.name }

  /// Puts the kits and sounds where the room finds them.
  func bring(to library: inout Library) { self.library.bring(to: &library) }

  /// All that was kept, with its sounds.
  var reading: KeptReading { KeptReading(items, KeptSounds(library.pads)) }
}
