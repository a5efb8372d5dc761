internal import JamCore

/// The players who hold the room's pitch, filter and macros: each control belongs to the player who
/// moved it last, until it is at rest.
struct Holds: Equatable, Sendable {
  /// Controls that are at rest have none.
  private var holds: [PlayedControl: Hold] = [:]
  /// Controls stay where they are when their players leave.
  var isPinned = false
  /// The frame at which the next control returns to rest; nil where none does.
  private(set) var nextSpring: Frames?

  private struct Hold: Equatable, Sendable {
    /// By name: the place may be another's when the control returns.
    var player: PlayerName
    /// The player has left, and the control returns at this frame.
    var springs: Frames?
  }

  init() {}

  /// As it was kept.
  init(_ kept: [(control: PlayedControl, player: PlayerName)]) {
    for (control, player) in kept { holds[control] = Hold(player: player) }
  }

  func player(of control: PlayedControl) -> PlayerName? { holds[control]?.player }

  /// In the order of the controls.
  var all: [(control: PlayedControl, player: PlayerName)] {
    PlayedControl.allCases.compactMap { control in holds[control].map { (control, $0.player) } }
  }

  func controls(of player: PlayerName) -> [PlayedControl] {
    PlayedControl.allCases.filter { holds[$0]?.player == player }
  }

  /// The control is that player's; nil is nobody's.
  /// - Returns: whether it was another's.
  mutating func set(_ control: PlayedControl, to player: PlayerName?) -> Bool {
    let before = holds[control]?.player
    holds[control] = player.map { Hold(player: $0) }
    plan()
    return before != player
  }

  /// The player has left: the control returns to rest at that frame.
  mutating func spring(_ control: PlayedControl, at frame: Frames) {
    holds[control]?.springs = frame
    plan()
  }

  /// Takes the controls out that are due.
  mutating func take(until frame: Frames) -> [(control: PlayedControl, player: PlayerName)] {
    guard let nextSpring, nextSpring <= frame else { return [] }
    let due = all.filter { (holds[$0.control]?.springs).map { $0 <= frame } == true }
    for (control, _) in due { holds[control] = nil }
    plan()
    return due
  }

  /// The player is back, and holds its controls as before.
  mutating func stay(with player: PlayerName) {
    guard nextSpring != nil else { return }
    for control in controls(of: player) { holds[control]?.springs = nil }
    plan()
  }

  /// - Returns: the controls that are under another name now.
  mutating func rename(_ old: PlayerName, to new: PlayerName) -> [PlayedControl] {
    let renamed = controls(of: old)
    for control in renamed { holds[control]?.player = new }
    return renamed
  }

  private mutating func plan() { nextSpring = holds.values.compactMap(\.springs).min() }
}
