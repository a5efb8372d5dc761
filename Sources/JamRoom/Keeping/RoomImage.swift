public import JamCore

/// A room at one moment, for keeping.
///
/// Passing things are not kept: hits that wait or sound, passes under way, build-ups, lit pads.
/// Thread: any; a plain value.
public struct RoomImage: Sendable {
  private let state: RoomState
  /// The room's moment.
  public let frame: Frames
  /// The room was closed because nobody was in it: a starting server opens it when somebody comes.
  private let isClosed: Bool

  init(of state: RoomState, at frame: Frames, isClosed: Bool = false) {
    self.state = state
    self.frame = frame
    self.isClosed = isClosed
  }

  /// The map of its bars; nil while the transport stands.
  public var bars: TempoMap? { state.clock.isPlaying ? state.clock.map : nil }

  /// The tempo as it is, whatever a build-up makes of it meanwhile.
  public var tempo: Tempo { state.clock.buildUps.tempo(of: state.clock.map) }

  /// The rows that differ from `old`; nil is a room of which nothing is kept.
  public static func change(from old: RoomImage?, to new: RoomImage) -> KeptChange {
    var change = KeptChange(isWhole: old == nil)
    let before = old?.state
    let (earlier, settings) = (before?.keptSettings(at: new.frame) ?? [:], new.state.keptSettings(at: new.frame))
    for (name, values) in settings where earlier[name] != values { change.items.append(KeptItem(name, values)) }
    // Of rows that hold nothing any more: an empty one would stay as it was.
    change.gone += earlier.keys.filter { settings[$0] == nil }
    let (history, earlierHistory) = (new.state.session.history, before?.session.history)
    change.add(earlierHistory?.keptDone ?? [], history.keptDone, under: "history/done")
    change.add(earlierHistory?.keptUndone ?? [], history.keptUndone, under: "history/undone")
    for id in new.state.roster.places { change.add(before, new.state, at: id) }
    if old?.isClosed != new.isClosed { change.items.append(KeptItem("closed", KeptWriter.row(new.isClosed))) }
    guard !change.items.isEmpty || !change.gone.isEmpty else { return change }
    // These change with every hit: they are kept with what else has changed.
    change.items.append(KeptItem("moment", new.state.keptMoment(at: new.frame)))
    return change
  }
}

extension RoomState {
  /// Small rows of the whole room, by their names.
  fileprivate func keptSettings(at frame: Frames) -> [String: [KeptValue]] {
    let lines = roster.chat.lines.flatMap { KeptWriter.row($0.player, $0.text, $0.at.count) }
    // Settings that older programs have no row for.
    let settings = Mix.rows.filter { $0.facts.kept.contains(.journal) }.map { row in
      KeptSetting(setting: row.facts.setting, value: row.read(mix))
    }
    let rows = [
      "clock": KeptWriter.row(
        clock.buildUps.tempo(of: clock.map), clock.signature, clock.isPlaying, clock.swing, clock.election.mode,
        clock.election.isOverruled),
      "mix": KeptWriter.row(mix.masterGain, mix.pitch, mix.modulation, mix.speakersClick),
      "leveller": KeptWriter.row(mix.isLevelled),
      "key": KeptWriter.row(mix.key),
      "effects": KeptWriter.row(mix.effects.changed),
      "progressions": KeptWriter.row(library.progressions.saved),
      "scenes": KeptWriter.row(library.scenes.entries),
      "buildup": KeptWriter.row(
        clock.buildUps.parts.roll, clock.buildUps.parts.riser, clock.buildUps.parts.impact,
        clock.buildUps.parts.silence, clock.buildUps.parts.hold,
        clock.buildUps.parts.pad),
      "lock": KeptWriter.row(roster.lock),
      "door": KeptWriter.row(KeptDoor(roster)),
      "project": KeptWriter.row(
        session.project.name, session.project.measures, session.project.version, session.project.label),
      "history": KeptWriter.row(session.history.made),
      "chat": lines,
    ]
    let seats = roster.seats.known.flatMap { KeptWriter.row($0.seat, $0.name) }
    // Macros are at rest in a room that comes back, and nobody holds what a player left behind.
    let holds = mix.holds.all
      .filter { !$0.control.isMacro && roster.player(named: $0.player) != nil }
      .flatMap { KeptWriter.row($0.control.word, $0.player) }
    let mixes = roster.known.mixes.flatMap { KeptWriter.row($0.token, $0.mix) }
    return rows.merging(
      (settings.isEmpty ? [:] : ["settings": KeptWriter.row(settings)])
        .merging(seats.isEmpty ? [:] : ["seats": seats]) { $1 }
        .merging(mixes.isEmpty ? [:] : ["mixes": mixes]) { $1 }
        .merging(holds.isEmpty ? [:] : ["holds": holds]) { $1 }
    ) { $1 }
  }

  fileprivate func keptMoment(at frame: Frames) -> [KeptValue] {
    // A signature that holds from the next bar on counts from there.
    let begin = clock.map.signatures[clock.map.signatures.count - 1].startBeat
    let line = clock.isPlaying ? max(clock.barLine(atOrAfter: frame), begin) : .zero
    return KeptWriter.row(frame.count, line, session.tally.sequence, library.blocks.slotsPut)
  }
}

extension KeptChange {
  /// The rows of a list, each under its number.
  fileprivate mutating func add(_ old: [RoomEdit], _ new: [RoomEdit], under name: String) {
    add(from: old.count, to: new.count, under: name) {
      old[$0] == new[$0]
    } row: {
      KeptWriter.row(new[$0])
    }
  }

  /// Long histories are compared by their edits' memory first: no edit is changed in place.
  fileprivate mutating func add(_ old: [Edit], _ new: [Edit], under name: String) {
    guard !old.isShared(with: new) else { return }
    let (before, after) = (Edit.identities(old), Edit.identities(new))
    add(from: old.count, to: new.count, under: name) {
      before[$0] == after[$0] || old[$0] == new[$0]
    } row: {
      KeptWriter.row(new[$0])
    }
  }

  private mutating func add(
    from old: Int, to new: Int, under name: String, isSame: (Int) -> Bool, row: (Int) -> [KeptValue]
  ) {
    for index in 0..<new where index >= old || !isSame(index) {
      items.append(KeptItem("\(name)/\(index)", row(index)))
    }
    gone += (0..<old).dropFirst(new).map { "\(name)/\($0)" }
  }

  /// The rows of the player who has the place.
  fileprivate mutating func add(_ old: RoomState?, _ new: RoomState, at id: PlayerID) {
    let name = "player/\(id.index)"
    let was = old.flatMap { $0.roster.isTaken(id) ? $0 : nil }
    guard new.roster.isTaken(id) else {
      if was != nil { gone.append(name) }
      return
    }
    let comparison = was.map { PlayerComparison($0, new, at: id) }
    // Somebody else has the place now.
    let same = comparison?.isSomebodyElse == true ? nil : comparison
    if same == nil, was != nil { gone.append(name) }
    if same?.isUntouched != true { add(new.wholePlayer(id), same, under: name) }
  }

  /// Rows are made of what differs alone: most of a room does not, each time.
  /// - Parameter same: the comparison with the player as it was; nil for a new player.
  private mutating func add(_ new: Player, _ same: PlayerComparison?, under name: String) {
    if same?.isPersonKept != true { items.append(KeptItem(name, new.keptPerson)) }
    if same?.areWhereaboutsKept != true {
      items.append(KeptItem("\(name)/from", KeptWriter.row(new.person.whereabouts)))
    }
    if same?.areSettingsKept != true { items.append(KeptItem("\(name)/settings", new.keptSettings)) }
    if same?.isChannelUntouched != true { addChannel(new.channel, same?.old.channel, under: name) }
    addLoans(new.looper.loop.loans, same?.old.looper.loop.loans ?? [], under: name)
    if same?.isLoopKept != true { items.append(KeptItem("\(name)/loop", new.keptLoop)) }
    if same?.arePadsKept != true {
      let (kit, earlier) = (KitEdit(new), same.map { KitEdit($0.old.hands, $0.old.desk) })
      if earlier?.kit != kit.kit { items.append(KeptItem("\(name)/kit", KeptWriter.row(kit.kit))) }
      for (pad, edit) in zip(Pad.all, kit.pads) where earlier?.pads[pad.index] != edit {
        items.append(KeptItem("\(name)/pad/\(pad.number)", KeptWriter.row(edit)))
      }
    }
    addLayers(new.looper.loop.layers, same?.old.looper.loop.layers ?? [], under: name)
    for index in new.looper.lanes.indices where same?.isLaneKept(index) != true {
      items.append(KeptItem("\(name)/lane/\(index + 1)", KeptWriter.row(new.keptLane(index))))
    }
    add(same?.old.desk.history.done ?? [], new.desk.history.done, under: "\(name)/done")
    add(same?.old.desk.history.undone ?? [], new.desk.history.undone, under: "\(name)/undone")
    if same == nil, let begin = new.desk.history.begin {
      items.append(KeptItem("\(name)/begin", KeptWriter.row(begin)))
    }
  }

  private mutating func addChannel(_ new: Channel, _ old: Channel?, under name: String) {
    // Most players have none on.
    if new.effects == EffectSettings() {
      if let old, old.effects != new.effects { gone.append("\(name)/effects") }
    } else if new.effects != old?.effects {
      items.append(KeptItem("\(name)/effects", KeptWriter.row(new.effects.changed)))
    }
    // A row of its own, which older programs leave alone.
    if new.mine.isEmpty {
      if let old, !old.mine.isEmpty { gone.append("\(name)/mix") }
    } else if new.mine != old?.mine {
      items.append(KeptItem("\(name)/mix", KeptWriter.row(new.mine)))
    }
  }

  private mutating func addLoans(_ new: [KeptLoan], _ old: [KeptLoan], under name: String) {
    if new.isEmpty {
      if !old.isEmpty { gone.append("\(name)/loans") }
    } else if new != old {
      items.append(KeptItem("\(name)/loans", KeptWriter.row(new)))
    }
  }

  private mutating func addLayers(_ new: [Layer?], _ old: [Layer?], under name: String) {
    guard !new.isShared(with: old) else { return }
    for index in 0..<max(new.count, old.count) {
      let before = old.indices.contains(index) ? old[index] : nil
      let path = "\(name)/layer/\(index + 1)"
      guard new.indices.contains(index), let layer = new[index] else {
        if before != nil { gone.append(path) }
        continue
      }
      if before?.isKeptAs(layer) != true { items.append(KeptItem(path, KeptWriter.row(layer))) }
    }
  }
}

extension Array {
  /// Whether both are the same memory: neither was written to since one was copied.
  func isShared(with other: [Element]) -> Bool {
    count == other.count
      && withUnsafeBufferPointer { mine in other.withUnsafeBufferPointer { mine.baseAddress == $0.baseAddress } }
  }
}

extension Edit {
  /// Two of the same number are the same edit.
  fileprivate static func identities(_ edits: [Edit]) -> [Int] {
    edits.withUnsafeBytes { Array($0.bindMemory(to: Int.self)) }
  }
}

extension Player {
  /// The player, and the settings of its channel by others.
  fileprivate var keptPerson: [KeptValue] {
    KeptWriter.row(
      name, person.token, person.isGuest, person.role, person.isMadeListener, person.hasLeft, channel.hostGain,
      channel.isMutedByHost, channel.isSoloed, desk.vote,
      desk.history.made)
  }

  fileprivate var keptSettings: [KeptValue] {
    KeptWriter.row(
      Player.keptSettings.compactMap { setting in
        keptValue(of: setting).map { KeptSetting(setting: setting, value: $0) }
      }, hands.velocityScale.full, hands.velocityScale.isSet, person.hearing.latency,
      looper.focus?.lane ?? looper.resumedFocus?.lane ?? 0,
      looper.focus?.slot ?? looper.resumedFocus?.slot ?? 0)
  }

  /// A player's own settings, but for its pads, loop and effects.
  static let keptSettings = RoomRow.inJournal

  fileprivate var keptLoop: [KeptValue] {
    KeptWriter.row(
      looper.loop.bars, looper.loop.recordedBars, looper.loop.length, looper.loop.origin,
      looper.resumes?.loop ?? looper.loop.isPlaying, looper.loop.passes,
      looper.loop.grid.count, looper.loop.grid.counts)
  }

  fileprivate func keptLane(_ index: Int) -> LaneEdit {
    var edit = LaneEdit(looper.lanes[index])
    if let resumes = looper.resumes { edit.playing = resumes.lanes[index] }
    return edit
  }
}

extension KeptReader {
  /// A list of settings. A name that this program does not know costs itself alone: another version
  /// wrote it.
  mutating func takeSettings() throws(KeptError) -> [KeptSetting] {
    var settings: [KeptSetting] = []
    for _ in 0..<(try takeCount()) {
      let before = self
      do throws(KeptError) {
        settings.append(try take(KeptSetting.self))
      } catch {
        guard case .unexpected(let value) = error, case .text = value, value == before.peek else { throw error }
        self = before
        let _: KeptValue = try take()
        let _: KeptValue = try take()
      }
    }
    return settings
  }
}

/// A setting of a player's with its value.
struct KeptSetting: Kept, Equatable {
  /// The ids of instruments that are chosen in them.
  static func instruments(in settings: [KeptSetting]) -> Set<String> {
    Set(
      settings.compactMap { kept in
        if kept.setting == .instrument, case .text(let id) = kept.value { id } else { nil }
      })
  }

  var setting: Setting
  var value: SettingValue

  init(setting: Setting, value: SettingValue) {
    self.setting = setting
    self.value = value
  }
  func keep(in writer: inout KeptWriter) {
    writer.put(setting)
    writer.put(value)
  }
  init(from reader: inout KeptReader) throws(KeptError) {
    setting = try reader.take()
    value = try reader.take()
  }
}
