public import JamCore
internal import JamEngine

/// A room's music at one moment: what a project keeps of it. People are in it by their names alone.
///
/// The same music makes the same rows, whenever and wherever that is.
/// Thread: any; a plain value.
public struct ProjectImage: Sendable {
  private let state: RoomState

  init(of state: RoomState) { self.state = state }

  public var measures: Int { state.session.project.measures }
  public var tempo: Double { Double(Float(steadyTempo.beatsPerMinute)) }
  public var signature: TimeSignature { state.clock.signature }
  /// The players who have a part in it.
  public var players: [PlayerName] { parts.map(\.name) }
  /// Nobody plays anything that a newcomer would not: there is nothing to keep.
  public var isEmpty: Bool { parts.isEmpty }

  private var steadyTempo: Tempo { state.clock.buildUps.tempo(of: state.clock.map) }

  /// By their names.
  private var parts: [ProjectPart] {
    let newcomer = state.newcomer
    var parts = state.players.compactMap { ProjectPart($0, newcomer: newcomer) }
    parts.sort { $0.name.text < $1.name.text }
    // Loops lie to each other as they do, whichever moment this is.
    guard let first = parts.first(where: { !$0.music.loop.layers.isEmpty })?.music.loop.origin else { return parts }
    for index in parts.indices where parts[index].music.loop.length > .zero {
      let loop = parts[index].music.loop
      let into = (loop.origin - first).microBeats % loop.length.microBeats
      parts[index].music.loop.origin = Beats(microBeats: into < 0 ? into + loop.length.microBeats : into)
    }
    return parts
  }

  /// The rows of the music as a whole.
  /// - Parameter measures: of newcomers' loops.
  public func head(measures: Int) -> [KeptItem] {
    let key = state.mix.key
    var items = [
      KeptItem("project", KeptWriter.row(measures)),
      KeptItem("clock", KeptWriter.row(steadyTempo, state.clock.signature, state.clock.swing)),
    ]
    // Older programs wrote no key: without one, the key is the usual one.
    if key != MusicalKey() { items.append(KeptItem("key", KeptWriter.row(key))) }
    let changed = state.mix.effects.changed
    if !changed.isEmpty { items.append(KeptItem("effects", KeptWriter.row(changed))) }
    let scenes = state.library.scenes
    if !scenes.isEmpty { items.append(KeptItem("scenes", KeptWriter.row(scenes.entries))) }
    return items
  }

  /// All rows, in their order.
  public var items: [KeptItem] {
    var items = head(measures: measures)
    for (number, part) in parts.enumerated() {
      items.append(
        KeptItem(
          "part/\(number)",
          KeptWriter.row(part.name, part.gain, part.isMuted, part.hostGain, part.isMutedByHost, part.bars)))
      items.append(KeptItem("part/\(number)/music", KeptWriter.row(part.music)))
      let loans = part.music.loop.loans
      if !loans.isEmpty { items.append(KeptItem("part/\(number)/loans", KeptWriter.row(loans))) }
      // Older programs wrote none.
      if !part.settings.isEmpty {
        items.append(KeptItem("part/\(number)/settings", KeptWriter.row(part.settings)))
      }
    }
    return items
  }

  /// The sounds that people brought along and the music needs, by the hashes of their contents.
  public var ownSounds: Set<String> { samples.ownSounds }

  /// The kits that it needs.
  public var kits: Set<String> { samples.kits.union(parts.map(\.music.kit.kit)) }

  private var samples: Set<SampleID> { ProjectReading(items, KeptSounds()).samples }
}
