internal import JamCore

/// All of a player that a host took back in one step, so that it can be brought back.
struct TakenBack: Equatable, Sendable {
  var player: PlayerName
  /// The player's own music; nil where only saved things and values of the room were left.
  var own: OwnMusic?
  /// Values of the room that the player set last. `before` is the value of before it first did.
  var values: [RoomEdit] = []
  /// Blocks and progressions that it saved here.
  var blocks: [Block] = []
  var progressions: [SavedProgression] = []
  /// Kits and sounds that it saved in the server's library, and those of the sounds that lie in
  /// memory alone.
  var items = TakenItems()
  var unkept: [OwnSound] = []

  var isEmpty: Bool {
    own == nil && values.isEmpty && blocks.isEmpty && progressions.isEmpty && items.isEmpty
  }

  /// Somebody goes on under another name, whether all of that player was taken back or not.
  mutating func rename(_ old: PlayerName, to new: PlayerName) {
    if player == old { player = new }
    own?.rename(old, to: new)
    for index in values.indices { values[index].rename(old, to: new) }
    for index in blocks.indices where blocks[index].owner == old { blocks[index].owner = new }
    for index in progressions.indices where progressions[index].player == old {
      progressions[index].player = new
    }
    items.rename(old, to: new)
    for index in unkept.indices where unkept[index].author == old.text {
      unkept[index].author = new.text
    }
  }
}

/// A player's pads, loop, lanes and settings, before they were taken back and since.
struct OwnMusic: Equatable, Sendable {
  /// Tells the player from another of its name.
  var token: String
  var had: OwnState
  var begin: OwnState

  fileprivate mutating func rename(_ old: PlayerName, to new: PlayerName) {
    had.rename(old, to: new)
    begin.rename(old, to: new)
  }
}

/// Everything of a player's that its edits change.
struct OwnState: Equatable, Sendable {
  struct Value: Equatable, Sendable {
    var setting: Setting
    var value: SettingValue
  }

  var checkpoint: Checkpoint
  var patch: Patch
  var values: [Value] = []

  /// Blocks on lanes have owners, and the duck follows a player by its name.
  fileprivate mutating func rename(_ old: PlayerName, to new: PlayerName) {
    checkpoint.changeSlots { slot in if slot.block.owner == old { slot.block.owner = new } }
    for index in values.indices where values[index].setting == .duckPlayer {
      if values[index].value == .text(old.text) { values[index].value = .text(new.text) }
    }
  }

  /// The edit that leads from here to another state.
  func edit(to other: OwnState) -> Edit? {
    var parts: [Edit] = []
    if checkpoint != other.checkpoint { parts.append(.all(checkpoint, other.checkpoint)) }
    if patch != other.patch { parts.append(.patch(patch, other.patch, moved: nil)) }
    for after in other.values {
      guard let before = values.first(where: { $0.setting == after.setting }), before != after
      else { continue }
      parts.append(.setting(after.setting, before.value, after.value))
    }
    return Edit(parts)
  }
}

extension History {
  /// The settings that the player changed, with their first values; and its first patch.
  var firstValues: (values: [OwnState.Value], patch: Patch?) {
    var values: [OwnState.Value] = []
    var known: Set<Setting> = []
    var first: Patch?
    for part in done.flatMap(\.parts) {
      switch part {
      // A part of a groove comes with its lane.
      case .setting(let setting, let before, _)
      where part.groovePart == nil && known.insert(setting).inserted:
        values.append(OwnState.Value(setting: setting, value: before))
      case .patch(let before, _, _) where first == nil: first = before
      default: break
      }
    }
    return (values, first)
  }

  /// The numbers of the room's edits that the player made.
  var roomEdits: Set<UInt64> {
    Set(
      done.flatMap(\.parts).compactMap { part in
        if case .room(let edit) = part { edit.number } else { nil }
      })
  }
}

extension RoomHistory {
  /// The values that a player was the last to set, each as one edit from before its first set.
  /// - Parameter numbers: edits that are known to be its own, beside those that bear its name.
  func values(setBy player: PlayerName, and numbers: Set<UInt64>) -> [RoomEdit] {
    var found: [RoomEdit] = []
    var places: [Setting: Int] = [:]
    var others: Set<Setting> = []
    for edit in done.reversed() where !edit.isTakeBack && !others.contains(edit.setting) {
      guard edit.author == player || numbers.contains(edit.number) else {
        others.insert(edit.setting)
        continue
      }
      if let place = places[edit.setting] {
        found[place].before = edit.before
      } else {
        places[edit.setting] = found.count
        found.append(edit)
      }
    }
    return found
  }
}
