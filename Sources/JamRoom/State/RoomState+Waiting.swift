internal import JamCore
internal import JamEngine

/// Commands that wait until a kit has been read.
extension RoomState {
  /// Whether a command must wait until the chosen kit has been read: a player's edits keep their
  /// order. An undo waits for waiting commands; without any, it takes back the choice itself.
  func waitsForKit(_ command: Command, by id: PlayerID) -> Bool {
    guard desks[id].wantedKit != nil else { return false }
    let waiting = desks[id].waitingCommands
    return switch command {
    case .undo: !waiting.isEmpty && !takesBackHits(of: id)
    case .redo, .chooseKit, .set(.kit, _): !waiting.isEmpty
    default: command.isForKit || command.isEdit && !waiting.isEmpty
    }
  }

  func mayWait(_ command: Command, by id: PlayerID) -> Bool {
    let waiting = desks[id].waitingCommands
    guard waiting.count < RoomState.mostWaiting else { return false }
    return command.isSetting || waiting.count { !$0.command.isSetting } < RoomState.mostWaitingDeeds
  }

  static let mostWaiting = 256

  /// The most that are no settings: one turn carries them out, and one alone may take milliseconds.
  private static let mostWaitingDeeds = 32
}

extension Command {
  /// Whether an undo takes it back, or it reads an undo's changes. Commands of kits do not count.
  fileprivate var isEdit: Bool {
    switch self {
    case .set(let setting, _), .toggle(let setting):
      switch setting {
      case .steps, .padSteps, .layerMute, .layerGain: true
      default: false
      }
    case .deleteLayer, .borrow, .returnLayer, .lane, .moveSlot, .swapSlots, .saveBlock: true
    default: false
    }
  }

  /// Whether it is meant for the kit that was chosen before it.
  fileprivate var isForKit: Bool {
    switch self {
    case .set(.kit, _): false
    case .set(.kitFollow, _), .toggle(.kitFollow), .set(.step, _), .set(.laneSlot, _), .setBlockStep, .groove: true
    case .struck(.step, _), .struck(.blockStep, _): true
    case .set(let setting, _), .toggle(let setting): setting.row.isOfKit
    case .resetPad, .tuneKit, .browseSample, .saveKit, .preview: true
    default: false
    }
  }

  /// Whether it sets one value, and reads nothing in.
  fileprivate var isSetting: Bool {
    switch self {
    case .set(.kit, _): false
    case .set, .toggle, .struck(.step, _): true
    default: false
    }
  }
}
