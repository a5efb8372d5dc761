internal import JamCore
internal import JamEngine
internal import JamRealtime

/// The engine's commands of the last minute, for rendering one player's part again.
///
/// Older commands are folded: controls into their last value, hits away unless they may still
/// sound. The sounds of remembered hits are kept as long. Thread: the room's.
final class EngineHistory {
  /// Longer than anybody may ask for, as the tape is.
  private static let reach = Frames.seconds(62)

  fileprivate struct Entry {
    var command: EngineCommand
    /// The sound that the engine reads for it; nil once it was folded.
    var sound: PlayableSound?
    /// The engine had no place for it.
    var isVoid = false
  }

  private let limit: Int
  /// So many are folded at once beyond the limit: one by one, each fold would wait for memory.
  private let batch: Int
  // Unchecked exclusivity for every hit's path: one thread uses it, and nothing calls back.
  /// By number.
  @exclusivity(unchecked) private var entries = ChunkedQueue<Entry>()
  /// Hits that fell out of the minute and may sound on.
  @exclusivity(unchecked) private var lasting = LastingHits()
  /// The room's pitch since the first lasting hit: their present places depend on it. By number.
  private var pitches: [EngineCommand] = []
  /// And its riser, which moves the pitch, too.
  private var risers: [EngineCommand] = []
  /// And what else was done to loops among them.
  private var shapes: [EngineCommand] = []
  @exclusivity(unchecked) private var controls = Controls()
  /// For each place: the number of the last folded command that gave it to a player.
  private var openings: [PlayerID: UInt64] = [:]
  /// From here on everything is remembered.
  @exclusivity(unchecked) private(set) var begin = Frames.zero

  init(limits: Limits = .standard) {
    limit = limits.rememberedCommands
    batch = max(1, limit / 32)
  }

  /// - Parameter sound: the one that the engine reads. Held, not counted: engines write the counts.
  func record(_ command: EngineCommand, reads sound: PlayableSound?) {
    switch command.action {
    // No part of a player's sound, or known otherwise: clock, click, solos, leveller, and cues.
    case .tempoMap, .click, .solo, .leveller, .openCue, .closeCue, .cueLevels, .cueGain, .preview,
      .releasePreview:
      return
    default: break
    }
    entries.append(Entry(command: command, sound: sound))
    guard entries.count >= limit + batch else { return }
    for _ in 0..<batch { fold() }
  }

  /// The command of that number was applied at `frame`, later than it says.
  func correct(sequence: UInt64, frame: Frames) {
    guard let index = index(of: sequence) else { return }
    entries[index].command.frame = frame
  }

  /// The hit of that number never sounded.
  func withdraw(sequence: UInt64) {
    guard let index = index(of: sequence) else { return }
    entries[index].sound = nil
    entries[index].isVoid = true
  }

  /// Lets go of what lies further back than anybody may ask for.
  func forget(before now: Frames) {
    while !entries.isEmpty, entries[entries.startIndex].command.frame < now - EngineHistory.reach { fold() }
    lasting.forget(before: begin)
    let first = lasting.firstSequence
    forget(&pitches, before: first)
    forget(&risers, before: first)
    forget(&shapes, before: first)
    // Here, and not with a hit: as many as come in the densest room until this is called again.
    if !entries.isEmpty { entries.prepare(chunks: 3) }
  }

  /// Gives back the memory of forgotten entries.
  func compact() {
    entries.compact()
    lasting.compact()
  }

  /// One player's part of `range` of the mix.
  /// - Parameters:
  ///   - asOf: the number of a command in the player's time: others had the place before or since.
  ///   - clock: as it stands by now: it knows how it was.
  /// - Returns: nil where too much has been played for it to reach back that far.
  func part(of bus: PlayerID, asOf sequence: UInt64, in range: Range<Frames>, clock: TempoMap) -> EnginePart? {
    guard range.lowerBound >= begin else { return nil }
    let part = EnginePart(range: range, base: controls.actions(of: bus), clock: clock)
    let theirs = tenure(of: bus, asOf: sequence)
    let own =
      shapes.filter { $0.bus == bus }.map { (command: $0, sound: nil as PlayableSound?) } + lasting.hits(of: bus)
    var early = (pitches + risers).map { (command: $0, sound: nil as PlayableSound?) }
    early += own.filter { theirs.contains($0.command.sequence) }
    early.sort { $0.command.sequence < $1.command.sequence }
    for (command, sound) in early { part.append(command, reads: sound) }
    for entry in entries where !entry.isVoid && entry.command.frame < range.upperBound {
      if let own = entry.command.bus, own != bus || !theirs.contains(entry.command.sequence) { continue }
      part.append(entry.command, reads: entry.sound)
    }
    return part
  }

  /// From the command that gave the player its place to the next player's, which silences the rest.
  private func tenure(of bus: PlayerID, asOf sequence: UInt64) -> ClosedRange<UInt64> {
    var range = (openings[bus] ?? 0)...UInt64.max
    // It was over before the remembered time began.
    guard sequence >= range.lowerBound else { return sequence...sequence }
    for entry in entries {
      guard case .openBus(bus) = entry.command.action else { continue }
      // In order: it came after `sequence`, and so after the place was given.
      if entry.command.sequence > sequence { return range.lowerBound...entry.command.sequence }
      range = entry.command.sequence...UInt64.max
    }
    return range
  }

  private func index(of sequence: UInt64) -> Int? {
    let index = entries.indices.firstPlace { entries[$0].command.sequence < sequence }
    return index < entries.endIndex && entries[index].command.sequence == sequence ? index : nil
  }

  /// Of the pitches, the one that held as the first lasting hit began counts, and every later one.
  private func forget(_ pitches: inout [EngineCommand], before first: UInt64?) {
    guard let first else { return pitches.removeFirst(max(0, pitches.count - 1)) }
    let before = pitches.lastIndex { $0.sequence < first } ?? 0
    pitches.removeFirst(max(before, pitches.count - EngineHistory.mostPitches))
  }

  /// Of a strip that somebody moves all the time, a few minutes.
  private static let mostPitches = 4_096

  /// Takes the first entry into what holds from then on.
  private func fold() {
    let first = entries.startIndex
    let (command, isVoid) = (entries[first].command, entries[first].isVoid)
    let sound = exchange(&entries[first].sound, with: nil)
    entries.removeFirst(before: first + 1)
    begin = max(begin, command.frame)
    guard !isVoid else { return }
    switch command.action {
    case .pitch: pitches.append(command)
    case .riser: risers.append(command)
    case .openBus(let bus): openings[bus] = command.sequence
    default: break
    }
    controls.apply(command.action)
    switch command.action {
    case .start(let start):
      if start.takesOver { lasting.release(start.bus, start.pad) }
      lasting.begin(.init(sequence: command.sequence, frame: command.frame, start: start, sound: sound))
    case .release(let bus, let pad): lasting.release(bus, pad)
    case .releaseAll(let bus): lasting.releaseAll(bus)
    case .silence(let bus), .openBus(let bus): lasting.silence(bus)
    case .silenceAll: lasting.silenceAll()
    case .padLevel(let bus, let pad, let level): setLevel(level, bus, pad)
    case .padShape(let bus, let pad, let level, _, _):
      shapes.append(command)
      setLevel(level, bus, pad)
    default: break
    }
  }

  private func setLevel(_ level: Float, _ bus: PlayerID, _ pad: Pad) {
    lasting.setLevel(level, bus, pad)
    for index in shapes.indices {
      guard case .padShape(bus, pad, _, let pan, let rate) = shapes[index].action else { continue }
      shapes[index].action = .padShape(bus: bus, pad: pad, level: level, pan: pan, rate: rate)
    }
  }

  private struct Controls {
    private var master: EngineAction?
    private var modulation: EngineAction?
    private var hush: EngineAction?
    private var channels: [PlayerID: EngineAction] = [:]
    private var soloedPads: [PlayerID: EngineAction] = [:]
    private var effects: [PlayerID: [EffectSetting: EngineAction]] = [:]
    private var duckers: [PlayerID: EngineAction] = [:]
    /// Wheels that are not in their middle.
    private var wheels: [PlayerID: EngineAction] = [:]
    private var roomEffects: [RoomEffectSetting: EngineAction] = [:]

    mutating func apply(_ action: EngineAction) {
      switch action {
      case .master: master = action
      case .modulation: modulation = action
      case .hush: hush = action
      case .bus(let bus, _, _): channels[bus] = action
      case .padSolo(let bus, _): soloedPads[bus] = action
      case .effect(let bus, let setting, _): effects[bus, default: [:]][setting] = action
      case .duck(let bus, _): duckers[bus] = action
      case .roomEffect(let setting, _): roomEffects[setting] = action
      case .bend(let bus, let semitones): wheels[bus] = semitones == 0 ? nil : action
      case .silence(let bus): wheels[bus] = nil
      case .silenceAll: wheels = [:]
      case .openBus(let bus):
        channels[bus] = nil
        soloedPads[bus] = nil
        effects[bus] = nil
        duckers[bus] = nil
        wheels[bus] = nil
      default: break
      }
    }

    func actions(of bus: PlayerID) -> [EngineAction] {
      let own = EffectSetting.allCases.compactMap { effects[bus]?[$0] }
      let room = RoomEffectSetting.allCases.compactMap { roomEffects[$0] }
      return [master, modulation, hush, channels[bus], soloedPads[bus], duckers[bus], wheels[bus]].compactMap { $0 }
        + own + room
    }
  }
}

extension EngineCommand {
  /// The player whom it concerns; nil concerns everybody.
  fileprivate var bus: PlayerID? {
    switch action {
    case .start(let start): start.bus
    case .release(let bus, _), .releaseAll(let bus), .cancel(let bus, _), .silence(let bus), .openBus(let bus),
      .padLevel(let bus, _, _), .padShape(let bus, _, _, _, _), .padSolo(let bus, _), .bus(let bus, _, _),
      .keyHeight(let bus, _, _), .keyBend(let bus, _, _), .bend(let bus, _), .patch(let bus, _, _),
      .effect(let bus, _, _), .duck(let bus, _):
      bus
    case .silenceAll, .solo, .master, .roomEffect, .leveller, .pitch, .modulation, .riser, .hush, .tempoMap, .click,
      .openCue, .closeCue, .cueLevels, .cueGain, .preview, .releasePreview:
      nil
    }
  }
}
