internal import JamCore

/// A value of the whole room that was set: how it was, and how it became.
struct RoomEdit: Hashable, Sendable {
  /// The room's number of it.
  var number: UInt64
  var setting: Setting
  var before: SettingValue
  var after: SettingValue
  /// The player who set it, while the process lasts; nil where several did, or nobody is known.
  var author: PlayerName?

  /// Whether a host took back all of a player.
  var isTakeBack: Bool { if case .takenBack = setting { true } else { false } }
}

/// The edits of the whole room, by all players, the latest last.
///
/// Each setting's edits make a chain: where one ends the next begins. So old ones can be joined,
/// and undoing everything still leads to the room's beginning.
struct RoomHistory: Equatable, Sendable {
  private(set) var done: [RoomEdit] = [] { didSet { version &+= 1 } }
  private(set) var undone: [RoomEdit] = [] { didSet { version &+= 1 } }
  /// Counts up with each change: then views of the history look again.
  private(set) var version = 0
  /// The number of edits ever made.
  private(set) var made: UInt64 = 0
  /// All that hosts took back of players, by the numbers of these edits: the last few.
  private var takenBack: [UInt64: TakenBack] = [:]
  private static let mostTakenBack = 8
  /// The last edit's time, player and run; nil where nothing joins it.
  private var last: Last?

  private struct Last: Equatable, Sendable {
    var frame: Frames
    var player: PlayerID?
    var run: UInt64?
  }

  private static let oneMove = Frames.seconds(1)

  init() {}

  /// As it was kept.
  init(_ done: [RoomEdit], undone: [RoomEdit], made: UInt64) {
    self.done = done
    self.undone = undone
    self.made = made
  }

  /// The outcome of an edit.
  enum Outcome {
    case new(RoomEdit)
    /// It goes on with the last one, which is known.
    case joined
    /// It went back to the last one's beginning, and both are gone.
    case vanished
    case nothing
  }

  /// A player's moves of a fader, each within a second, are one edit; so is a run of taps or a MIDI
  /// clock. A move back to the start is none, even later for what springs: the pitch, a DJ's holds.
  /// - Parameters:
  ///   - player: whose move it is; nil is everybody's, which joins nothing.
  ///   - lastOwn: the number of the player's last edit, where that was one of the room's.
  ///   - author: the player's name.
  ///   - isOwn: the player may take it back; then no edit of its own lies between joined ones.
  ///   - run: its run of taps or of a clock; nil is none.
  ///   - limit: beyond it the older half is joined, to one edit for each setting.
  mutating func remember(
    _ setting: Setting, _ before: SettingValue, _ after: SettingValue, at frame: Frames, by player: PlayerID?,
    after lastOwn: UInt64?, author: PlayerName? = nil, isOwn: Bool = true, run: UInt64? = nil,
    limit: Int
  ) -> Outcome {
    guard before != after else { return .nothing }
    undone.removeAll()
    forgetTakenBack()
    let earlier = last
    last = Last(frame: frame, player: player, run: run)
    if let edit = done.last, edit.setting == setting, edit.number == lastOwn || !isOwn {
      let isOneMove =
        player != nil && player == earlier?.player && earlier.map { frame - $0.frame < RoomHistory.oneMove } == true
      let isOneRun = run != nil && run == earlier?.run
      let springsBack = isOwn && setting.springs && after == edit.before
      if isOneMove || isOneRun || springsBack {
        guard after != edit.before else {
          done.removeLast()
          last = nil
          return .vanished
        }
        done[done.count - 1].after = after
        if edit.author != author { done[done.count - 1].author = nil }
        return .joined
      }
    }
    made += 1
    let edit = RoomEdit(
      number: made, setting: setting, before: before, after: after, author: author)
    add(edit, limit: limit)
    return .new(edit)
  }

  private mutating func add(_ edit: RoomEdit, limit: Int) {
    done.append(edit)
    guard done.count > limit else { return }
    join(first: done.count / 2)
    if done.count > limit { join(first: done.count) }
  }

  private mutating func join(first count: Int) {
    var joined: [RoomEdit] = []
    var places: [Setting: Int] = [:]
    for edit in done.prefix(count) {
      if let place = places[edit.setting], !edit.isTakeBack {
        joined[place].after = edit.after
        if joined[place].author != edit.author { joined[place].author = nil }
      } else {
        places[edit.setting] = joined.count
        joined.append(edit)
      }
    }
    done.replaceSubrange(..<count, with: joined.filter { $0.before != $0.after })
  }

  // MARK: All of a player

  /// A host took back all of a player: one edit. Beyond a few the oldest is no edit any more.
  mutating func remember(_ all: TakenBack) {
    undone.removeAll()
    forgetTakenBack()
    last = nil
    made += 1
    let oldest = done.filter(\.isTakeBack).dropLast(RoomHistory.mostTakenBack - 1).map(\.number)
    done.removeAll { oldest.contains($0.number) }
    done.append(
      RoomEdit(
        number: made, setting: .takenBack(all.player), before: .bool(false), after: .bool(true)))
    takenBack[made] = all
    forgetTakenBack()
  }

  /// - Returns: nil where the edit is a value that was set.
  func taken(_ edit: RoomEdit) -> TakenBack? { edit.isTakeBack ? takenBack[edit.number] : nil }

  /// Keeps only what an edit still names.
  private mutating func forgetTakenBack() {
    guard !takenBack.isEmpty else { return }
    let named = Set((done + undone).filter(\.isTakeBack).map(\.number))
    takenBack = takenBack.filter { named.contains($0.key) }
  }

  /// The edits that a journal keeps: what was taken back lies in memory alone.
  var keptDone: [RoomEdit] { takenBack.isEmpty ? done : done.filter { !$0.isTakeBack } }
  var keptUndone: [RoomEdit] { takenBack.isEmpty ? undone : undone.filter { !$0.isTakeBack } }

  mutating func takeBack() -> RoomEdit? {
    last = nil
    guard let edit = done.popLast() else { return nil }
    undone.append(edit)
    return edit
  }

  mutating func doAgain() -> RoomEdit? {
    last = nil
    guard let edit = undone.popLast() else { return nil }
    done.append(edit)
    return edit
  }

  // MARK: One player's own

  /// The edit of that number, where nobody has changed its setting since.
  func latest(_ number: UInt64) -> RoomEdit? {
    guard let edit = done.last(where: { $0.number == number }) else { return nil }
    return done.last { $0.setting == edit.setting }?.number == number ? edit : nil
  }

  mutating func takeBack(_ edit: RoomEdit) {
    last = nil
    done.removeAll { $0.number == edit.number }
    // Undone edits of this setting began where this edit ended.
    undone.removeAll { $0.setting == edit.setting }
  }

  mutating func doAgain(_ edit: RoomEdit, limit: Int) {
    last = nil
    undone.removeAll { $0.setting == edit.setting }
    add(edit, limit: limit)
  }

  /// The player goes on under another name.
  mutating func rename(_ old: PlayerName, to new: PlayerName) {
    for index in done.indices { done[index].rename(old, to: new) }
    for index in undone.indices { undone[index].rename(old, to: new) }
    for number in takenBack.keys { takenBack[number]?.rename(old, to: new) }
  }

  /// The player left, and its channel is no more.
  mutating func forget(_ name: PlayerName) {
    done.removeAll { $0.setting.channel == name }
    undone.removeAll { $0.setting.channel == name }
    for number in takenBack.keys {
      takenBack[number]?.values.removeAll { $0.setting.channel == name }
    }
  }
}

extension RoomEdit {
  /// Somebody goes on under another name: its channel, its name in scenes, and what it did.
  mutating func rename(_ old: PlayerName, to new: PlayerName) {
    setting = setting.renamed(old, to: new)
    before = before.renamed(old, to: new, in: setting)
    after = after.renamed(old, to: new, in: setting)
    if author == old { author = new }
  }
}

extension RoomHistory {
  /// The history for views.
  var steps: HistorySteps {
    HistorySteps(
      undo: done.suffix(HistorySteps.most).reversed().map { $0.step(ofPlayer: false) }, of: done.count,
      redo: undone.suffix(HistorySteps.most).reversed().map { $0.step(ofPlayer: false) }, of: undone.count)
  }
}

extension SettingValue {
  /// A scene names players.
  fileprivate func renamed(_ old: PlayerName, to new: PlayerName, in setting: Setting) -> SettingValue {
    guard case .scene = setting, case .text(let text) = self, var scene = Scene(text) else { return self }
    scene.rename(old, to: new)
    return .text(scene.text)
  }
}

extension Setting {
  /// The player's channel, for a host's setting of it.
  fileprivate var channel: PlayerName? {
    switch self {
    case .channelGain(let name), .channelMute(let name), .channelSolo(let name): name
    default: nil
    }
  }

  fileprivate func renamed(_ old: PlayerName, to new: PlayerName) -> Setting {
    switch self {
    case .channelGain(old): .channelGain(new)
    case .channelMute(old): .channelMute(new)
    case .channelSolo(old): .channelSolo(new)
    case .takenBack(old): .takenBack(new)
    default: self
    }
  }

  /// Whether what moves it springs back by itself.
  fileprivate var springs: Bool {
    switch self {
    case .pitch: true
    case .roomEffect(let what): what.isMacro
    default: false
    }
  }

  /// Whether setting it is an edit of the room's. So is the tempo, which has more ways to change.
  var isRoomEdit: Bool { self != .tempo && row.undo == .room }
}
